/* Limits and rules on generated and mutated input: case.h says what must hold.
 *
 *   splits [--seed S] [--count N] [--start I] [--show]
 *   splits --write FOLDER [--seed S] [--count N]    the cases as bytes, for a fuzzer to begin with
 *   splits [--show] --bytes FILE...                 cases that a fuzzer has found
 *   splits --tell [--seed S] [--count N]            what the cases come to, for limits_c_test.go of the package for Go
 *                                                   programs, which says in which form
 *
 * With --plant a difference is planted, which must be found.
 *
 * A case is a function of the seed and its number; a failure says which that was. Inputs are those of the differential
 * test (tests/diff), whose generator is linked in, and messages of what rules are about. */
#include <getopt.h>

#include "../diff/generate.h"
#include "case.h"

static uint64_t seed = 1;
static int show; /* what each run says */
static const char* folder;
static char about[300];

static uint16_t choose_lenient(struct rng* r) {
  switch (rng_below(r, 4)) {
    case 0: return (uint16_t)(1u << rng_below(r, NLENIENT));
    case 1: return (uint16_t)(rng_next(r) & ((1u << NLENIENT) - 1));
    default: return 0;
  }
}

/* One limit, or some, mostly such as are reached. */
static void choose_limits(struct rng* r, struct limits* l, size_t len) {
  int i;
  const int alone = rng_below(r, 2) ? (int)rng_below(r, LIMITS) : -1;
  memset(l, 0, sizeof *l);
  for (i = 0; i < LIMITS; i++) {
    const uint32_t most = i == LIMIT_fields ? 6 : i == LIMIT_header_bytes ? (uint32_t)len : 40;
    if (alone >= 0 ? i == alone : rng_below(r, 2)) l->most[i] = 1 + rng_below(r, 1 + most);
  }
}

/* No rule in half of the cases; else one, all strict ones, or some. */
static uint32_t choose_rules(struct rng* r) {
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
static const char* const request_lines[] = {"GET / HTTP/1.1\r\n",
                                            "POST /\xc3\xbc?\xe2\x82\xac#\xf0\x9f\x98\x80 HTTP/1.1\r\n",
                                            "BREW /pot HTTP/1.1\r\n",
                                            "GETX * HTTP/1.0\r\n",
                                            "HEAD / HTTP/1.0\r\n",
                                            "HEADS / HTTP/1.1\r\n",
                                            "CONNECT a.b:443 HTTP/1.1\r\n",
                                            "CONNECT [::1]:80 HTTP/1.0\r\n",
                                            "CONNECT a HTTP/1.1\r\n",
                                            "GET /a\r\n",
                                            "PUT / HTTP/0.9\r\n",
                                            "DESCRIBE / HTTP/1.1\r\n",
                                            "PRI * HTTP/2.0\r\n"};
static const char* const status_lines[] = {"HTTP/1.1 200 OK\r\n", "HTTP/1.0 404 Not Found\r\n", "HTTP/1.1 204 \r\n",
                                           "HTTP/0.9 200 x\r\n", "HTTP/1.1 101 S\r\n"};
static const char* const field_lines[] = {"Host: a\r\n",
                                          "host:\r\n",
                                          "Hosts: b\r\n",
                                          "Content-Length: 3\r\n",
                                          "Content-Length: 3, 3 ,3\r\n",
                                          "Content-Length: 03\r\n",
                                          "Content-Length: 12\r\n",
                                          "Content-Length: 12,\t012\r\n",
                                          "Transfer-Encoding: chunked\r\n",
                                          "Transfer-Encoding: chunked\t, ,\r\n",
                                          "Transfer-Encoding: gzip\r\n",
                                          "Transfer-Encoding: ,, chunked\r\n",
                                          "Connection: close, keep-alive\r\n",
                                          "Connection: keep-alive\r\n",
                                          "Connection: upgrade\r\n",
                                          "Upgrade: x\r\n",
                                          "X Y: z\r\n",
                                          "X: a\x01 b\r\n",
                                          ": x\r\n",
                                          "no colon\r\n",
                                          "(x): Content-Length: 1\r\n",
                                          "X\x0b"
                                          "Content-Length: 1\r\n",
                                          "Content-Length : 3\r\n",
                                          "Ho(st: x\r\n",
                                          "X: a\x0bHost: y\r\n",
                                          "\xff: y\r\n",
                                          "Connection: \x01\r\n"};
static const char* const bodies[] = {
    "", "abc", "hello world!", "3;a=b;;c\r\nabc\r\n0\r\n", "2;=x\r\nab\r\n0;y\r\n", "0\r\n", "1\r\na\r\n0;a=\"b\"\r\n"};

#define ONE_OF(list) list[rng_below(r, sizeof list / sizeof *list)]

static size_t put_text(char* out, size_t at, const char* text) {
  const size_t n = strlen(text);
  if (n > CASE_INPUT - at) return at;
  memcpy(out + at, text, n);
  return at + n;
}

static size_t compose(struct rng* r, char* out, int response) {
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

static void make(struct split_case* s, uint64_t number) {
  struct rng r = {seed * UINT64_C(0x9e3779b97f4a7c15) + number};
  int response;
  memset(s, 0, sizeof *s);
  rng_next(&r);
  response = (int)rng_below(&r, 2);
  s->lenient = choose_lenient(&r);
  s->len = rng_below(&r, 2) ? compose(&r, s->input, response)
                            : generate_input(&r, (uint8_t*)s->input, CASE_INPUT, response, s->lenient);
  s->type = rng_below(&r, 8) == 0 ? HTTP_BOTH : response ? HTTP_RESPONSE : HTTP_REQUEST;
  s->rules = choose_rules(&r);
  s->changes = rng_below(&r, 3) ? 0 : (uint32_t)rng_next(&r);
  if (rng_below(&r, 4)) choose_limits(&r, &s->limits, s->len);
  s->pauses = 1 + rng_below(&r, 3);
  s->cuts = (uint32_t)rng_next(&r);
}

static int write_case(const struct split_case* s, uint64_t number) {
  uint8_t bytes[CASE_BYTES];
  const size_t n = case_to_bytes(s, bytes);
  FILE* f;
  snprintf(about, sizeof about, "%s/%llu", folder, (unsigned long long)number);
  f = fopen(about, "wb");
  return f == NULL || fwrite(bytes, 1, n, f) != n || fclose(f) != 0;
}

static int read_case(struct split_case* s, const char* path) {
  uint8_t bytes[CASE_BYTES];
  FILE* f = fopen(path, "rb");
  size_t n;
  if (f == NULL) return 1;
  n = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  case_from_bytes(s, bytes, n);
  return 0;
}

/* What a case comes to in one piece, if no callback changes anything. */
static void tell(const struct split_case* s) {
  struct rec r;
  llhttp_ext_t ext;
  llhttp_errno_t err;
  size_t i;
  rec_init(&r, s->type);
  rec_lenient(&r, s->lenient);
  rec_ext(&ext, s->rules);
  limits_to(&ext, &s->limits);
  llhttp_ext_attach(&r.parser, &ext);
  err = rec_execute(&r, s->input, s->len, 0);
  printf("%d %d %u ", (int)s->type, s->lenient, (unsigned)s->rules);
  for (i = 0; i < LIMITS; i++) printf("%s%d", i == 0 ? "" : ",", (int)s->limits.most[i]);
  printf(" x");
  for (i = 0; i < s->len; i++) printf("%02x", (unsigned char)s->input[i]);
  printf(" %d %d %d %d", (int)err, (int)(err == HPE_OK ? s->len : (size_t)(llhttp_get_error_pos(&r.parser) - s->input)),
         llhttp_ext_error_status(&r.parser), r.parser.type);
  for (i = 0; i < r.count; i++) {
    const struct rec_event* e = &r.events[i];
    printf(" %s", rec_names[e->kind] + 3);
    if (rec_is_span(e->kind)) printf("=%d+%d", (int)e->off, (int)e->len);
    if (e->kind == REC_on_chunk_header) printf("=%" PRIu64, e->fields[REC_F_LENGTH]);
    if (e->kind == REC_on_headers_complete || e->kind == REC_on_message_complete)
      printf("=%d/%d.%d/%d/%" PRIu64 "/%d/%d",
             (int)e->fields[e->fields[REC_F_TYPE] == HTTP_RESPONSE ? REC_F_STATUS : REC_F_METHOD],
             (int)e->fields[REC_F_MAJOR], (int)e->fields[REC_F_MINOR], (int)e->fields[REC_F_FLAGS],
             e->fields[REC_F_LENGTH], (int)e->fields[REC_F_UPGRADE], (int)e->fields[REC_F_KEEP_ALIVE]);
  }
  printf("\n%s\n", err == HPE_OK ? "" : llhttp_get_error_reason(&r.parser));
  rec_free(&r);
}

int main(int argc, char** argv) {
  static const struct option names[] = {{"seed", 1, NULL, 's'},       {"count", 1, NULL, 'c'}, {"start", 1, NULL, 'i'},
                                        {"show", 0, NULL, 'v'},       {"write", 1, NULL, 'w'}, {"bytes", 0, NULL, 'b'},
                                        {"plant", 0, &case_plant, 1}, {"tell", 0, NULL, 't'},  {NULL, 0, NULL, 0}};
  static struct split_case s;
  uint64_t start = 0, count = 200000, number;
  int option, bytes = 0, telling = 0;
  while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
    switch (option) {
      case 's': seed = strtoull(optarg, NULL, 0); break;
      case 'c': count = strtoull(optarg, NULL, 0); break;
      case 'i': start = strtoull(optarg, NULL, 0); break;
      case 'v': show = 1; break;
      case 'w': folder = optarg; break;
      case 'b': bytes = 1; break;
      case 't': telling = 1; break;
      case 0: break;
      default:
        fputs(
            "usage: splits [--seed S] [--count N] [--start I] [--show] [--plant]\n"
            "       splits --write FOLDER [--seed S] [--count N]\n"
            "       splits [--show] [--plant] --bytes FILE...\n"
            "       splits --tell [--seed S] [--count N]\n",
            stderr);
        return 2;
    }
  }
  check_about = about;
  for (; bytes && optind < argc; optind++) {
    snprintf(about, sizeof about, "%s", argv[optind]);
    if (read_case(&s, argv[optind])) {
      perror(about);
      return 2;
    }
    case_check(&s, show);
  }
  for (number = start; !bytes && number < start + count; number++) {
    make(&s, number);
    if (folder != NULL) {
      if (write_case(&s, number)) {
        perror(about);
        return 2;
      }
      continue;
    }
    if (telling) {
      tell(&s);
      continue;
    }
    snprintf(about, sizeof about, "--seed %llu --start %llu --count 1", (unsigned long long)seed,
             (unsigned long long)number);
    case_check(&s, show);
  }
  return folder != NULL || telling ? 0 : check_done();
}
