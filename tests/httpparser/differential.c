/* http_parser_parse_url of this library against that of http_parser 2.9.4, on generated URLs.
 *
 *   differential LIBHTTP_PARSER LIBLLHTTP [COUNT [SEED]]
 *
 * Both must take the same URLs, and find the same in them. They may differ in the ways that docs/http_parser.md lists: `kinds`
 * below has them, and each must be met. A URL ends, or begins, at an inaccessible page. */
#include "../c/check.h"
#include "../c/guard.h"
#include "http_parser.h"

#include <dlfcn.h>
#include <stdint.h>

typedef int parse_fn(const char*, size_t, int, struct http_parser_url*);
typedef void init_fn(struct http_parser_url*);

static parse_fn *theirs, *ours;
static init_fn *init_theirs, *init_ours;

static void* symbol(const char* library, const char* name) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL), *found = handle != NULL ? dlsym(handle, name) : NULL;
  if (found == NULL) {
    fprintf(stderr, "differential: %s\n", dlerror());
    exit(2);
  }
  return found;
}

static uint64_t random_state;
static unsigned below(unsigned n) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(random_state >> 33) % n;
}

/* The ways to differ. Each is about what only the other library takes. */
enum { BYTES, CONNECT_REST, LONG, KINDS };
static const char* const kinds[KINDS] = {
    "HTAB, FF or a byte of 0x80 and above in path, query or fragment",
    "of CONNECT: \"?\" or \"#\" behind the port",
    "more than 65535 bytes",
};
static unsigned long met[KINDS], taken, refused;

static int kind_of(const char* url, size_t n, int connect) {
  size_t i;
  if (n > 65535) return LONG;
  for (i = 0; i < n; i++)
    if (url[i] == '\t' || url[i] == '\f' || (unsigned char)url[i] >= 0x80) return BYTES;
  if (connect && (memchr(url, '?', n) != NULL || memchr(url, '#', n) != NULL)) return CONNECT_REST;
  return -1;
}

static void compare(const char* url, size_t n, int connect) {
  struct http_parser_url a, b;
  int ra, rb, i, kind, same;
  init_theirs(&a);
  init_ours(&b);
  ra = theirs(url, n, connect, &a);
  rb = ours(url, n, connect, &b);
  if (ra == 0 && rb != 0) {
    kind = kind_of(url, n, connect);
    check_that(kind >= 0, __FILE__, __LINE__, "connect %d: \"%.*s\" is refused, and not by them", connect,
               (int)(n > 200 ? 200 : n), url);
    if (kind >= 0) met[kind]++;
    return;
  }
  if (ra != 0) {
    refused++;
    check_that(rb != 0, __FILE__, __LINE__, "connect %d: \"%.*s\" is taken, and not by them", connect, (int)n, url);
    return;
  }
  taken++;
  same = a.field_set == b.field_set && a.port == b.port;
  for (i = 0; i < UF_MAX; i++) {
    if (!(a.field_set >> i & 1)) continue;
    same &= a.field_data[i].off == b.field_data[i].off && a.field_data[i].len == b.field_data[i].len;
  }
  check_that(same, __FILE__, __LINE__, "connect %d: \"%.*s\": fields %#x, port %u, want %#x, %u", connect, (int)n, url,
             b.field_set, b.port, a.field_set, a.port);
}

static const char* const parts[] = {
    "/",
    "/",
    "//",
    "?",
    "?",
    "#",
    "#",
    "*",
    ":",
    "://",
    "@",
    "[",
    "]",
    "http",
    "https://",
    "http://",
    "h2",
    "a",
    "a.b-c",
    "a_b",
    "example.org",
    "user:pass@",
    "u@",
    "80",
    ":80",
    ":",
    ":65535",
    ":65536",
    ":0080",
    ":99999999999999999999",
    "1.2.3.4",
    "[::1]",
    "[::1]:80",
    "[fe80::1%25eth0]",
    "[fe80::1%]",
    "[v1.x]",
    "[]",
    "[:",
    "[1.2.3.4]",
    "%20",
    "%",
    "/path/of/more/than/thirty-two/bytes/altogether",
    "?query=1&b=2",
    "#fragment",
    "|",
    "\"",
    "<",
    "{",
    "^",
    "`",
    "~",
    "!",
    "$",
    "&",
    "'",
    "(",
    ")",
    "*",
    "+",
    ",",
    ";",
    "=",
    " ",
    "\t",
    "\f",
    "\r",
    "\n",
    "\x01",
    "\x7f",
    "\x80",
    "\xff",
};
enum { PARTS = sizeof parts / sizeof *parts };

static size_t generate(char* url) {
  static const char* const whole[] = {"http://user:pass@example.org:8080/path/to?query=1&x#fragment",
                                      "/path/to/something?query#fragment",
                                      "example.org:443",
                                      "http://[::1]:80/x",
                                      "https://a/",
                                      "*"};
  size_t n;
  unsigned k;
  switch (below(3)) {
    case 0: /* a whole one, with a few bytes changed, cut away or doubled */
      strcpy(url, whole[below(sizeof whole / sizeof *whole)]);
      n = strlen(url);
      for (k = below(3); k > 0 && n > 0; k--) {
        size_t at = below((unsigned)n);
        switch (below(3)) {
          case 0: url[at] = (char)below(256); break;
          case 1: memmove(url + at, url + at + 1, n - at - 1), n--; break;
          default: memmove(url + at + 1, url + at, n - at), n++; break;
        }
      }
      return n;
    case 1: strcpy(url, "http://"); break;
    default: url[0] = '\0';
  }
  for (k = below(8); k > 0; k--) {
    const char* part = parts[below(PARTS)];
    strcat(url, part);
  }
  return strlen(url);
}

int main(int argc, char** argv) {
  const unsigned long count = argc > 3 ? strtoul(argv[3], NULL, 10) : 1000000;
  struct guard g = guard_new(140000);
  unsigned long i;
  unsigned k;
  char* lengthy;
  if (argc < 3) {
    fprintf(stderr, "usage: differential LIBHTTP_PARSER LIBLLHTTP [COUNT [SEED]]\n");
    return 2;
  }
  random_state = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
  theirs = (parse_fn*)symbol(argv[1], "http_parser_parse_url");
  init_theirs = (init_fn*)symbol(argv[1], "http_parser_url_init");
  ours = (parse_fn*)symbol(argv[2], "http_parser_parse_url");
  init_ours = (init_fn*)symbol(argv[2], "http_parser_url_init");
  CHECK(theirs != ours);
  for (i = 0; i < count; i++) {
    char url[1024];
    size_t n = generate(url);
    compare(i & 1 ? guard_at_end(&g, url, n) : guard_at_start(&g, url, n), n, below(4) == 0);
  }
  for (k = 0; k < PARTS * PARTS; k++) { /* every two after what each component may begin with */
    static const char* const before[] = {"",           "/",        "/?",        "/#",          "http://",  "http://a",
                                         "http://a:1", "http://[", "http://u@", "http://[::1", "http://a/"};
    char url[256];
    for (i = 0; i < sizeof before / sizeof *before; i++) {
      size_t n = (size_t)sprintf(url, "%s%s%s", before[i], parts[k / PARTS], parts[k % PARTS]);
      compare(guard_at_end(&g, url, n), n, 0);
      compare(guard_at_end(&g, url, n), n, 1);
    }
  }
  lengthy = g.end - 140000;
  memset(lengthy, 'a', 140000);
  lengthy[0] = '/';
  for (i = 65530; i < 65536; i++) compare(lengthy, i, 0);
  compare(lengthy, 65536, 0);
  compare(lengthy, 140000, 0);
  printf("%lu taken by both, %lu refused by both\n", taken, refused);
  for (k = 0; k < KINDS; k++) {
    printf("%8lu taken by http_parser alone: %s\n", met[k], kinds[k]);
    check_that(met[k] > 0, __FILE__, __LINE__, "none: %s", kinds[k]);
  }
  CHECK(taken > count / 20 && refused > count / 20);
  return check_done();
}
