/* The functions for field values, as C calls them. core/values_test.go holds what they find against the grammar; here are
 * their results in C, at every level, on values that end or begin at an inaccessible page. */
#include "check.h"
#include "guard.h"
#include "llhttp_ext.h"

#include <stdint.h>

static struct guard g;

/* All that is found in the list, as text: members in brackets, a parameter of each as name=value. */
static const char* listed(const char* value, size_t length) {
  static char text[1024];
  llhttp_ext_list_t list;
  int found, inner = 0;
  char* to = text;
  llhttp_ext_list_init(&list, value, length);
  while ((found = llhttp_ext_list_next(&list)) == 1) {
    llhttp_ext_parameters_t p;
    to += sprintf(to, "[%.*s", (int)list.size, value + list.offset);
    llhttp_ext_parameters_init(&p, value + list.offset, list.size);
    while ((inner = llhttp_ext_parameters_next(&p)) == 1) {
      char plain[64];
      size_t n = llhttp_ext_unquote(plain, p.value + p.value_offset, p.value_length);
      if (!(p.flags & LLHTTP_EXT_PARAMETER_ESCAPED))
        CHECK(n == p.value_length && memcmp(plain, p.value + p.value_offset, n) == 0);
      to += sprintf(to, " %.*s%s%.*s", (int)p.name_length, p.value + p.name_offset,
                    p.flags & LLHTTP_EXT_PARAMETER_QUOTED      ? "=="
                    : p.flags & LLHTTP_EXT_PARAMETER_HAS_VALUE ? "="
                                                               : "",
                    (int)n, plain);
    }
    if (inner < 0) to += sprintf(to, " %d at %zu", inner, p.next);
    to += sprintf(to, "]");
  }
  if (found < 0) {
    to += sprintf(to, "%d at %zu", found, list.next);
    CHECK_INT(llhttp_ext_list_next(&list), found);
  }
  *to = '\0';
  return text;
}

static void lists(void) {
  static const struct {
    const char *value, *want;
  } cases[] = {
      {"", ""},
      {" ,\t, ", ""},
      {"a", "[a]"},
      {"gzip;q=0.5 , identity", "[gzip;q=0.5 q=0.5][identity]"},
      {"a;b=\"x, \\\"y\\\\\";c, d", "[a;b=\"x, \\\"y\\\\\";c b==x, \"y\\ c][d]"},
      {"a;b=\"\"", "[a;b=\"\" b==]"},
      {"a;b= c, d", "[a;b= c -1 at 4][d]"},
      {"a, \"b", "[a]-2 at 3"},
      {"a, b\001", "[a]-1 at 4"},
      {"permessage-deflate; client_max_window_bits, x-webkit-deflate-frame",
       "[permessage-deflate; client_max_window_bits client_max_window_bits][x-webkit-deflate-frame]"},
  };
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t n = strlen(cases[i].value);
    check_about = cases[i].value;
    CHECK_STR(listed(guard_at_end(&g, cases[i].value, n), n), cases[i].want);
    CHECK_STR(listed(guard_at_start(&g, cases[i].value, n), n), cases[i].want);
  }
  check_about = "no value";
  CHECK_STR(listed(NULL, 0), "");
}

static void tokens(void) {
  static const struct {
    const char *value, *token;
    int want;
  } cases[] = {
      {"keep-alive, Close", "close", 2},
      {"close, x", "CLOSE", 1},
      {"closed", "close", 0},
      {"\"close\"", "close", 0},
      {"100-continue", "100-continue", 2},
      {"gzip, chunked", "chunked", 2},
      {"chunked, gzip", "chunked", 1},
      {"gzip;q=0", "gzip", 0},
      {"close, \"", "close", LLHTTP_EXT_VALUE_UNTERMINATED},
      {"close, \177", "close", LLHTTP_EXT_VALUE_INVALID},
      {"", "close", 0},
  };
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t n = strlen(cases[i].value), token = strlen(cases[i].token);
    char* copy = malloc(token); /* valgrind and sanitizers see a read beyond it */
    check_about = cases[i].value;
    memcpy(copy, cases[i].token, token);
    CHECK_INT(llhttp_ext_has_token(guard_at_end(&g, cases[i].value, n), n, copy, token), cases[i].want);
    CHECK_INT(llhttp_ext_has_token(guard_at_start(&g, cases[i].value, n), n, copy, token), cases[i].want);
    free(copy);
  }
}

static void lengths(void) {
  static const struct {
    const char* value;
    int want;
    uint64_t number;
  } cases[] = {
      {"0", 1, 0},
      {"42", 1, 42},
      {" 042 ,42,", 1, 42},
      {"18446744073709551615", 1, UINT64_MAX},
      {"18446744073709551616", LLHTTP_EXT_VALUE_TOO_LARGE, 0},
      {"184467440737095516150", LLHTTP_EXT_VALUE_TOO_LARGE, 0},
      {"", LLHTTP_EXT_VALUE_INVALID, 0},
      {",", LLHTTP_EXT_VALUE_INVALID, 0},
      {"+1", LLHTTP_EXT_VALUE_INVALID, 0},
      {"-1", LLHTTP_EXT_VALUE_INVALID, 0},
      {"1 1", LLHTTP_EXT_VALUE_INVALID, 0},
      {"0x1", LLHTTP_EXT_VALUE_INVALID, 0},
      {"1, \"1\"", LLHTTP_EXT_VALUE_INVALID, 0},
      {"1, \"1", LLHTTP_EXT_VALUE_UNTERMINATED, 0},
      {"1, 2", LLHTTP_EXT_VALUE_DIFFERENT, 0},
  };
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t n = strlen(cases[i].value);
    uint64_t number = 7;
    check_about = cases[i].value;
    CHECK_INT(llhttp_ext_content_length(guard_at_end(&g, cases[i].value, n), n, &number), cases[i].want);
    CHECK(number == (cases[i].want == 1 ? cases[i].number : 7));
  }
}

static void unquoted(void) {
  char text[] = "a\\\"b\\\\c\\";
  check_about = "in place";
  CHECK_INT(llhttp_ext_unquote(text, text, strlen(text)), 6);
  CHECK(memcmp(text, "a\"b\\c\\", 6) == 0);
}

int main(void) {
  int level;
  g = guard_new(4096);
  for (level = LLHTTP_EXT_SIMD_GENERIC; level <= LLHTTP_EXT_SIMD_NEON; level++) {
    if (llhttp_ext_simd_set(level) != 0) continue;
    lists();
    tokens();
    lengths();
  }
  unquoted();
  guard_free(&g);
  check_about = "";
  return check_done();
}
