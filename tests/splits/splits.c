/* Limits and rules on generated and mutated input: a parser must come to what limits_expect.h works out from one with
 * the same rules and no limits that gets the input byte by byte: at the same byte, with the same reason and the same
 * public fields, wherever the input is cut, whatever pauses, and whatever callbacks change. And rules must do what they
 * are for and nothing else: those that only refuse change nothing up to the byte that they refuse, those that only
 * allow change nothing in what is allowed without them.
 *
 *   splits [--seed S] [--count N] [--start I] [--show]
 *
 * An input, its limits and its cuts are a function of the seed and its number; a failure says which that was. Inputs
 * are those of the differential test (tests/diff), whose generator is linked in. */
#include <getopt.h>

#include "../c/check.h"
#include "../c/limits_expect.h"
#include "../diff/generate.h"

enum { CAP = 700, RUNS = 6 };

static uint64_t seed = 1;
static int show; /* what each run says */
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

/* No rule in half of the cases; else one, all strict ones, or some. */
static uint32_t choose_rules(struct rng *r) {
  static const uint32_t rules[] = {
#define RULE(value, name, word) value,
      LLHTTP_EXT_RULE_MAP(RULE)
#undef RULE
  };
  enum { RULES = sizeof rules / sizeof *rules };
  uint32_t some = (uint32_t)rng_next(r), all = 0;
  int i;
  for (i = 0; i < RULES; i++) all |= rules[i];
  switch (rng_below(r, 8)) {
    case 0: return rules[some % RULES];
    case 1: return LLHTTP_EXT_STRICT_ALL;
    case 2: return all;
    case 3: return some & all;
    default: return 0;
  }
}

/* Messages of what rules are about, which the generator rarely comes to. */
static const char *const request_lines[] = {
    "GET / HTTP/1.1\r\n", "POST /\xc3\xbc?\xe2\x82\xac#\xf0\x9f\x98\x80 HTTP/1.1\r\n", "BREW /pot HTTP/1.1\r\n", "GETX * HTTP/1.0\r\n",
    "HEAD / HTTP/1.0\r\n", "HEADS / HTTP/1.1\r\n", "CONNECT a.b:443 HTTP/1.1\r\n", "CONNECT [::1]:80 HTTP/1.0\r\n", "CONNECT a HTTP/1.1\r\n",
    "GET /a\r\n", "PUT / HTTP/0.9\r\n", "DESCRIBE / HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n"};
static const char *const status_lines[] = {
    "HTTP/1.1 200 OK\r\n", "HTTP/1.0  404   Not Found\r\n", "HTTP/1.1 204 \r\n", "HTTP/0.9 200 x\r\n", "HTTP/1.1   101  S\r\n"};
static const char *const field_lines[] = {
    "Host: a\r\n", "host:\r\n", "Hosts: b\r\n", "Content-Length: 3\r\n", "Content-Length: 3, 3 ,3\r\n", "Content-Length: 03\r\n",
    "Content-Length: 12\r\n", "Content-Length: 12,\t012\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\t, ,\r\n",
    "Transfer-Encoding: gzip\r\n", "Transfer-Encoding: ,, chunked\r\n", "Connection: close, keep-alive\r\n", "Connection: keep-alive\r\n",
    "Connection: upgrade\r\n", "Upgrade: x\r\n", "X Y: z\r\n", "X: a\x01 b\r\n", ": x\r\n", "no colon\r\n", "(x): Content-Length: 1\r\n",
    "X\x0b" "Content-Length: 1\r\n", "Content-Length : 3\r\n", "Ho(st: x\r\n", "X: a\x0bHost: y\r\n", "\xff: y\r\n", "Connection: \x01\r\n"};
static const char *const bodies[] = {
    "", "abc", "hello world!", "3;a=b;;c\r\nabc\r\n0\r\n", "2;=x\r\nab\r\n0;y\r\n", "0\r\n", "1\r\na\r\n0;a=\"b\"\r\n"};

#define ONE_OF(list) list[rng_below(r, sizeof list / sizeof *list)]

static size_t put_text(char *out, size_t at, const char *text) {
  const size_t n = strlen(text);
  if (n > CAP - at) return at;
  memcpy(out + at, text, n);
  return at + n;
}

static size_t compose(struct rng *r, char *out, int response) {
  static const char odd[] = "\0\t\n\r :,;=\"\x7f\x80\xc3\xbc/?#@()x0Hh9\x0b";
  size_t at = 0;
  uint32_t messages = 1 + rng_below(r, 3), changes = rng_below(r, 2) ? 0 : 1 + rng_below(r, 3), n;
  for (; messages != 0; messages--) {
    at = put_text(out, at, response ? ONE_OF(status_lines) : ONE_OF(request_lines));
    for (n = rng_below(r, 5); n != 0; n--) at = put_text(out, at, ONE_OF(field_lines));
    at = put_text(out, at, "\r\n");
    at = put_text(out, at, ONE_OF(bodies));
    for (n = rng_below(r, 3); n != 0; n--) at = put_text(out, at, ONE_OF(field_lines));
    at = put_text(out, at, "\r\n");
  }
  for (; changes != 0 && at != 0; changes--) out[rng_below(r, (uint32_t)at)] = odd[rng_below(r, sizeof odd)];
  return at;
}

struct hooked {
  struct changing changing; /* first: what change_now finds */
  unsigned pauses;
};

static int hook(struct rec *r, enum rec_kind kind, const char *at, size_t len) {
  struct hooked *h = r->hook_data;
  (void)at;
  if (!rec_is_span(kind)) change_now(&h->changing, r, kind);
  if (rec_is_span(kind) && len == 0) return 0;
  return h->pauses != 0 && (r->count * 7 + (size_t)kind) % h->pauses == 0 ? HPE_PAUSED : 0;
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
  struct limits now_set = *l;
  struct hooked hooked = {{c->changes, 0, &ext, &now_set}, pauses};
  llhttp_errno_t err = HPE_OK;
  size_t at = 0;
  rec_init(&rec, c->type);
  rec_lenient(&rec, c->lenient);
  rec.hook = hook;
  rec.hook_data = &hooked;
  rec_ext(&ext, c->rules);
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
  rec.count = rec_merge(rec.events, rec.count);
  if (show) {
    char *log = rec_log(rec.events, rec.count, c->input);
    printf("pieces of about %u, %s at %zu:\n  %s\n", average, llhttp_errno_name(err), at, log);
    free(log);
  }
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
static const uint32_t refusing = LLHTTP_EXT_STRICT_VERSION | LLHTTP_EXT_STRICT_UPGRADE_TRANSFER_ENCODING |
                                 LLHTTP_EXT_STRICT_CHUNK_EXTENSIONS | LLHTTP_EXT_STRICT_CONNECT | LLHTTP_EXT_STRICT_HOST |
                                 LLHTTP_EXT_STRICT_CONTENT_LENGTH;
static const uint32_t allowing = LLHTTP_EXT_TOLERATE_REPEATED_CONTENT_LENGTH | LLHTTP_EXT_TOLERATE_UTF8_TARGET |
                                 LLHTTP_EXT_TOLERATE_BAD_FIELD_LINES;

static int is_error(llhttp_errno_t err) {
  return err != HPE_OK && err != HPE_PAUSED_UPGRADE && err != HPE_PAUSED_H2_UPGRADE;
}

/* Of two parses of one input, that what the first has said is what the second has said up to there. */
static void check_same_until_end(const struct calm *first, const struct calm *second) {
  size_t i;
  CHECK(first->rec.count <= second->rec.count);
  for (i = 0; i < first->rec.count && i < second->rec.count; i++) {
    const struct rec_event *a = &first->rec.events[i], *b = &second->rec.events[i];
    const int cut = i == first->rec.count - 1 && is_error(first->err) && rec_is_span(a->kind) && a->kind == b->kind &&
                    a->off == b->off && a->len <= b->len;
    if (!CHECK(cut || (rec_same(a, b) && a->off == b->off))) break;
  }
}

static void effects(const struct calm *plain) {
  struct calm refused = *plain, allowed = *plain;
  if (plain->rules != 0 || plain->changes != 0) return;
  refused.rules = refusing;
  calm_run(&refused);
  if (!is_error(plain->err) && refused.err == plain->err) CHECK_INT(refused.rec.count, plain->rec.count);
  if (is_error(plain->err)) CHECK(is_error(refused.err) && refused.end <= plain->end);
  check_same_until_end(&refused, plain);
  rec_free(&refused.rec);
  allowed.rules = allowing;
  calm_run(&allowed);
  if (!is_error(plain->err)) {
    CHECK_INT((int)allowed.err, (int)plain->err);
    CHECK_INT(allowed.rec.count, plain->rec.count);
  }
  CHECK(allowed.end >= plain->end);
  check_same_until_end(plain, &allowed);
  rec_free(&allowed.rec);
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
  snprintf(about, sizeof about, "--seed %llu --start %llu --count 1", (unsigned long long)seed,
           (unsigned long long)number);
  check_about = about;
  rng_next(&r);
  response = (int)rng_below(&r, 2);
  c.lenient = choose_lenient(&r);
  c.input = input;
  c.len = rng_below(&r, 2) ? compose(&r, input, response)
                           : generate_input(&r, (uint8_t *)input, CAP, response, c.lenient);
  c.type = rng_below(&r, 8) == 0 ? HTTP_BOTH : response ? HTTP_RESPONSE : HTTP_REQUEST;
  c.rules = choose_rules(&r);
  c.changes = rng_below(&r, 3) ? 0 : (uint32_t)rng_next(&r);
  calm_run(&c);
  effects(&c);
  if (show) {
    struct rec_buf b = {NULL, 0, 0};
    char *log = rec_log(c.rec.events, c.rec.count, c.input);
    rec_bytes(&b, c.input, c.len);
    printf("type %d, lenient %#x, rules %#x, changes %u, input:\n  %s\n", (int)c.type, c.lenient, c.rules, c.changes,
           b.s);
    printf("byte by byte, without limits, %s at %zu:\n  %s\n", llhttp_errno_name(c.err), c.end, log);
    free(b.s);
    free(log);
  }
  choose_limits(&r, &l, c.len);
  if (rng_below(&r, 4) == 0) memset(&l, 0, sizeof l);
  fields[0] = UINT64_MAX;
  for (i = 0; i < RUNS; i++) limited(&r, &c, &l, averages[i], i == RUNS - 1 ? 1 + rng_below(&r, 3) : 0, fields);
  rec_free(&c.rec);
}

int main(int argc, char **argv) {
  static const struct option names[] = {{"seed", 1, NULL, 's'}, {"count", 1, NULL, 'c'}, {"start", 1, NULL, 'i'},
                                        {"show", 0, NULL, 'v'}, {NULL, 0, NULL, 0}};
  uint64_t start = 0, count = 200000, number;
  int option;
  while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
    switch (option) {
      case 's': seed = strtoull(optarg, NULL, 0); break;
      case 'c': count = strtoull(optarg, NULL, 0); break;
      case 'i': start = strtoull(optarg, NULL, 0); break;
      case 'v': show = 1; break;
      default: fputs("usage: splits [--seed S] [--count N] [--start I] [--show]\n", stderr); return 2;
    }
  }
  for (number = start; number < start + count; number++) run(number);
  return check_done();
}
