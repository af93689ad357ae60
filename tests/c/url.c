/* llhttp_ext_target_parse and http_parser_parse_url, as C calls them. core/url_test.go holds what they find against the grammar,
 * tests/httpparser the second against http_parser; here are their results in C, at every level, on targets that end or begin at
 * an inaccessible page, and what other languages rely on: sizes, offsets, values. */
#include "check.h"
#include "guard.h"
#include "http_parser.h"
#include "llhttp_ext.h"

#include <stddef.h>

static struct guard g;

static void layout(void) {
  CHECK_INT(sizeof(llhttp_ext_span_t), 8);
  CHECK_INT(sizeof(llhttp_ext_target_t), 68);
  CHECK_INT(offsetof(llhttp_ext_target_t, form), 0);
  CHECK_INT(offsetof(llhttp_ext_target_t, host_kind), 1);
  CHECK_INT(offsetof(llhttp_ext_target_t, flags), 2);
  CHECK_INT(offsetof(llhttp_ext_target_t, port), 4);
  CHECK_INT(offsetof(llhttp_ext_target_t, scheme), 8);
  CHECK_INT(offsetof(llhttp_ext_target_t, userinfo), 16);
  CHECK_INT(offsetof(llhttp_ext_target_t, host), 24);
  CHECK_INT(offsetof(llhttp_ext_target_t, port_text), 32);
  CHECK_INT(offsetof(llhttp_ext_target_t, path), 40);
  CHECK_INT(offsetof(llhttp_ext_target_t, query), 48);
  CHECK_INT(offsetof(llhttp_ext_target_t, fragment), 56);
  CHECK_INT(offsetof(llhttp_ext_target_t, error_offset), 64);
  /* As http_parser's header has them. */
  CHECK_INT(sizeof(struct http_parser_url), 32);
  CHECK_INT(offsetof(struct http_parser_url, field_set), 0);
  CHECK_INT(offsetof(struct http_parser_url, port), 2);
  CHECK_INT(offsetof(struct http_parser_url, field_data), 4);
  CHECK_INT(offsetof(struct http_parser_url, field_data[1].len), 10);
  CHECK(UF_SCHEMA == 0 && UF_HOST == 1 && UF_PORT == 2 && UF_PATH == 3 && UF_QUERY == 4 && UF_FRAGMENT == 5 &&
        UF_USERINFO == 6 && UF_MAX == 7);
}

static const char* part(char* to, const char* name, const char* target, llhttp_ext_span_t s) {
  if (s.length != 0) sprintf(to + strlen(to), " %s=%.*s", name, (int)s.length, target + s.offset);
  return to;
}

/* What is found, as text. */
static const char* found(const char* target, size_t n, int connect) {
  static char text[512];
  llhttp_ext_target_t t;
  int err;
  memset(&t, 0xa5, sizeof t);
  err = llhttp_ext_target_parse(target, n, connect, &t);
  if (err != 0) {
    CHECK_INT(t.form, LLHTTP_EXT_TARGET_NONE);
    sprintf(text, "%d at %u", err, t.error_offset);
    return text;
  }
  sprintf(text, "%u.%u flags=%u port=%u", t.form, t.host_kind, t.flags, t.port);
  part(text, "scheme", target, t.scheme);
  part(text, "userinfo", target, t.userinfo);
  part(text, "host", target, t.host);
  part(text, "port_text", target, t.port_text);
  part(text, "path", target, t.path);
  part(text, "query", target, t.query);
  return part(text, "fragment", target, t.fragment);
}

static void targets(void) {
  static const struct {
    const char* target;
    int connect;
    const char* want;
  } cases[] = {
      {"/", 0, "1.0 flags=0 port=0 path=/"},
      {"/where?q=now", 0, "1.0 flags=4 port=0 path=/where query=q=now"},
      {"/a?", 0, "1.0 flags=4 port=0 path=/a"},
      {"//a/b#c", 0, "1.0 flags=8 port=0 path=//a/b fragment=c"},
      {"http://www.example.org/pub/WWW/TheProject.html", 0,
       "2.1 flags=0 port=0 scheme=http host=www.example.org path=/pub/WWW/TheProject.html"},
      {"HTTPS://u:p@[2001:db8::7]:08443?q#f", 0,
       "2.3 flags=15 port=8443 scheme=HTTPS userinfo=u:p host=2001:db8::7 port_text=08443 query=q fragment=f"},
      {"http://192.0.2.1:/", 0, "2.2 flags=2 port=0 scheme=http host=192.0.2.1 path=/"},
      {"http://192.0.2.01/", 0, "2.1 flags=0 port=0 scheme=http host=192.0.2.01 path=/"},
      {"http://[v7.x:y]/", 0, "2.4 flags=0 port=0 scheme=http host=v7.x:y path=/"},
      {"www.example.com:80", 1, "3.1 flags=2 port=80 host=www.example.com port_text=80"},
      {"[::1]:443", 1, "3.3 flags=2 port=443 host=::1 port_text=443"},
      {"*", 0, "4.0 flags=0 port=0 path=*"},
      {"", 0, "-2 at 0"},
      {"where", 0, "-2 at 5"},
      {"/a b", 0, "-1 at 2"},
      {"http://", 0, "-3 at 7"},
      {"http://[::1", 0, "-3 at 11"},
      {"http://a:65536/", 0, "-4 at 9"},
      {"www.example.com", 1, "-4 at 15"},
  };
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t n = strlen(cases[i].target);
    check_about = cases[i].target;
    CHECK_STR(found(guard_at_end(&g, cases[i].target, n), n, cases[i].connect), cases[i].want);
    CHECK_STR(found(guard_at_start(&g, cases[i].target, n), n, cases[i].connect), cases[i].want);
  }
  check_about = "";
}

static void urls(void) {
  static const char url[] = "http://user@example.org:8080/a?b#c";
  struct http_parser_url u;
  size_t n = sizeof url - 1;
  http_parser_url_init(&u);
  CHECK_INT(u.field_set, 0);
  CHECK_INT(http_parser_parse_url(guard_at_end(&g, url, n), n, 0, &u), 0);
  CHECK_INT(u.field_set, 1 << UF_MAX >> 1 | ((1 << UF_USERINFO) - 1));
  CHECK_INT(u.port, 8080);
#define FIELD(field, offset, length)              \
  CHECK_INT(u.field_data[field].off, offset); \
  CHECK_INT(u.field_data[field].len, length);
  FIELD(UF_SCHEMA, 0, 4)
  FIELD(UF_USERINFO, 7, 4)
  FIELD(UF_HOST, 12, 11)
  FIELD(UF_PORT, 24, 4)
  FIELD(UF_PATH, 28, 2)
  FIELD(UF_QUERY, 31, 1)
  FIELD(UF_FRAGMENT, 33, 1)
  /* What is not there stays as it is. */
  CHECK_INT(http_parser_parse_url("a:1", 3, 1, &u), 0);
  CHECK_INT(u.field_set, 1 << UF_HOST | 1 << UF_PORT);
  CHECK_INT(u.port, 1);
  FIELD(UF_FRAGMENT, 33, 1)
#undef FIELD
  CHECK_INT(http_parser_parse_url("a:1/", 4, 1, &u), 1);
  CHECK_INT(http_parser_parse_url("", 0, 0, &u), 1);
}

int main(void) {
  int level;
  g = guard_new(4096);
  layout();
  for (level = LLHTTP_EXT_SIMD_GENERIC; level <= LLHTTP_EXT_SIMD_NEON; level++) {
    if (llhttp_ext_simd_set(level) != 0) continue;
    targets();
    urls();
  }
  guard_free(&g);
  return check_done();
}
