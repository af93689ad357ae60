/* The named inputs. They are made here, byte for byte the same everywhere, so that nothing can turn a CR LF into
 * something else on its way. What a name means is said beside its maker. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* ---- a growing text ---- */

struct text {
  char* data;
  size_t size;
  size_t room;
};

static void put(struct text* text, const char* data, size_t size) {
  if (text->size + size + 1 > text->room) {
    text->room = 2 * (text->size + size + 1);
    text->data = realloc(text->data, text->room);
    if (text->data == NULL) abort();
  }
  memcpy(text->data + text->size, data, size);
  text->size += size;
}

__attribute__((format(printf, 2, 3))) static void line(struct text* text, const char* format, ...) {
  char buffer[16384];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(buffer, sizeof(buffer), format, arguments);
  va_end(arguments);
  if (size < 0 || (size_t)size >= sizeof(buffer)) abort();
  put(text, buffer, (size_t)size);
  put(text, "\r\n", 2);
}

/* A sequence of its own for each input: the C library's differs from system to system. */
struct dice {
  uint64_t state;
};

static uint32_t roll(struct dice* dice, uint32_t sides) {
  dice->state = dice->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(((dice->state >> 33) * sides) >> 31);
}

static const char base64url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* Letters and digits as in a session id; the text is valid until the call after the next three. One call per statement: C does
 * not say in which order arguments are evaluated. */
static const char* token(struct dice* dice, size_t length) {
  static char buffers[4][16384];
  static unsigned next;
  char* buffer = buffers[next++ % 4];
  for (size_t i = 0; i < length; i++) buffer[i] = base64url[roll(dice, 64)];
  buffer[length] = 0;
  return buffer;
}

static void body(struct text* text, struct dice* dice, size_t length) {
  static const char sample[] =
      "{\"id\":4711,\"name\":\"example\",\"tags\":[\"a\",\"b\"],\"price\":12.50,\"stock\":true},\n";
  size_t at = roll(dice, sizeof(sample) - 1);
  for (; length > 0; length--, at++) put(text, &sample[at % (sizeof(sample) - 1)], 1);
}

/* ---- realistic ---- */

static void tiny(struct text* t, struct dice* d) {
  (void)d;
  line(t, "GET / HTTP/1.1");
  line(t, "Host: www.example.com");
  line(t, "%s", "");
}

/* A health check or a command-line client. */
static void headers4(struct text* t, struct dice* d) {
  (void)d;
  line(t, "GET /api/v1/status?verbose=1 HTTP/1.1");
  line(t, "Host: api.example.com");
  line(t, "User-Agent: curl/8.14.1");
  line(t, "Accept: */*");
  line(t, "Connection: keep-alive");
  line(t, "%s", "");
}

/* A navigation as a browser of today sends it, with its session in cookies. */
static void browser(struct text* t, struct dice* d) {
  line(t, "GET /products/list?category=books&page=2&sort=price HTTP/1.1");
  line(t, "Host: www.example.com");
  line(t, "Connection: keep-alive");
  line(t, "Cache-Control: max-age=0");
  line(t, "sec-ch-ua: \"Chromium\";v=\"140\", \"Not=A?Brand\";v=\"24\", \"Google Chrome\";v=\"140\"");
  line(t, "sec-ch-ua-mobile: ?0");
  line(t, "sec-ch-ua-platform: \"Linux\"");
  line(t, "Upgrade-Insecure-Requests: 1");
  line(
      t,
      "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36");
  line(t, "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8");
  line(t, "Sec-Fetch-Site: same-origin");
  line(t, "Sec-Fetch-Mode: navigate");
  line(t, "Sec-Fetch-User: ?1");
  line(t, "Sec-Fetch-Dest: document");
  line(t, "Referer: https://www.example.com/products");
  line(t, "Accept-Encoding: gzip, deflate, br, zstd");
  line(t, "Accept-Language: en-US,en;q=0.9");
  const char* session = token(d, 94);
  uint32_t visitor = 1000000000 + roll(d, 900000000);
  line(t, "Cookie: session=%s; theme=dark; _ga=GA1.2.%u.1760430751", session, visitor);
  line(t, "%s", "");
}

/* Behind proxies: forwarding, tracing and authorisation on top of the usual. */
static void headers32(struct text* t, struct dice* d) {
  const char *first, *second;
  line(t, "GET /api/v2/accounts/472911/orders?limit=50&after=%s HTTP/1.1", token(d, 16));
  line(t, "Host: orders.internal.example.com");
  line(t, "User-Agent: okhttp/4.12.0");
  line(t, "Accept: application/json");
  line(t, "Accept-Encoding: gzip");
  line(t, "Accept-Language: de-DE,de;q=0.8,en;q=0.5");
  line(t, "Authorization: Bearer %s", token(d, 180));
  line(t, "Cache-Control: no-cache");
  line(t, "Connection: keep-alive");
  line(t, "Content-Type: application/json; charset=utf-8");
  first = token(d, 43);
  second = token(d, 22);
  line(t, "Cookie: sid=%s; csrf=%s", first, second);
  line(t, "Forwarded: for=192.0.2.%u;proto=https;by=203.0.113.43", roll(d, 256));
  line(t, "If-None-Match: W/\"%s\"", token(d, 27));
  line(t, "If-Modified-Since: Tue, 14 Oct 2025 08:12:31 GMT");
  line(t, "Origin: https://app.example.com");
  line(t, "Pragma: no-cache");
  line(t, "Priority: u=1, i");
  line(t, "Referer: https://app.example.com/orders");
  line(t, "TE: trailers");
  line(t, "Via: 1.1 varnish, 1.1 envoy");
  first = token(d, 8);
  second = token(d, 24);
  line(t, "X-Amzn-Trace-Id: Root=1-%s-%s", first, second);
  line(t, "X-B3-SpanId: %s", token(d, 16));
  line(t, "X-B3-TraceId: %s", token(d, 32));
  line(t, "X-Client-Version: 7.31.2");
  line(t, "X-Correlation-Id: %s", token(d, 36));
  line(t, "X-Envoy-Attempt-Count: 1");
  line(t, "X-Forwarded-For: 192.0.2.%u, 198.51.100.17", roll(d, 256));
  line(t, "X-Forwarded-Host: orders.example.com");
  line(t, "X-Forwarded-Port: 443");
  line(t, "X-Forwarded-Proto: https");
  line(t, "X-Real-IP: 192.0.2.44");
  line(t, "X-Request-Id: %s", token(d, 36));
  line(t, "X-Requested-With: XMLHttpRequest");
  line(t, "%s", "");
}

static void response(struct text* t, struct dice* d) {
  line(t, "HTTP/1.1 200 OK");
  line(t, "Date: Tue, 14 Oct 2025 08:12:31 GMT");
  line(t, "Content-Type: application/json; charset=utf-8");
  line(t, "Content-Length: 187");
  line(t, "Connection: keep-alive");
  line(t, "Cache-Control: private, max-age=0, must-revalidate");
  line(t, "ETag: W/\"bb-%s\"", token(d, 27));
  line(t, "Server: nginx");
  line(t, "Strict-Transport-Security: max-age=31536000; includeSubDomains");
  line(t, "Vary: Accept-Encoding");
  line(t, "%s", "");
  body(t, d, 187);
}

static void post10k(struct text* t, struct dice* d) {
  line(t, "POST /api/v1/upload HTTP/1.1");
  line(t, "Host: api.example.com");
  line(t, "User-Agent: python-requests/2.32.5");
  line(t, "Accept: */*");
  line(t, "Accept-Encoding: gzip, deflate");
  line(t, "Connection: keep-alive");
  line(t, "Content-Type: application/json");
  line(t, "Content-Length: 10240");
  line(t, "%s", "");
  body(t, d, 10240);
}

/* A response that is written as it is made. */
static void chunks16(struct text* t, struct dice* d) {
  line(t, "HTTP/1.1 200 OK");
  line(t, "Date: Tue, 14 Oct 2025 08:12:31 GMT");
  line(t, "Content-Type: text/event-stream");
  line(t, "Transfer-Encoding: chunked");
  line(t, "Connection: keep-alive");
  line(t, "Cache-Control: no-store");
  line(t, "%s", "");
  for (int i = 0; i < 16; i++) {
    uint32_t size = 24 + roll(d, 1000);
    line(t, "%x", size);
    body(t, d, size);
    line(t, "%s", "");
  }
  line(t, "0");
  line(t, "%s", "");
}

static void pipelined(struct text* t, struct dice* d) {
  (void)d;
  for (int i = 0; i < 16; i++) {
    line(t, "GET /item/%d HTTP/1.1", 1000 + i);
    line(t, "Host: www.example.com");
    line(t, "Accept: */*");
    line(t, "%s", "");
  }
}

/* ---- adversarial: made to meet a parser where it is weak ---- */

static void custom_names(struct text* t, struct dice* d, unsigned count) {
  line(t, "GET / HTTP/1.1");
  for (unsigned i = 0; i < count; i++) {
    const char* name = token(d, 4 + roll(d, 16));
    const char* value = token(d, 8 + roll(d, 40));
    line(t, "X-%s-%u: %s", name, i, value);
  }
  line(t, "%s", "");
}

/* Distinct names that no table knows. */
static void names100(struct text* t, struct dice* d) { custom_names(t, d, 100); }

/* The same, ten times as many: a line may not cost more where there are more. */
static void headers1000(struct text* t, struct dice* d) { custom_names(t, d, 1000); }

static void cookie8k(struct text* t, struct dice* d) {
  line(t, "GET / HTTP/1.1");
  line(t, "Host: www.example.com");
  line(t, "Cookie: id=%s", token(d, 8189));
  line(t, "Accept: */*");
  line(t, "%s", "");
}

static void target4k(struct text* t, struct dice* d) {
  line(t, "GET /search?q=%s HTTP/1.1", token(d, 4096 - 10));
  line(t, "Host: www.example.com");
  line(t, "Accept: */*");
  line(t, "%s", "");
}

/* Values of nothing but blanks and tabs. */
static void whitespace(struct text* t, struct dice* d) {
  line(t, "GET / HTTP/1.1");
  line(t, "Host: www.example.com");
  for (int i = 0; i < 40; i++) {
    char blanks[128];
    uint32_t size = 1 + roll(d, 100);
    for (uint32_t j = 0; j < size; j++) blanks[j] = " \t"[roll(d, 4) == 0];
    blanks[size] = 0;
    line(t, "X-Blank-%d:%s", i, blanks);
  }
  line(t, "%s", "");
}

/* Names of one byte: those with which special names begin, then every other token byte. */
static void names1(struct text* t, struct dice* d) {
  static const char bytes[] = "ctupCTUP!#$%&'*+-.^_`|~0123456789abdefghijklmnoqrsvwxyzABDEFGHIJKLMNOQRSVWXYZ";
  line(t, "GET / HTTP/1.1");
  for (const char* byte = bytes; *byte; byte++) line(t, "%c: %s", *byte, token(d, 10 + roll(d, 40)));
  line(t, "%s", "");
}

/* As many lines as bytes allow. */
static void shortlines(struct text* t, struct dice* d) {
  line(t, "GET / HTTP/1.1");
  for (int i = 0; i < 200; i++) {
    const char* name = token(d, 1 + roll(d, 2));
    const char* value = token(d, roll(d, 3));
    line(t, "%s:%s", name, value);
  }
  line(t, "%s", "");
}

/* Names that are almost those which a parser must look at. */
static void nearmiss(struct text* t, struct dice* d) {
  static const char* const names[] = {
      "connectio",
      "connections",
      "connectiom",
      "Connect-ion",
      "content-lengt",
      "content-lengths",
      "Content-Lengtk",
      "content_length",
      "Content-Type",
      "transfer-encodin",
      "transfer-encodings",
      "Transfer-Encodinh",
      "transfer_encoding",
      "upgrad",
      "upgrader",
      "Upgrade-Insecure",
      "upgradf",
      "proxy-connectio",
      "proxy-connections",
      "Proxy-Connectiom",
      "proxy-connect",
      "c",
      "co",
      "con",
      "cont",
      "transfer-",
      "t",
      "u",
      "p",
      "Content-Language",
  };
  static const char* const values[] = {"keep-alive", "close", "chunked", "upgrade", "12", "keep-aliv", "chunke"};
  (void)d;
  line(t, "GET / HTTP/1.1");
  line(t, "Host: www.example.com");
  for (size_t i = 0; i < 2 * sizeof(names) / sizeof(names[0]); i++)
    line(t, "%s: %s", names[i % (sizeof(names) / sizeof(names[0]))], values[i % (sizeof(values) / sizeof(values[0]))]);
  line(t, "%s", "");
}

/* A value of one mebibyte: time must grow with the bytes and not faster, however they arrive. */
static void value1m(struct text* t, struct dice* d) {
  line(t, "GET / HTTP/1.1");
  put(t, "X-Large: ", 9);
  for (int i = 0; i < 1024; i++) put(t, token(d, 1024), 1024);
  line(t, "%s", "");
  line(t, "%s", "");
}

static const struct maker {
  const char* name;
  void (*make)(struct text*, struct dice*);
} makers[] = {
    {"tiny", tiny},
    {"headers4", headers4},
    {"browser", browser},
    {"headers32", headers32},
    {"response", response},
    {"post10k", post10k},
    {"chunks16", chunks16},
    {"pipelined", pipelined},
    {"names100", names100},
    {"headers1000", headers1000},
    {"cookie8k", cookie8k},
    {"target4k", target4k},
    {"whitespace", whitespace},
    {"names1", names1},
    {"shortlines", shortlines},
    {"nearmiss", nearmiss},
    {"value1m", value1m},
};

static const struct group {
  const char* name;
  const char* const* corpora;
} groups[] = {
#define LIST(...) ((const char* const[]){__VA_ARGS__, NULL})
#define REALISTIC "tiny", "headers4", "browser", "headers32", "response", "post10k", "chunks16", "pipelined"
#define ADVERSARIAL "names100", "headers1000", "cookie8k", "target4k", "whitespace", "names1", "shortlines", "nearmiss"
    {"realistic", LIST(REALISTIC)},
    {"adversarial", LIST(ADVERSARIAL)},
    {"arrival", LIST("browser@100", "browser@1", "post10k@1460", "value1m", "value1m@1460")},
    {"geomean", LIST(REALISTIC, "browser@100", "browser@1")},
    {"heads", LIST("tiny", "headers4", "browser", "headers32", "post10k")},
    {"all", LIST(REALISTIC, "browser@100", "browser@1", "post10k@1460", ADVERSARIAL, "value1m", "value1m@1460")},
};

const char* const* corpus_groups(void) {
  static const char* names[sizeof(groups) / sizeof(groups[0]) + 1];
  for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) names[i] = groups[i].name;
  return names;
}

const char* const* corpus_group(const char* group) {
  for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
    if (strcmp(groups[i].name, group) == 0) return groups[i].corpora;
  return NULL;
}

static int read_file(const char* path, struct text* text) {
  char buffer[65536];
  size_t size;
  FILE* file = fopen(path, "rb");
  if (file == NULL) return -1;
  while ((size = fread(buffer, 1, sizeof(buffer), file)) > 0) put(text, buffer, size);
  int bad = ferror(file);
  fclose(file);
  if (!bad && text->size == 0) errno = ENODATA;
  return bad || text->size == 0 ? -1 : 0;
}

struct corpus* corpus_open(const char* name) {
  struct corpus* corpus = calloc(1, sizeof(*corpus));
  struct text text = {0};
  if (corpus == NULL) abort();
  if (strlen(name) >= sizeof(corpus->name)) {
    fprintf(stderr, "bench: the name is too long: %s\n", name);
    return NULL;
  }
  strcpy(corpus->name, name);

  char* base = strdup(name);
  char* at = strrchr(base, '@');
  if (at != NULL && at[1] != 0 && at[1 + strspn(at + 1, "0123456789")] == 0) {
    corpus->piece = strtoul(at + 1, NULL, 10);
    *at = 0;
  }
  for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
    if (strcmp(makers[i].name, base) == 0) {
      struct dice dice = {hash_bytes(HASH_START, base, strlen(base))};
      makers[i].make(&text, &dice);
    }
  if (text.size == 0 && read_file(base, &text) != 0) {
    fprintf(stderr, "bench: neither a named input nor a file: %s (%s)\n", base, strerror(errno));
    return NULL;
  }
  free(base);
  corpus->size = text.size;
  corpus->data = aligned_alloc(64, (text.size + 63) / 64 * 64);
  if (corpus->data == NULL) abort();
  memcpy(corpus->data, text.data, text.size);
  free(text.data);
  if (corpus->piece >= corpus->size) corpus->piece = 0;
  corpus->hash = hash_bytes(HASH_START, corpus->data, corpus->size);
  corpus->response = corpus->size > 5 && memcmp(corpus->data, "HTTP/", 5) == 0;
  return corpus;
}
