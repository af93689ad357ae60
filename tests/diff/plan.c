// Makes, checks, prints and reads plans. What must hold: plan_generate is a pure function of (seed, number, options),
// and every plan that is run is safe: the reference neither crashes nor loops for ever on it.
#include <ctype.h>
#include <stdlib.h>

#include "generate.h"

#define BELOW(n) rng_below(r, (n))
#define BIT(cb) (1u << CB_##cb)
#define NODE_CBS (BIT(message_begin) | BIT(url) | BIT(status) | BIT(header_field) | BIT(header_value) | \
                  BIT(headers_complete) | BIT(body) | BIT(message_complete))

// ---- generation

static uint16_t choose_lenient(struct rng* r) {
  uint32_t k = BELOW(20);
  if (k < 10) return 0;
  if (k < 14) return (uint16_t)(1u << BELOW(NLENIENT));
  if (k < 18) return (uint16_t)(rng_next(r) & ((1u << NLENIENT) - 1));
  return (1u << NLENIENT) - 1;
}

static uint32_t choose_mask(struct rng* r) {
  uint32_t k = BELOW(16);
  if (k < 8) return ALL_CBS;
  if (k < 9) return 0;
  if (k < 12) return NODE_CBS;
  uint32_t m = (uint32_t)rng_next(r);
  return (k < 14 ? m : m | (uint32_t)rng_next(r)) & ALL_CBS;
}

static int32_t choose_result(struct rng* r) {
  // clang-format off: more often is likelier
  static const int32_t results[] = {
      HPE_PAUSED, HPE_PAUSED, HPE_PAUSED, HPE_PAUSED, HPE_PAUSED, HPE_PAUSED, -1, -1, -1, 1, 1, 2, 2, HPE_USER, HPE_USER,
      HPE_PAUSED_UPGRADE, HPE_PAUSED_UPGRADE, HPE_PAUSED_H2_UPGRADE, -2, 1000};
  // clang-format on
  uint32_t k = BELOW(24);
  return k < sizeof results / sizeof results[0] ? results[k] : (int32_t)(1 + BELOW(40));
}

static uint16_t choose_nth(struct rng* r, uint32_t n) { return BELOW(8) ? (uint16_t)BELOW(n) : NTH_EVERY; }

static void choose_act(struct rng* r, struct plan* p, struct act* a, int wild) {
  static const uint16_t flags[] = {
      F_CONNECTION_KEEP_ALIVE, F_CONNECTION_CLOSE, F_CONNECTION_UPGRADE, F_CHUNKED,          F_UPGRADE,
      F_CONTENT_LENGTH,        F_SKIPBODY,         F_TRAILING,           F_TRANSFER_ENCODING};
  static const int32_t after_headers[] = {
      0, 1, 1, 1, 2, 2, 2, HPE_PAUSED, HPE_PAUSED, -1, 3, HPE_USER, HPE_PAUSED_UPGRADE, 5};
  static const uint8_t joints[] = {CB_message_begin,
                                   CB_message_complete,
                                   CB_reset,
                                   CB_url,
                                   CB_chunk_header,
                                   CB_chunk_complete,
                                   CB_chunk_extension_name,
                                   CB_chunk_extension_value,
                                   CB_chunk_extension_name_complete,
                                   CB_chunk_extension_value_complete,
                                   CB_body};
  static const uint8_t acts[] = {ACT_pause,        ACT_pause,       ACT_resume,      ACT_lenient_on,     ACT_lenient_on,
                                 ACT_lenient_on,   ACT_lenient_off, ACT_lenient_off, ACT_upgrade,        ACT_reason,
                                 ACT_reset,        ACT_reset,       ACT_init,        ACT_settings,       ACT_settings,
                                 ACT_other_parser, ACT_or_flags,    ACT_and_flags,   ACT_content_length, ACT_finish};
  memset(a, 0, sizeof *a);
  uint32_t k = BELOW(20);
  if (k < 6) {
    a->when = WHEN_ANY;
    a->nth = (uint16_t)BELOW(BELOW(2) ? 12 : 48);
    a->ret = choose_result(r);
    return;
  }
  if (k < 10) {
    a->when = CB_headers_complete;
    a->nth = choose_nth(r, 2);
    a->ret = after_headers[BELOW(sizeof after_headers / sizeof after_headers[0])];
    return;
  }
  if (k < 13) {
    // Half of these where a message's parts meet, which few calls would be otherwise.
    a->when = BELOW(2) ? (uint8_t)BELOW(NCB) : joints[BELOW(sizeof joints)];
    a->nth = choose_nth(r, 4);
    a->ret = choose_result(r);
    return;
  }
  a->what = acts[BELOW(sizeof acts)];
  if (wild && BELOW(4) == 0) a->what = (uint8_t)(ACT_method + BELOW(4));
  k = BELOW(8);
  if (a->what == ACT_finish || k < 2) {
    a->when = WHEN_BETWEEN;
    a->nth = (uint16_t)BELOW(p->npieces < 6 ? p->npieces + 1 : 6);
  } else if (k < 4) {
    a->when = CB_message_complete;
    a->nth = choose_nth(r, 2);
  } else if (k < 5) {
    a->when = CB_headers_complete;
    a->nth = choose_nth(r, 2);
  } else if (k < 6) {
    a->when = BELOW(2) ? (uint8_t)BELOW(NCB) : joints[BELOW(sizeof joints)];
    a->nth = choose_nth(r, 4);
  } else {
    a->when = WHEN_ANY;
    a->nth = (uint16_t)BELOW(30);
  }
  if (BELOW(4) == 0) a->ret = choose_result(r);
  switch (a->what) {
    case ACT_lenient_on:
    case ACT_lenient_off: a->arg = BELOW(NLENIENT) + (BELOW(4) ? 0 : 64); break;
    case ACT_or_flags: a->arg = flags[BELOW(9)]; break;
    case ACT_and_flags: a->arg = 0xffffu & ~(unsigned)flags[BELOW(9)]; break;
    case ACT_content_length: a->arg = BELOW(4) ? BELOW(20) : rng_next(r) >> BELOW(64); break;
    default: a->arg = BELOW(256); break;
  }
  if (a->what == ACT_reason && BELOW(2)) a->ret = choose_result(r);
}

static void choose_pieces(struct rng* r, struct plan* p) {
  uint32_t len = p->len, k = BELOW(32), n = 0, left = len;
  int coarse = len > 500 && BELOW(4);  // or long inputs would take most of the time
  if (k < 11) {
    p->piece[n++] = len;
  } else if (k < 17) {
    p->piece[n++] = BELOW(len + 1);
    p->piece[n++] = len - p->piece[0];
  } else if (k < 25) {
    uint32_t average = 1 + BELOW(BELOW(2) && !coarse ? 12 : 80);
    while (left) {
      uint32_t size = 1 + BELOW(2 * average);
      if (size > left) size = left;
      p->piece[n++] = size;
      left -= size;
    }
  } else {
    uint32_t size = coarse ? 1 + BELOW(256) : k < 28 ? 1 : 1 + BELOW(k < 30 ? 8 : 64);
    while (left) {
      p->piece[n] = size < left ? size : left;
      left -= p->piece[n++];
    }
  }
  if (n == 0) p->piece[n++] = 0;
  for (uint32_t zeros = BELOW(10) ? 0 : 1 + BELOW(3); zeros; zeros--) {
    uint32_t at = BELOW(n + 1);
    memmove(p->piece + at + 1, p->piece + at, (n - at) * sizeof p->piece[0]);
    p->piece[at] = 0;
    n++;
  }
  p->npieces = n;
}

void plan_generate(struct plan* p, uint64_t seed, uint64_t number, const struct options* o) {
  struct rng rng = {.s = (seed ^ 0x2545f4914f6cdd1du) * 0x9e3779b97f4a7c15u + number * 0xbf58476d1ce4e5b9u}, *r = &rng;
  rng.s ^= rng_next(r);
  uint32_t k = BELOW(16);
  p->seed = seed;
  p->number = number;
  p->type = k < 5 ? HTTP_BOTH : k < 11 ? HTTP_REQUEST : HTTP_RESPONSE;
  p->lenient = choose_lenient(r);
  p->mask[0] = choose_mask(r);
  p->mask[1] = choose_mask(r);
  int response = p->type == HTTP_BOTH ? (int)BELOW(2) : p->type == HTTP_RESPONSE;
  if (BELOW(24) == 0) response = !response;
  p->len = generate_input(r, p->input, MAX_INPUT, response, p->lenient);
  choose_pieces(r, p);

  uint64_t bits = rng_next(r);
  p->place = bits & rng_next(r) & rng_next(r);
  p->moves = rng_next(r) & rng_next(r);
  bits = rng_next(r);
  p->resumes = bits & 15 ? 60 : (uint8_t)BELOW(4);
  p->upgrades = bits >> 4 & 3 ? 8 : 0;
  p->on_error = (uint8_t)(bits >> 6 & 3 ? ERR_STOP : BELOW(NERR));
  p->errors = p->on_error == ERR_STOP ? 0 : (uint8_t)(1 + BELOW(4));
  p->ending = bits >> 8 & 7 ? 0 : (uint8_t)BELOW(32);
  if (bits >> 11 & 1) p->ending |= END_FINISH;
  p->null_first = (bits >> 12 & 63) == 0;
  p->relocate = (bits >> 18 & 15) == 0;
  k = BELOW(16);
  p->nacts = (uint8_t)(k < 8 ? 0 : k < 12 ? 1 : k < 14 ? 2 : k < 15 ? 3 : 1 + BELOW(MAX_ACTS));
  for (unsigned i = 0; i < p->nacts; i++) {
    struct act* a = &p->acts[i];
    choose_act(r, p, a, o->wild);
    int midway = (a->what == ACT_reset || a->what == ACT_init) && a->when != CB_message_complete &&
                 a->when != WHEN_BETWEEN;
    if (o->without >> a->what & 1 || (midway && o->without >> NACTS & 1)) a->what = ACT_none;
  }
  plan_make_safe(p);
}

void plan_copy(struct plan* to, const struct plan* from) {
  memcpy(to, from, offsetof(struct plan, piece));
  memcpy(to->piece, from->piece, from->npieces * sizeof from->piece[0]);
  memcpy(to->input, from->input, from->len);
}

// ---- safety

// With lenient_header_value_relaxed and without lenient_headers, the reference never returns from a NUL in a header
// value.
static int relaxed_alone(const struct plan* p) {
  int relaxed = p->lenient & LENIENT_HEADER_VALUE_RELAXED, headers = p->lenient & LENIENT_HEADERS;
  for (unsigned i = 0; i < p->nacts; i++) {
    const struct act* a = &p->acts[i];
    if (a->what == ACT_lenient_on && a->arg % NLENIENT == 10) relaxed = 1;
    if ((a->what == ACT_lenient_off && a->arg % NLENIENT == 0) || a->what == ACT_init) headers = 0;
  }
  return relaxed && !headers;
}

int plan_is_safe(const struct plan* p) { return !relaxed_alone(p) || !memchr(p->input, 0, p->len); }

void plan_make_safe(struct plan* p) {
  if (!relaxed_alone(p)) return;
  for (uint8_t* at = p->input; (at = memchr(at, 0, (size_t)(p->input + p->len - at))); at++) *at = 1;
}

// ---- text form: one "key value" per line; print_bytes writes the input, on lines of its own

static const char* const error_names[NERR] = {"stop", "feed_on", "reset_rest", "reset_next", "init_rest"};

static const char* const lenient_names[NLENIENT] = {
#define X(name) #name,
    LENIENT(X)
#undef X
};

static const char* when_name(unsigned when) {
  return when < NCB ? cb_names[when] : when == WHEN_ANY ? "any" : "between";
}

static void print_mask(FILE* f, const char* key, uint32_t mask) {
  fprintf(f, "%s 0x%x", key, mask);
  if (mask == ALL_CBS) fputs(" # all", f);
  else if (mask == NODE_CBS) fputs(" # as Node sets", f);
  else {
    fputs(" #", f);
    for (int i = 0; i < NCB; i++)
      if (mask >> i & 1) fprintf(f, " %s", cb_names[i]);
  }
  fputc('\n', f);
}

void plan_print(const struct plan* p, FILE* f) {
  fprintf(f, "type %u # 0 both, 1 request, 2 response\nlenient 0x%x", p->type, p->lenient);
  if (p->lenient) fputs(" #", f);
  for (int i = 0; i < NLENIENT; i++)
    if (p->lenient >> i & 1) fprintf(f, " %s", lenient_names[i]);
  fputc('\n', f);
  print_mask(f, "callbacks", p->mask[0]);
  for (unsigned i = 0; i < p->nacts; i++)
    if (p->acts[i].what == ACT_settings || p->acts[i].what == ACT_init) {
      print_mask(f, "callbacks2", p->mask[1]);
      break;
    }
  fprintf(
      f,
      "place 0x%llx\nmoves 0x%llx\nresumes %u\nupgrades %u\nerrors %u\non_error %s\nending %u\nnull_first %u\nrelocate %u\n",
      (unsigned long long)p->place, (unsigned long long)p->moves, p->resumes, p->upgrades, p->errors,
      error_names[p->on_error], p->ending, p->null_first, p->relocate);
  for (unsigned i = 0; i < p->nacts; i++) {
    const struct act* a = &p->acts[i];
    fprintf(f, "act %s ", when_name(a->when));
    if (a->nth == NTH_EVERY) fputs("every", f);
    else fprintf(f, "%u", a->nth);
    fprintf(f, " %s %llu %d\n", act_names[a->what], (unsigned long long)a->arg, a->ret);
  }
  fputs("pieces", f);
  for (uint32_t i = 0; i < p->npieces; i++) fprintf(f, " %u", p->piece[i]);
  fputs("\ninput\n", f);
  for (uint32_t i = 0; i < p->len; i += 64) {
    fputs("  ", f);
    print_bytes(f, p->input + i, p->len - i < 64 ? p->len - i : 64, 64);
    fputc('\n', f);
  }
  fputs("end\n", f);
}

static int read_bytes(struct plan* p, const char* s) {
  for (s = strchr(s, '"') + 1; *s && *s != '"'; s++) {
    if (p->len == MAX_INPUT) return -1;
    uint8_t c = (uint8_t)*s;
    if (c == '\\') {
      c = (uint8_t)*++s;
      if (c == 'r') c = '\r';
      else if (c == 'n') c = '\n';
      else if (c == 't') c = '\t';
      else if (isdigit(c)) {
        c = (uint8_t)((s[0] - '0') * 64 + (s[1] - '0') * 8 + (s[2] - '0'));
        s += 2;
      }
    }
    p->input[p->len++] = c;
  }
  return *s == '"' ? 0 : -1;
}

static int find(const char* const* names, unsigned n, const char* name) {
  for (unsigned i = 0; i < n; i++)
    if (strcmp(names[i], name) == 0) return (int)i;
  return -1;
}

// A number, or names, or "all".
static int read_lenient(struct plan* p, char* s) {
  char* end;
  p->lenient = (uint16_t)strtoul(s, &end, 0);
  if (end != s) return 0;
  for (char* name = strtok(s, " \n"); name && *name != '#'; name = strtok(NULL, " \n")) {
    int bit = find(lenient_names, NLENIENT, name);
    if (bit < 0 && strcmp(name, "all")) return -1;
    p->lenient |= (uint16_t)(bit < 0 ? (1u << NLENIENT) - 1 : 1u << bit);
  }
  return 0;
}

static int read_act(struct plan* p, const char* s) {
  char when[64], nth[16], what[32];
  unsigned long long arg;
  int ret;
  if (p->nacts == MAX_ACTS || sscanf(s, "%63s %15s %31s %llu %d", when, nth, what, &arg, &ret) != 5) return -1;
  struct act* a = &p->acts[p->nacts++];
  int w = find(cb_names, NCB, when), x = find(act_names, NACTS, what);
  if (strcmp(when, "any") == 0) w = WHEN_ANY;
  if (strcmp(when, "between") == 0) w = WHEN_BETWEEN;
  if (w < 0 || x < 0) return -1;
  *a = (struct act){.when = (uint8_t)w,
                    .what = (uint8_t)x,
                    .ret = ret,
                    .arg = arg,
                    .nth = strcmp(nth, "every") ? (uint16_t)atoi(nth) : NTH_EVERY};
  return 0;
}

int plan_read(struct plan* p, FILE* f) {
  static char line[MAX_PIECES * 6 + 16];
  memset(p, 0, sizeof *p);
  p->mask[0] = p->mask[1] = ALL_CBS;
  p->resumes = 60;
  int any = 0;
  while (fgets(line, sizeof line, f)) {
    char *s = line + strspn(line, " "), key[32], *rest;
    int used = 0, bad = 0;
    if (*s == '"') {
      if (read_bytes(p, s)) goto bad_line;
      continue;
    }
    if (sscanf(s, "%31s%n", key, &used) != 1 || *key == '#') continue;
    any = 1;
    rest = s + used;
    unsigned long long v = strtoull(rest, NULL, 0);
    if (!strcmp(key, "type")) p->type = (uint8_t)(v % 3);
    else if (!strcmp(key, "lenient")) bad = read_lenient(p, rest);
    else if (!strcmp(key, "callbacks")) p->mask[0] = (uint32_t)v;
    else if (!strcmp(key, "callbacks2")) p->mask[1] = (uint32_t)v;
    else if (!strcmp(key, "place")) p->place = v;
    else if (!strcmp(key, "moves")) p->moves = v;
    else if (!strcmp(key, "resumes")) p->resumes = (uint8_t)v;
    else if (!strcmp(key, "upgrades")) p->upgrades = (uint8_t)v;
    else if (!strcmp(key, "errors")) p->errors = (uint8_t)v;
    else if (!strcmp(key, "ending")) p->ending = (uint8_t)v;
    else if (!strcmp(key, "null_first")) p->null_first = (uint8_t)v;
    else if (!strcmp(key, "relocate")) p->relocate = (uint8_t)v;
    else if (!strcmp(key, "on_error")) {
      sscanf(rest, "%31s", key);
      int e = find(error_names, NERR, key);
      if (e < 0) goto bad_line;
      p->on_error = (uint8_t)e;
    } else if (!strcmp(key, "act")) bad = read_act(p, rest);
    else if (!strcmp(key, "pieces")) {
      char* end;
      for (;; rest = end) {
        v = strtoull(rest, &end, 0);
        if (end == rest || p->npieces == MAX_PIECES) break;
        p->piece[p->npieces++] = (uint32_t)v;
      }
    } else if (!strcmp(key, "end")) break;
    else if (strcmp(key, "input")) goto bad_line;
    if (bad) goto bad_line;
  }
  uint64_t sum = 0;
  for (uint32_t i = 0; i < p->npieces; i++) sum += p->piece[i];
  if (p->npieces == 0) p->piece[p->npieces++] = p->len;
  else if (sum != p->len) {
    fprintf(stderr, "differential: the pieces add up to %llu bytes, the input has %u\n", (unsigned long long)sum,
            p->len);
    return -1;
  }
  return !any;
bad_line:
  fprintf(stderr, "differential: cannot read this line of the plan: %s\n", line);
  return -1;
}
