// Logs: numbering of reason texts, comparison, and printing for people. Two logs are equal if their bytes are; a
// difference is the first event that is not the same. Positions are offsets into the arena and mean the same bytes in
// both logs, so no span's content is kept: printing finds it in the plan's input.
#define _GNU_SOURCE
#include <stdlib.h>

#include "diff.h"

void log_init(struct log* l) {
  l->n = 0;
  l->ev = aligned_alloc(64, MAX_EVENTS * sizeof *l->ev);
  if (!l->ev) {
    fputs("differential: out of memory\n", stderr);
    exit(SETUP_FAILED);
  }
}

// ---- reason texts: by address, then by content, since the two libraries have each their own copy

#define MAX_TEXTS 512
static char* texts[MAX_TEXTS];
static uint16_t n_texts = 1;
static struct {
  const char* at;
  uint16_t number;
} by_address[1024];

uint16_t reason_number(const char* reason) {
  unsigned slot = (unsigned)(((uintptr_t)reason * 0x9e3779b97f4a7c15u) >> 54);
  if (by_address[slot].at == reason && by_address[slot].number) return by_address[slot].number;
  uint16_t i = 1;
  while (i < n_texts && strcmp(texts[i], reason)) i++;
  if (i == MAX_TEXTS) return MAX_TEXTS;
  if (i == n_texts) texts[n_texts++] = strdup(reason);
  by_address[slot].at = reason;
  by_address[slot].number = i;
  return i;
}

const char* reason_text(uint16_t number) {
  return number == 0 ? "(null)" : number < n_texts ? texts[number] : "(one of too many)";
}

// ---- comparison

int64_t log_compare(const struct log* a, const struct log* b) {
  uint32_t n = a->n < b->n ? a->n : b->n;
  if (a->n == b->n && memcmp(a->ev, b->ev, n * sizeof *a->ev) == 0) return -1;
  for (uint32_t i = 0; i < n; i++)
    if (memcmp(&a->ev[i], &b->ev[i], sizeof *a->ev)) return i;
  return n;
}

static const char* kind_name(unsigned kind) {
  static const char* const names[] = {"feed",    "execute", "execute again", "finish",
                                      "between", "resume",  "getters",       "THE INPUT WAS WRITTEN TO",
                                      "log full"};
  return kind < NCB ? cb_names[kind] : kind < NEV ? names[kind - NCB] : "?";
}

// One bit per part of an event that differs.
static uint32_t parts(const struct event* a, const struct event* b) {
  uint32_t d = 0;
  if (a->kind != b->kind) d |= 1;
  if (a->other != b->other) d |= 2;
  if (a->keep_alive != b->keep_alive) d |= 4;
  if (a->needs_eof != b->needs_eof) d |= 8;
  if (a->data_kept != b->data_kept) d |= 16;
  if (a->settings != b->settings) d |= 32;
  if (a->reason != b->reason) d |= 64;
  if (a->rc != b->rc) d |= 128;
  if (a->error != b->error) d |= 256;
  if (a->at != b->at) d |= 512;
  if (a->len != b->len) d |= 1024;
  if (a->error_pos != b->error_pos) d |= 2048;
  if (a->offset != b->offset) d |= 4096;
  for (unsigned i = 0; i < PUBLIC_WORDS; i++)
    if (a->field[i] != b->field[i]) d |= 8192u << i;
  return d;
}

uint32_t log_signature(const struct log* a, const struct log* b, int64_t at) {
  if (at < 0) return 0;
  if ((uint32_t)at >= a->n || (uint32_t)at >= b->n) return 1;
  const struct event *x = &a->ev[at], *y = &b->ev[at];
  uint32_t h = x->kind == y->kind ? parts(x, y) : 1;
  h = h * 31 + x->kind;
  h = h * 31 + y->kind;
  h = h * 31 + (uint32_t)x->error;
  h = h * 31 + (uint32_t)y->error;
  h = h * 31 + x->reason;
  h = h * 31 + y->reason;
  return h * 2 + 3;
}

// ---- printing

void print_bytes(FILE* f, const uint8_t* s, size_t n, size_t limit) {
  fputc('"', f);
  for (size_t i = 0; i < n && i < limit; i++) {
    uint8_t c = s[i];
    switch (c) {
      case '\r': fputs("\\r", f); break;
      case '\n': fputs("\\n", f); break;
      case '\t': fputs("\\t", f); break;
      case '"': fputs("\\\"", f); break;
      case '\\': fputs("\\\\", f); break;
      case '?': fputs(i && s[i - 1] == '?' ? "\\?" : "?", f); break;  // no trigraphs
      default:
        if (c < 0x20 || c >= 0x7f) fprintf(f, "\\%03o", c);  // three octal digits end by themselves
        else fputc(c, f);
    }
  }
  fputc('"', f);
  if (n > limit) fprintf(f, "... (%zu bytes)", n);
}

static void print_position(FILE* f, uint32_t pos, const struct event* feed) {
  if (pos == POS_NULL) fputs("null", f);
  else if (pos == POS_ELSEWHERE) fputs("elsewhere", f);
  else if (pos >= POS_OTHER_PARSER) fprintf(f, "other+%u", pos - POS_OTHER_PARSER);
  else if (feed && pos >= feed->at && pos <= feed->at + feed->len) fprintf(f, "%u", pos - feed->at + feed->offset);
  else fprintf(f, "old(%u)", pos);
}

static void print_event(FILE* f, const struct plan* p, const struct log* l, uint32_t i, int long_form) {
  const struct event *e = &l->ev[i], *feed = NULL;
  llhttp_t s;
  memset(&s, 0, sizeof s);
  memcpy((char*)&s + PUBLIC_FROM, e->field, sizeof e->field);
  for (uint32_t k = i + 1; k-- > 0;)
    if (l->ev[k].kind == EV_FEED) {
      feed = &l->ev[k];
      break;
    }
  fprintf(f, "%5u %s%s", i,
          e->other == 1 ? "  (other parser) "
          : e->other    ? "(unknown parser) "
                        : "",
          kind_name(e->kind));
  if (e->kind < NSPANS) {
    fputs(" at ", f);
    print_position(f, e->at, feed);
    fprintf(f, " length %u", e->len);
    if (feed && e->at >= feed->at && (uint64_t)e->at + e->len <= (uint64_t)feed->at + feed->len) {
      fputc(' ', f);
      print_bytes(f, p->input + feed->offset + (e->at - feed->at), e->len, 48);
    }
  } else if (e->kind == EV_FEED) {
    fprintf(f, " %u bytes from %u at arena+%u ", e->len, e->offset, e->at);
    print_bytes(f, p->input + e->offset, e->len, 64);
  } else if (e->kind == EV_GETTERS) {
    fprintf(f, " reason hash %08x, others %08x", e->at, e->offset);
  }
  if (e->rc || (e->kind >= EV_EXECUTE && e->kind <= EV_FINISH)) fprintf(f, " -> %d", e->rc);
  if (e->error || long_form) {
    fprintf(f, " | error %d \"%s\" at ", e->error, reason_text(e->reason));
    print_position(f, e->error_pos, feed);
  }
  if (long_form)
    fprintf(f,
            "\n      type %u method %u version %u.%u status %u flags 0x%x lenient 0x%x upgrade %u finish %u"
            " completed %u content_length %llu keep_alive %u needs_eof %u data %u settings %u",
            s.type, s.method, s.http_major, s.http_minor, s.status_code, s.flags, s.lenient_flags, s.upgrade, s.finish,
            s.initial_message_completed, (unsigned long long)s.content_length, e->keep_alive, e->needs_eof,
            e->data_kept, e->settings);
  fputc('\n', f);
}

void log_print(FILE* f, const struct plan* p, const struct log* l, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to && i < l->n; i++) print_event(f, p, l, i, 0);
}

static void print_parts(FILE* f, const struct event* a, const struct event* b) {
  llhttp_t s, t;
  memcpy((char*)&s + PUBLIC_FROM, a->field, sizeof a->field);
  memcpy((char*)&t + PUBLIC_FROM, b->field, sizeof b->field);
#define PART(name, x, y) if ((x) != (y)) fprintf(f, "  %s: reference %lld, tested %lld\n", name, (long long)(x), (long long)(y))
  if (a->kind != b->kind) fprintf(f, "  event: reference %s, tested %s\n", kind_name(a->kind), kind_name(b->kind));
  PART("start (arena)", a->at, b->at);
  PART("length", a->len, b->len);
  PART("returned", a->rc, b->rc);
  PART("error", a->error, b->error);
  if (a->reason != b->reason)
    fprintf(f, "  reason: reference \"%s\", tested \"%s\"\n", reason_text(a->reason), reason_text(b->reason));
  PART("error_pos (arena)", a->error_pos, b->error_pos);
#define FIELD(name) PART(#name, s.name, t.name)
  FIELD(type);
  FIELD(method);
  FIELD(http_major);
  FIELD(http_minor);
  FIELD(status_code);
  FIELD(flags);
  FIELD(lenient_flags);
  FIELD(upgrade);
  FIELD(finish);
  FIELD(initial_message_completed);
  FIELD(content_length);
  PART("llhttp_should_keep_alive", a->keep_alive, b->keep_alive);
  PART("llhttp_message_needs_eof", a->needs_eof, b->needs_eof);
  PART("data pointer", a->data_kept, b->data_kept);
  PART("settings pointer", a->settings, b->settings);
  PART("offset", a->offset, b->offset);
#undef FIELD
#undef PART
}

void log_print_difference(FILE* f, const struct plan* p, const struct log* a, const struct log* b, int64_t at) {
  if (at < 0) {
    fputs("no difference\n", f);
    log_print(f, p, a, 0, a->n);
    return;
  }
  uint32_t i = (uint32_t)at, from = i > 12 ? i - 12 : 0;
  fprintf(f, "the same in both (reference: %u events, tested: %u)\n", a->n, b->n);
  log_print(f, p, a, from, i);
  fprintf(f, "then differs:\n");
  if (i < a->n && i < b->n) print_parts(f, &a->ev[i], &b->ev[i]);
  const struct log* both[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    fprintf(f, "%s\n", k ? "tested" : "reference");
    if (i < both[k]->n) print_event(f, p, both[k], i, 1);
    else fputs("      (nothing more)\n", f);
    log_print(f, p, both[k], i + 1, i + 4);
  }
}
