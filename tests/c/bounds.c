/* What the library may touch: of the buffer the bytes it was given, of the rest the parser and nothing around it.
 * Everything that it is given lies against an inaccessible page: buffers on either side, the parser on either side,
 * the settings in read-only memory. At every level: each message as a whole, each of its beginnings, and cut in two
 * and in pieces of each size.
 *
 * A parse is reduced to a number that does not depend on the cuts; the levels must agree in it. */
#include "check.h"
#include "guard.h"
#include "llhttp.h"
#include "recorder.h"
#include "llhttp_ext.h"

#include <stdint.h>

static const struct {
  llhttp_type_t type;
  unsigned lenient;
  const char* input;
} messages[] = {
    {HTTP_REQUEST, 0,
     "GET /a/path/to/something?with=a&query=string HTTP/1.1\r\nHost: www.example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux "
     "x86_64; rv:138.0) Gecko/20100101 Firefox/138.0\r\nEmpty:\r\nTabs:\t\tx\ty\t\r\nX:y\r\nHigh: \x80\xff\r\n"
     "A-Name-That-Is-Longer-Than-Sixty-Four-Bytes-Which-No-Kernel-Takes-As-A-Whole: v\r\nConnection: keep-alive\r\n\r\n"},
    {HTTP_REQUEST, 0,
     "POST http://u@example.org:8080/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5;name=value;other=\"quoted \\\" text "
     "that is longer than a block\"\r\nhello\r\nA\r\n0123456789\r\n0\r\nTrailer: one\r\nOther: two\r\n\r\n"
     "PUT /2 HTTP/1.1\r\nContent-Length: 70\r\n\r\n0123456789012345678901234567890123456789012345678901234567890123456789"},
    {HTTP_RESPONSE, 0,
     "HTTP/1.1 200 A Reason Phrase That Is Longer Than Thirty-Two Bytes\r\nSet-Cookie: session=0123456789abcdef0123456789abcdef; "
     "Path=/\r\nContent-Length: 4\r\n\r\nbodyHTTP/1.0 404 Not Found\r\nServer: s\r\n\r\nup to the end"},
    {HTTP_BOTH, 0,
     "CONNECT [::1]:443 HTTP/1.1\r\nHost: h\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nbytes of another protocol"},
    {HTTP_REQUEST, 0x7ff,
     "\n\nGET / HTTP/1.1\nA: b\n c\n\td\nContent-Length: 3\nTransfer-Encoding: chunked\n\n2 \nab1\nc0\n\n\nmore"},
};
enum { MESSAGES = sizeof messages / sizeof *messages };

/* ---- a parse as a number ---- */

/* The parser lies alone: what the callbacks know is beside it. */
static struct {
  uint64_t h;
  const char *piece, *piece_end;
  int strays;
} seen;

static void mix(uint64_t n) {
  seen.h = (seen.h ^ n) * 0x9e3779b97f4a7c15u;
  seen.h ^= seen.h >> 29;
}

static int on_bytes(const char* at, size_t len, int kind) {
  size_t i;
  if (at < seen.piece || at + len > seen.piece_end) seen.strays++;
  for (i = 0; i < len; i++) mix((uint64_t)kind << 8 | (unsigned char)at[i]);
  return 0;
}

static int on_event(const llhttp_t* p, int kind) {
  mix((uint64_t)kind << 8);
  mix(p->method | (uint64_t)p->status_code << 8 | (uint64_t)p->flags << 24 | (uint64_t)p->upgrade << 40);
  mix(p->content_length);
  return 0;
}

#define DEFINE(name) \
  static int name(llhttp_t *p, const char *at, size_t len) { (void)p; return on_bytes(at, len, REC_##name + 1); }
REC_SPANS(DEFINE)
#undef DEFINE
#define DEFINE(name) \
  static int name(llhttp_t *p) { return on_event(p, REC_##name + 1); }
REC_NOTIFIES(DEFINE)
#undef DEFINE

static const llhttp_settings_t* settings; /* in read-only memory, at its end */

static const llhttp_settings_t* make_settings(void) {
#define MEMBER(name) .name = name,
  static const llhttp_settings_t all = {REC_SPANS(MEMBER) REC_NOTIFIES(MEMBER)};
#undef MEMBER
  struct guard g = guard_new(sizeof all);
  char* at = guard_at_end(&g, (const char*)&all, sizeof all);
  if (mprotect(g.start, (size_t)(g.end - g.start), PROT_READ) != 0) exit(2);
  return (const llhttp_settings_t*)(const void*)at;
}

/* ---- the places ---- */

static struct guard parser_place, buffers;
static llhttp_t* parser;
static int buffer_at_end;
static size_t around; /* bytes of the parser's pages, of which none may change */

/* At one of the two ends of its pages, the rest of which is filled. */
static void place_parser(int at_end) {
  memset(parser_place.start, 0xa5, (size_t)(parser_place.end - parser_place.start));
  parser = (llhttp_t*)(void*)(at_end ? parser_place.end - sizeof *parser : parser_place.start);
  around = (size_t)(parser_place.end - parser_place.start) - sizeof *parser;
}

static int untouched(void) {
  const char* at = (char*)parser == parser_place.start ? (char*)(parser + 1) : parser_place.start;
  size_t i;
  for (i = 0; i < around; i++)
    if (at[i] != (char)0xa5) return 0;
  return 1;
}

static llhttp_errno_t feed(const char* data, size_t len) {
  llhttp_errno_t err;
  char* at = buffer_at_end ? guard_at_end(&buffers, data, len) : guard_at_start(&buffers, data, len);
  seen.piece = at;
  seen.piece_end = at + len;
  err = llhttp_execute(parser, at, len);
  memset(at, 0x33, len);
  return err;
}

static void begin(size_t m) {
  llhttp_init(parser, messages[m].type, settings);
  parser->lenient_flags = (uint16_t)messages[m].lenient;
  seen.h = 0xcbf29ce484222325u;
}

static uint64_t end(llhttp_errno_t err) {
  mix((uint64_t)err);
  mix((uint64_t)llhttp_finish(parser));
  return seen.h;
}

/* The first `len` bytes of a message in pieces: one up to `first`, then of `size`. */
static uint64_t parse(size_t m, size_t len, size_t first, size_t size) {
  const char* input = messages[m].input;
  llhttp_errno_t err;
  size_t off, n;
  begin(m);
  err = feed(input, first < len ? first : len);
  for (off = first; off < len && err == HPE_OK; off += n) {
    n = len - off < size ? len - off : size;
    err = feed(input + off, n);
  }
  return end(err);
}

static void every_cut(size_t m, const uint64_t* beginnings) {
  const size_t len = strlen(messages[m].input);
  size_t n;
  for (n = 0; n <= len; n++) {
    CHECK(parse(m, n, n, SIZE_MAX) == beginnings[n]);
    CHECK(parse(m, len, n, SIZE_MAX) == beginnings[len]);
    if (n > 0) CHECK(parse(m, len, n, n) == beginnings[len]);
  }
}

int main(void) {
  const unsigned levels = llhttp_ext_simd_available();
  uint64_t* beginnings[MESSAGES];
  size_t m, n, longest = 0;
  int level, place, first = 0;
  for (m = 0; m < MESSAGES; m++) longest = strlen(messages[m].input) > longest ? strlen(messages[m].input) : longest;
  settings = make_settings();
  buffers = guard_new(longest);
  parser_place = guard_new(sizeof(llhttp_t));
  while (!(levels >> first & 1)) first++;
  CHECK_INT(llhttp_ext_simd_set(first), 0);
  place_parser(0);
  for (m = 0; m < MESSAGES; m++) {
    const size_t len = strlen(messages[m].input);
    beginnings[m] = malloc((len + 1) * sizeof **beginnings);
    if (beginnings[m] == NULL) return 2;
    for (n = 0; n <= len; n++) beginnings[m][n] = parse(m, n, n, SIZE_MAX);
  }
  for (level = 0; level < 4; level++) {
    if (!(levels >> level & 1)) continue;
    check_about = llhttp_ext_simd_name(level);
    CHECK_INT(llhttp_ext_simd_set(level), 0);
    for (place = 0; place < 4; place++) {
      buffer_at_end = place & 1;
      place_parser(place >> 1);
      for (m = 0; m < MESSAGES; m++) every_cut(m, beginnings[m]);
      CHECK(untouched());
    }
  }
  check_about = "";
  CHECK_INT(seen.strays, 0);
  for (m = 0; m < MESSAGES; m++) free(beginnings[m]);
  guard_free(&parser_place);
  guard_free(&buffers);
  return check_done();
}
