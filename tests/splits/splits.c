/* Limits on generated and mutated input: a parser with limits must come to what limits_expect.h works out from one without,
 * at the same byte, with the same reason and the same public fields, wherever the input is cut and whatever pauses.
 *
 *   splits [--seed S] [--count N] [--start I]
 *
 * An input, its limits and its cuts are a function of the seed and its number; a failure says which that was. Inputs are those of
 * the differential test (tests/diff), whose generator is linked in. */
#include <getopt.h>

#include "../c/check.h"
#include "../c/limits_expect.h"
#include "../diff/generate.h"

enum { CAP = 700, RUNS = 6 };

static uint64_t seed = 1;
static char about[120];

static uint16_t choose_lenient(struct rng *r) {
  switch (rng_below(r, 4)) {
    case 0: return (uint16_t)(1u << rng_below(r, NLENIENT));
    case 1: return (uint16_t)(rng_next(r) & ((1u << NLENIENT) - 1));
    default: return 0;
  }
}

/* One limit, or some, mostly such as are reached. */
static void choose_limits(struct rng *r, struct limits *l, size_t len) {
  int i;
  const int alone = rng_below(r, 2) ? (int)rng_below(r, LIMITS) : -1;
  memset(l, 0, sizeof *l);
  for (i = 0; i < LIMITS; i++) {
    const uint32_t most = i == LIMIT_fields ? 6 : i == LIMIT_header_bytes ? (uint32_t)len : 40;
    if (alone >= 0 ? i == alone : rng_below(r, 2)) l->most[i] = 1 + rng_below(r, 1 + most);
  }
}

static int hook(struct rec *r, enum rec_kind kind, const char *at, size_t len) {
  const unsigned *pauses = r->hook_data;
  (void)at;
  if (rec_is_span(kind) && len == 0) return 0;
  return *pauses != 0 && (r->count * 7 + (size_t)kind) % *pauses == 0 ? HPE_PAUSED : 0;
}

static size_t next_cut(struct rng *r, size_t at, size_t len, uint32_t average) {
  const size_t n = average == 0 ? len : average == 1 ? 1 : 1 + rng_below(r, 2 * average);
  return len - at < n ? len : at + n;
}

static void limited(struct rng *r, const struct calm *c, const struct limits *l, uint32_t average, unsigned pauses,
                    uint64_t fields[REC_FIELDS]) {
  const struct outcome want = calm_outcome(c, l);
  uint64_t now[REC_FIELDS];
  struct rec rec;
  llhttp_ext_t ext;
  llhttp_errno_t err = HPE_OK;
  size_t at = 0;
  rec_init(&rec, c->type);
  rec_lenient(&rec, c->lenient);
  rec.hook = hook;
  rec.hook_data = &pauses;
  llhttp_ext_init(&ext);
  ext.rules = c->rules;
  limits_to(&ext, l);
  llhttp_ext_attach(&rec.parser, &ext);
  while (at < c->len && err == HPE_OK) {
    const size_t end = next_cut(r, at, c->len, average);
    while ((err = rec_execute(&rec, c->input + at, end - at, at)) == HPE_PAUSED) {
      at = (size_t)(llhttp_get_error_pos(&rec.parser) - c->input);
      llhttp_resume(&rec.parser);
    }
    if (err == HPE_OK) at = end;
  }
  if (err != HPE_OK) at = (size_t)(llhttp_get_error_pos(&rec.parser) - c->input);
  CHECK_INT((int)err, (int)want.err);
  CHECK_INT(at, want.at);
  if (err != HPE_OK) CHECK_STR(llhttp_get_error_reason(&rec.parser), want.reason);
  CHECK(calm_prefix(c, &rec, want.at));
  rec_fields(&rec.parser, now);
  if (fields[0] == UINT64_MAX) memcpy(fields, now, sizeof now);
  CHECK(memcmp(fields, now, sizeof now) == 0);
  rec_free(&rec);
}

static void run(uint64_t number) {
  static const uint32_t averages[RUNS] = {0, 1, 2, 5, 30, 30};
  struct rng r = {seed * UINT64_C(0x9e3779b97f4a7c15) + number};
  static char input[CAP];
  struct calm c;
  struct limits l;
  uint64_t fields[REC_FIELDS];
  int i, response;
  memset(&c, 0, sizeof c);
  snprintf(about, sizeof about, "--seed %llu --start %llu --count 1", (unsigned long long)seed, (unsigned long long)number);
  check_about = about;
  rng_next(&r);
  response = (int)rng_below(&r, 2);
  c.lenient = choose_lenient(&r);
  c.input = input;
  c.len = generate_input(&r, (uint8_t *)input, CAP, response, c.lenient);
  c.type = rng_below(&r, 8) == 0 ? HTTP_BOTH : response ? HTTP_RESPONSE : HTTP_REQUEST;
  calm_run(&c);
  choose_limits(&r, &l, c.len);
  fields[0] = UINT64_MAX;
  for (i = 0; i < RUNS; i++) limited(&r, &c, &l, averages[i], i == RUNS - 1 ? 1 + rng_below(&r, 3) : 0, fields);
  rec_free(&c.rec);
}

int main(int argc, char **argv) {
  static const struct option names[] = {{"seed", 1, NULL, 's'}, {"count", 1, NULL, 'c'}, {"start", 1, NULL, 'i'}, {NULL, 0, NULL, 0}};
  uint64_t start = 0, count = 200000, number;
  int option;
  while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
    switch (option) {
      case 's': seed = strtoull(optarg, NULL, 0); break;
      case 'c': count = strtoull(optarg, NULL, 0); break;
      case 'i': start = strtoull(optarg, NULL, 0); break;
      default: fputs("usage: splits [--seed S] [--count N] [--start I]\n", stderr); return 2;
    }
  }
  for (number = start; number < start + count; number++) run(number);
  return check_done();
}
