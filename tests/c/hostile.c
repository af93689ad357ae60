/* Any bytes, at any cut, with any lenient flags: llhttp_execute returns, reads only what it was given, calls back with
 * spans inside of it, a bounded number of times, and says the same in pieces as in whole.
 *
 * The inputs come from a fixed seed. LLHTTP_TEST_ROUNDS: how many (20000). A hang ends the program by SIGALRM. */
#include "check.h"
#include "floods.h"
#include "guard.h"
#include "recorder.h"

enum { MAX_LEN = 2048, WATCHDOG = 120 };

static uint64_t random_state = 0x2545f4914f6cdd1du;
static uint32_t rnd(uint32_t below) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)((random_state * 0x9e3779b97f4a7c15u) >> 33) % below;
}

/* ---- inputs ---- */

static const char* const seeds[] = {
    "GET /index.html HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\nConnection: keep-alive\r\n\r\n",
    "POST /a?b#c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;n=v;q=\"s\\\"t\";x\r\nhello\r\nA\r\n0123456789\r\n0\r\nT: v\r\n\r\n",
    "PUT http://user:pw@host:80/p HTTP/1.1\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\nhello, worldGET / HTTP/1.0\r\n\r\n",
    "CONNECT [::1]:443 HTTP/1.1\r\nHost: h\r\n\r\nbytes of another protocol",
    "GET /chat HTTP/1.1\r\nConnection: Upgrade, keep-alive\r\nUpgrade: websocket\r\n\r\n\x81\x05hello",
    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nServer: s\r\n\r\nabcHTTP/1.1 304 Not Modified\r\n\r\n",
    "HTTP/1.0 404 Not Found\r\nConnection: close\r\n\r\nup to the end",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\nx",
    "HTTP/1.1 200\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\nSOURCE /live ICE/1.0\r\n\r\n",
    "M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\n\r\n",
    "\r\n\r\nGET /old\r\n\r\n",
    "GET / HTTP/1.1\nA: b\n c\n\td\nE:\nF: \t \n\n",
    "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n2 \nab1\nc0\n\n\n",
    "GET / HTTP/1.1\r\nContent-Length: 18446744073709551615\r\nProxy-Connection: close\r\n\r\nz",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nffffffffffffffff\r\n",
};

/* clang-format off: a list */
static const char* const tokens[] = {
    "\r\n",
    "\r",
    "\n",
    " ",
    "\t",
    ":",
    ": ",
    "\r\n\r\n",
    "0\r\n\r\n",
    "HTTP/1.1",
    "HTTP/0.9",
    "GET ",
    "Content-Length: 2\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: x\r\n",
    "Connection: close\r\n",
    "Connection: upgrade\r\nUpgrade: u\r\n",
    ";a=\"b\"",
    ";",
    "=",
    "\"",
    "\\",
    "\x7f",
    "\x80",
    "\xff",
    "\x01",
    "?",
    "#",
    "@",
    "/",
    "1",
    "ffffffff",
    ", chunked",
    "\r\n ",
};
/* clang-format on */

static size_t make(char* out) {
  static const char few[] = "\r\n\r\n  :;=\"012afGHT/PE.,-";
  size_t len = 0, n, i, kind = rnd(10);
  if (kind == 0) {
    len = rnd(200);
    for (i = 0; i < len; i++) out[i] = (char)rnd(256);
    return len;
  }
  if (kind == 1) {
    len = rnd(200);
    for (i = 0; i < len; i++) out[i] = few[rnd(sizeof few - 1)];
    return len;
  }
  for (n = 1 + rnd(3); n > 0; n--) {
    const char* seed = seeds[rnd(sizeof seeds / sizeof *seeds)];
    size_t size = strlen(seed), from = rnd(4) ? 0 : rnd((uint32_t)size),
           part = rnd(4) ? size - from : rnd((uint32_t)(size - from) + 1);
    if (len + part > MAX_LEN - 600) break;
    memcpy(out + len, seed + from, part);
    len += part;
  }
  for (n = rnd(6); n > 0 && len > 0; n--) {
    size_t at = rnd((uint32_t)len), size;
    const char* token;
    switch (rnd(7)) {
      case 0: out[at] = (char)rnd(256); break;
      case 1: out[at] ^= (char)(1 << rnd(8)); break;
      case 2: /* remove */
        size = rnd(8) + 1;
        if (size > len - at) size = len - at;
        memmove(out + at, out + at + size, len - at - size);
        len -= size;
        break;
      case 3: /* repeat */
        size = rnd(60) + 1;
        if (size > len - at) size = len - at;
        if (len + size > MAX_LEN) break;
        memmove(out + at + size, out + at, len - at);
        len += size;
        break;
      case 4: /* a run of one byte */
        size = rnd(80);
        if (len + size > MAX_LEN) break;
        memmove(out + at + size, out + at, len - at);
        memset(out + at, out[at], size);
        len += size;
        break;
      default:
        token = tokens[rnd(sizeof tokens / sizeof *tokens)];
        size = strlen(token);
        if (len + size > MAX_LEN) break;
        memmove(out + at + size, out + at, len - at);
        memcpy(out + at, token, size);
        len += size;
    }
  }
  return len;
}

static unsigned make_flags(void) {
  switch (rnd(4)) {
    case 0: return 0;
    case 1: return 1u << rnd(11);
    case 2: return rnd(0x800);
    default: return 0x7ff & ~(1u << rnd(11));
  }
}

/* ---- whole and in pieces ---- */

static struct guard guards[2];

/* Two callbacks a byte, a few at the end, and an empty piece per call of llhttp_execute: no input needs more. */
static int bounded(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  (void)kind, (void)at, (void)len;
  return r->count > 4 * MAX_LEN ? -1 : 0;
}

struct outcome {
  int err;
  size_t pos; /* SIZE_MAX: none */
  size_t cut; /* where the last piece began */
};

static struct outcome execute(struct rec* r, const char* input, size_t len, size_t pieces) {
  struct outcome o = {HPE_OK, SIZE_MAX, 0};
  size_t off = 0;
  do {
    size_t n = pieces > 0 ? rnd(rnd(3) ? 9 : 90) : len, count;
    const struct guard* g = &guards[rnd(2)];
    char* data;
    const char* pos;
    if (n > len - off) n = len - off;
    data = rnd(2) ? guard_at_end(g, input + off, n) : guard_at_start(g, input + off, n);
    o.cut = off;
    o.err = rec_execute(r, data, n, off);
    CHECK_INT((int)llhttp_get_errno(&r->parser), o.err);
    if (o.err == HPE_OK) {
      off += n;
      memset(data, 0x33, n);
      continue;
    }
    pos = llhttp_get_error_pos(&r->parser);
    if (CHECK(pos != NULL && pos >= data && pos <= data + n)) o.pos = off + (size_t)(pos - data);
    CHECK(llhttp_get_error_reason(&r->parser) != NULL);
    count = r->count;
    CHECK_INT((int)rec_execute(r, data, n, off), o.err);
    CHECK_INT(r->count, count);
    break;
  } while (off < len);
  CHECK_INT(r->strays, 0);
  return o;
}

static void dump(const char* input, size_t len, int type, unsigned flags) {
  struct rec_buf b = {NULL, 0, 0};
  rec_bytes(&b, input, len);
  fprintf(stderr, "  type %d, lenient flags 0x%x, input %s\n", type, flags, b.s ? b.s : "");
  free(b.s);
}

static char about[80];

static void any_bytes(unsigned long rounds) {
  unsigned long round;
  static char input[MAX_LEN + 1];
  for (round = 0; round < rounds; round++) {
    size_t len = make(input), i, n, way;
    unsigned flags = make_flags(), before = (unsigned)check_failed;
    int type = (int)rnd(3), finish;
    const char* reason;
    struct rec whole;
    struct outcome want;
    snprintf(about, sizeof about, "round %lu", round);
    check_about = about;
    alarm(WATCHDOG);
    /* llhttp never returns from this combination. */
    if (check_reference() && (flags & LENIENT_HEADER_VALUE_RELAXED))
      for (i = 0; i < len; i++)
        if (input[i] == '\0') input[i] = '0';
    rec_init(&whole, (llhttp_type_t)type);
    whole.parser.lenient_flags = (uint16_t)flags;
    whole.hook = bounded;
    want = execute(&whole, input, len, 0);
    CHECK(whole.count <= 4 * len + 8);
    n = rec_merge(whole.events, whole.count);
    reason = llhttp_get_error_reason(&whole.parser);
    finish = (int)llhttp_finish(&whole.parser);
    for (way = 0; way < 2; way++) {
      struct outcome got;
      struct rec r;
      size_t m;
      rec_init(&r, (llhttp_type_t)type);
      r.parser.lenient_flags = (uint16_t)flags;
      r.hook = bounded;
      if (rnd(2)) CHECK_INT((int)rec_execute(&r, NULL, 0, 0), HPE_OK);
      got = execute(&r, input, len, 1);
      m = rec_merge(r.events, r.count);
      /* A span in which the error strikes is delivered up to the last cut. */
      if (want.err != HPE_OK && m == n + 1 && rec_is_span(r.events[n].kind) && r.events[n].len > 0 &&
          r.events[n].off + r.events[n].len == got.cut && got.cut <= want.pos)
        m--;
      CHECK_INT(got.err, want.err);
      CHECK_INT(got.pos, want.pos);
      CHECK_STR(llhttp_get_error_reason(&r.parser), reason);
      CHECK_INT(m, n);
      for (i = 0; i < n && i < m; i++) {
        if (!CHECK(rec_same(&r.events[i], &whole.events[i]))) {
          fprintf(stderr, "  event %zu, %s\n", i, rec_names[whole.events[i].kind]);
          break;
        }
      }
      CHECK_INT(r.parser.finish, whole.parser.finish);
      CHECK_INT(r.parser.content_length, whole.parser.content_length);
      CHECK_INT(r.parser.flags, whole.parser.flags);
      CHECK_INT((int)llhttp_finish(&r.parser), finish);
      rec_free(&r);
    }
    rec_free(&whole);
    if (check_failed != before && before < 20) dump(input, len, type, flags);
  }
}

/* llhttp spins for ever on this; here it is the error that it is without the flag. */
static void nul_in_relaxed_value(void) {
  static const char input[] = "GET / HTTP/1.1\r\nA: b\0c\r\n\r\n";
  size_t size;
  if (check_reference()) return;
  for (size = 1; size <= sizeof input - 1; size++) {
    struct rec r;
    size_t off;
    int err = HPE_OK;
    check_about = "NUL in a header value, relaxed";
    alarm(WATCHDOG);
    rec_init(&r, HTTP_REQUEST);
    llhttp_set_lenient_header_value_relaxed(&r.parser, 1);
    for (off = 0; off < sizeof input - 1 && err == HPE_OK; off += size)
      err = rec_execute(&r, input + off, sizeof input - 1 - off < size ? sizeof input - 1 - off : size, off);
    CHECK_INT(err, HPE_INVALID_HEADER_TOKEN);
    CHECK_STR(llhttp_get_error_reason(&r.parser), "Invalid header value char");
    CHECK_INT(llhttp_get_error_pos(&r.parser) - input, 20);
    rec_free(&r);
  }
}

/* ---- megabytes of one thing ---- */

static struct {
  unsigned long long bytes[REC_KINDS], calls[REC_KINDS];
} seen;

#define COUNT(name)                                                \
  static int count_##name(llhttp_t *p, const char *at, size_t n) { \
    (void)p, (void)at;                                             \
    seen.bytes[REC_##name] += n;                                   \
    seen.calls[REC_##name]++;                                      \
    return 0;                                                      \
  }
REC_SPANS(COUNT)
#undef COUNT
#define COUNT(name)                     \
  static int count_##name(llhttp_t *p) { \
    (void)p;                            \
    seen.calls[REC_##name]++;           \
    return 0;                           \
  }
REC_NOTIFIES(COUNT)
#undef COUNT
#define SET(name) .name = count_##name,
static const llhttp_settings_t counting = {REC_SPANS(SET) REC_NOTIFIES(SET)};
#undef SET

static int feed(llhttp_t* p, const char* data, size_t len) { return (int)llhttp_execute(p, data, len); }

static void megabytes(size_t amount) {
  size_t i, turn;
  struct guard g = guard_new(65536);
  for (i = 0; i < FLOODS; i++) {
    unsigned long long one[2] = {0, 0};
    size_t unit = strlen(floods[i].unit), units;
    /* The units in pieces that end at an inaccessible page; the size of a piece is no multiple of a unit. */
    for (turn = 0; turn < 2; turn++) {
      size_t size = turn == 0 ? unit * 2 : 65536, left, phase = 0, n, k;
      llhttp_t p;
      int err;
      units = turn == 0 ? 2 : amount / unit + 2;
      check_about = floods[i].name;
      alarm(WATCHDOG);
      memset(&seen, 0, sizeof seen);
      llhttp_init(&p, floods[i].type, &counting);
      p.lenient_flags = (uint16_t)floods[i].lenient;
      err = feed(&p, floods[i].before, strlen(floods[i].before));
      for (left = units * unit; left > 0 && err == HPE_OK; left -= n) {
        n = left < size - turn ? left : size - turn;
        for (k = 0; k < n; k++) g.end[-(ptrdiff_t)n + (ptrdiff_t)k] = floods[i].unit[(phase + k) % unit];
        phase = (phase + n) % unit;
        err = feed(&p, g.end - n, n);
      }
      if (err == HPE_OK) err = feed(&p, floods[i].after, strlen(floods[i].after));
      if (turn == 1 || floods[i].err == HPE_OK) CHECK_INT(err, floods[i].err);
      one[turn] = rec_is_span(floods[i].kind) ? seen.bytes[floods[i].kind] : seen.calls[floods[i].kind];
    }
    /* Twice two units against many of them: what one unit adds. */
    CHECK_INT(one[1] - one[0], floods[i].each * (units - 2));
  }
  guard_free(&g);
}

int main(void) {
  const char* want = getenv("LLHTTP_TEST_ROUNDS");
  unsigned long rounds = want != NULL ? strtoul(want, NULL, 10) : 20000;
  guards[0] = guard_new(MAX_LEN);
  guards[1] = guard_new(MAX_LEN);
  any_bytes(rounds);
  nul_in_relaxed_value();
  megabytes(rounds < 20000 ? 200000 : 4000000);
  check_about = "";
  return check_done();
}
