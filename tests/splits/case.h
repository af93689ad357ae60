/* A case of limits and rules, and what must hold of it. A parser must come to what limits_expect.h works out from one
 * with the same rules and no limits that gets the input byte by byte, with the portable kernels: at the same byte, with
 * the same reason and the same public fields, wherever the input is cut, at every level, whatever pauses, and whatever
 * callbacks change. And rules must do what they are for and nothing else: those that only refuse change nothing up to
 * the byte that they refuse, those that only allow change nothing in what is allowed without them.
 *
 * Checks count as in check.h. A case is also bytes, for a fuzzer: any bytes are a case. */
#ifndef TESTS_SPLITS_CASE_H_
#define TESTS_SPLITS_CASE_H_

#include "../c/check.h"
#include "../c/limits_expect.h"
#include "../diff/diff.h"

enum { CASE_INPUT = 700, CASE_HEAD = 24, CASE_BYTES = CASE_HEAD + CASE_INPUT, CASE_LIMIT = 255 };

struct split_case {
  llhttp_type_t type;
  uint16_t lenient;
  uint32_t rules, changes; /* changes: see change_of */
  struct limits limits;
  unsigned pauses;         /* in one of the runs every so many callbacks pause; 0 for none */
  uint32_t cuts;           /* a seed */
  size_t len;
  char input[CASE_INPUT];
};

/* Set to plant a difference, to see that it is found: small pieces move a limit of a field line. */
static int case_plant;

struct hooked {
  struct changing changing; /* first: what change_now finds */
  unsigned pauses;
};

static inline int case_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  struct hooked* h = r->hook_data;
  (void)at;
  if (!rec_is_span(kind)) change_now(&h->changing, r, kind);
  if (rec_is_span(kind) && len == 0) return 0;
  return h->pauses != 0 && (r->count * 7 + (size_t)kind) % h->pauses == 0 ? HPE_PAUSED : 0;
}

static inline size_t next_cut(struct rng* r, size_t at, size_t len, uint32_t average) {
  const size_t n = average == 0 ? len : average == 1 ? 1 : 1 + rng_below(r, 2 * average);
  return len - at < n ? len : at + n;
}

/* The limited parser, on pieces of some average length; 0 for one piece. */
static inline void case_limited(const struct calm* c, const struct limits* l, struct rng* cuts, uint32_t average,
                                unsigned pauses, uint64_t fields[REC_FIELDS], int show) {
  const struct outcome want = calm_outcome(c, l);
  uint64_t now[REC_FIELDS];
  struct rec rec;
  llhttp_ext_t ext;
  struct limits now_set = *l;
  struct hooked hooked = {{c->changes, 0, &ext, &now_set}, pauses};
  llhttp_errno_t err = HPE_OK;
  size_t at = 0;
  rec_init(&rec, c->type);
  rec_lenient(&rec, c->lenient);
  rec.hook = case_hook;
  rec.hook_data = &hooked;
  rec_ext(&ext, c->rules);
  limits_to(&ext, l);
  llhttp_ext_attach(&rec.parser, &ext);
  while (at < c->len && err == HPE_OK) {
    const size_t end = next_cut(cuts, at, c->len, average);
    while ((err = rec_execute(&rec, c->input + at, end - at, at)) == HPE_PAUSED) {
      at = (size_t)(llhttp_get_error_pos(&rec.parser) - c->input);
      llhttp_resume(&rec.parser);
    }
    if (err == HPE_OK) at = end;
  }
  if (err != HPE_OK) at = (size_t)(llhttp_get_error_pos(&rec.parser) - c->input);
  rec.count = rec_merge(rec.events, rec.count);
  if (show) {
    char* log = rec_log(rec.events, rec.count, c->input);
    printf("pieces of about %u, %s at %zu:\n  %s\n", average, llhttp_errno_name(err), at, log);
    free(log);
  }
  if (case_plant && average == 2 && err == HPE_USER && want.err == HPE_USER &&
      strcmp(want.reason, limit_reasons[LIMIT_field_line_length]) == 0)
    at++;
  CHECK_INT((int)err, (int)want.err);
  CHECK_INT(at, want.at);
  if (err != HPE_OK) CHECK_STR(llhttp_get_error_reason(&rec.parser), want.reason);
  CHECK(calm_prefix(c, &rec, want.at));
  rec_fields(&rec.parser, now);
  if (fields[0] == UINT64_MAX) memcpy(fields, now, sizeof now);
  CHECK(memcmp(fields, now, sizeof now) == 0);
  rec_free(&rec);
}

/* Rules that refuse, and do nothing else; rules that allow, and do nothing else (where any method is taken, one is
 * known to be complete a byte later). */
static const uint32_t case_refusing = LLHTTP_EXT_STRICT_VERSION | LLHTTP_EXT_STRICT_UPGRADE_TRANSFER_ENCODING |
                                      LLHTTP_EXT_STRICT_CHUNK_EXTENSIONS | LLHTTP_EXT_STRICT_CONNECT |
                                      LLHTTP_EXT_STRICT_HOST | LLHTTP_EXT_STRICT_CONTENT_LENGTH;
static const uint32_t case_allowing = LLHTTP_EXT_TOLERATE_REPEATED_CONTENT_LENGTH | LLHTTP_EXT_TOLERATE_UTF8_TARGET |
                                      LLHTTP_EXT_TOLERATE_BAD_FIELD_LINES;

static inline int is_error(llhttp_errno_t err) {
  return err != HPE_OK && err != HPE_PAUSED_UPGRADE && err != HPE_PAUSED_H2_UPGRADE;
}

/* Of two parses of one input, that what the first has said is what the second has said up to there. */
static inline void check_same_until_end(const struct calm* first, const struct calm* second) {
  size_t i;
  CHECK(first->rec.count <= second->rec.count);
  for (i = 0; i < first->rec.count && i < second->rec.count; i++) {
    const struct rec_event *a = &first->rec.events[i], *b = &second->rec.events[i];
    const int cut = i == first->rec.count - 1 && is_error(first->err) && rec_is_span(a->kind) && a->kind == b->kind &&
                    a->off == b->off && a->len <= b->len;
    if (!CHECK(cut || (rec_same(a, b) && a->off == b->off))) break;
  }
}

static inline void case_effects(const struct calm* plain) {
  struct calm refused = *plain, allowed = *plain;
  if (plain->rules != 0 || plain->changes != 0) return;
  refused.rules = case_refusing;
  calm_run(&refused);
  if (!is_error(plain->err) && refused.err == plain->err) CHECK_INT(refused.rec.count, plain->rec.count);
  if (is_error(plain->err)) CHECK(is_error(refused.err) && refused.end <= plain->end);
  check_same_until_end(&refused, plain);
  rec_free(&refused.rec);
  allowed.rules = case_allowing;
  calm_run(&allowed);
  if (!is_error(plain->err)) {
    CHECK_INT((int)allowed.err, (int)plain->err);
    CHECK_INT(allowed.rec.count, plain->rec.count);
  }
  CHECK(allowed.end >= plain->end);
  check_same_until_end(plain, &allowed);
  rec_free(&allowed.rec);
}

/* Everything of a case. */
static inline void case_check(const struct split_case* s, int show) {
  static const uint32_t averages[] = {0, 1, 2, 5, 30, 30};
  enum { RUNS = sizeof averages / sizeof *averages };
  const int before = llhttp_ext_simd_get();
  struct rng cuts = {s->cuts};
  uint64_t fields[REC_FIELDS];
  struct calm c;
  int i, level;
  memset(&c, 0, sizeof c);
  c.input = s->input;
  c.len = s->len;
  c.type = s->type;
  c.lenient = s->lenient;
  c.rules = s->rules;
  c.changes = s->changes;
  llhttp_ext_simd_set(LLHTTP_EXT_SIMD_GENERIC);
  calm_run(&c);
  case_effects(&c);
  if (show) {
    struct rec_buf b = {NULL, 0, 0};
    char* log = rec_log(c.rec.events, c.rec.count, c.input);
    rec_bytes(&b, c.input, c.len);
    printf("type %d, lenient %#x, rules %#x, changes %u, input:\n  %s\n", (int)c.type, c.lenient, c.rules, c.changes,
           b.s);
    printf("byte by byte, without limits, %s at %zu:\n  %s\n", llhttp_errno_name(c.err), c.end, log);
    free(b.s);
    free(log);
  }
  fields[0] = UINT64_MAX;
  /* Each run at the next level that there is. */
  for (i = 0, level = (int)(s->cuts % 8); i < RUNS; i++) {
    do level = (level + 1) % 8;
    while (llhttp_ext_simd_set(level) != 0);
    case_limited(&c, &s->limits, &cuts, averages[i], i == RUNS - 1 ? s->pauses : 0, fields, show);
  }
  llhttp_ext_simd_set(before);
  rec_free(&c.rec);
}

/* ---- bytes: type, lenient 2, rules 4, changes 4, a byte for each limit (half of max_header_bytes), pauses, cuts 4,
 * then the input */

static inline uint64_t case_get(const uint8_t* from, int n) {
  uint64_t v = 0;
  while (n-- > 0) v = v << 8 | from[n];
  return v;
}

static inline void case_put(uint8_t* to, int n, uint64_t v) {
  int i;
  for (i = 0; i < n; i++) to[i] = (uint8_t)(v >> 8 * i);
}

static inline void case_from_bytes(struct split_case* s, const uint8_t* data, size_t size) {
  uint8_t head[CASE_HEAD] = {0};
  const size_t n = size < CASE_HEAD ? size : CASE_HEAD;
  int i;
  memset(s, 0, offsetof(struct split_case, input));
  memcpy(head, data, n);
  s->type = (llhttp_type_t)(head[0] % 3);
  s->lenient = (uint16_t)(case_get(head + 1, 2) & ((1u << NLENIENT) - 1));
  s->rules = (uint32_t)case_get(head + 3, 4);
  s->changes = (uint32_t)case_get(head + 7, 4);
  for (i = 0; i < LIMITS; i++) s->limits.most[i] = (i == LIMIT_header_bytes ? 2u : 1u) * head[11 + i];
  s->pauses = head[18] % 4;
  s->cuts = (uint32_t)case_get(head + 19, 4);
  s->len = size - n < CASE_INPUT ? size - n : CASE_INPUT;
  memcpy(s->input, data + n, s->len);
}

static inline size_t case_to_bytes(const struct split_case* s, uint8_t out[CASE_BYTES]) {
  int i;
  memset(out, 0, CASE_HEAD);
  out[0] = (uint8_t)s->type;
  case_put(out + 1, 2, s->lenient);
  case_put(out + 3, 4, s->rules);
  case_put(out + 7, 4, s->changes);
  for (i = 0; i < LIMITS; i++) {
    const uint64_t most = s->limits.most[i] / (i == LIMIT_header_bytes ? 2 : 1);
    out[11 + i] = (uint8_t)(most < CASE_LIMIT ? most : CASE_LIMIT);
  }
  out[18] = (uint8_t)s->pauses;
  case_put(out + 19, 4, s->cuts);
  memcpy(out + CASE_HEAD, s->input, s->len);
  return CASE_HEAD + s->len;
}
typedef char case_head_fits[LIMITS == 7 && CASE_HEAD >= 23 ? 1 : -1];

#endif
