/* Well-known field names: the ids of the header, and the search, which must agree with the parser's own in Go on every name
 * of a file that tests/knownfield writes. Names end, or begin, at an inaccessible page.
 *
 *   knownfield [FILE] */
#include "check.h"
#include "guard.h"
#include "llhttp_ext.h"

#include <ctype.h>
#include <locale.h>

static struct guard g;

static int id_of(const char* name, size_t n) {
  int at_end = llhttp_ext_field_id(guard_at_end(&g, name, n), n);
  CHECK_INT(llhttp_ext_field_id(guard_at_start(&g, name, n), n), at_end);
  return at_end;
}

static void names(void) {
  static const struct {
    int id;
    const char* name;
  } all[] = {
#define XX(id, NAME, spelling) {LLHTTP_EXT_FIELD_##NAME, spelling},
      LLHTTP_EXT_FIELD_MAP(XX)
#undef XX
  };
  size_t i, k, n;
  for (i = 0; i < sizeof all / sizeof *all; i++) {
    char text[64];
    const char* name = llhttp_ext_field_name(all[i].id, &n);
    check_about = all[i].name;
    CHECK_INT(all[i].id, i + 1);
    CHECK_STR(name, all[i].name);
    CHECK_INT(n, strlen(all[i].name));
    CHECK_INT(id_of(name, n), all[i].id);
    for (k = 0; k < n; k++) text[k] = (char)(k % 2 ? toupper((unsigned char)name[k]) : tolower((unsigned char)name[k]));
    CHECK_INT(id_of(text, n), all[i].id);
    CHECK_INT(id_of(name, n - 1) == all[i].id, 0);
  }
  check_about = "";
  CHECK_INT(LLHTTP_EXT_FIELD_COUNT, i + 1);
  n = 7;
  CHECK_STR(llhttp_ext_field_name(LLHTTP_EXT_FIELD_UNKNOWN, &n), NULL);
  CHECK_INT(n, 0);
  CHECK_STR(llhttp_ext_field_name(LLHTTP_EXT_FIELD_COUNT, NULL), NULL);
  CHECK_STR(llhttp_ext_field_name(-1, NULL), NULL);
  CHECK_INT(llhttp_ext_field_id(NULL, 0), LLHTTP_EXT_FIELD_UNKNOWN);
  /* Ids that programs were built with. */
  CHECK_INT(LLHTTP_EXT_FIELD_HOST, 1);
  CHECK_INT(LLHTTP_EXT_FIELD_TRACEPARENT, 63);
  CHECK_INT(LLHTTP_EXT_FIELD_WWW_AUTHENTICATE, llhttp_ext_field_id("www-authenticate", 16));
}

static void against_go(const char* path) {
  FILE* f = fopen(path, "rb");
  unsigned char head[3];
  char name[256];
  unsigned long count = 0, wrong = 0;
  if (f == NULL) {
    perror(path);
    exit(2);
  }
  while (fread(head, 1, sizeof head, f) == sizeof head) {
    if (fread(name, 1, head[2], f) != head[2]) break;
    count++;
    wrong += id_of(name, head[2]) != (head[0] | head[1] << 8);
  }
  fclose(f);
  printf("%lu names of the parser's\n", count);
  CHECK(count > 100000);
  CHECK_INT(wrong, 0);
}

int main(int argc, char** argv) {
  g = guard_new(4096);
  names();
  /* Where i is not the lower case of I. */
  if (setlocale(LC_ALL, "tr_TR.UTF-8") != NULL || setlocale(LC_ALL, "") != NULL) names();
  if (argc > 1) against_go(argv[1]);
  guard_free(&g);
  check_about = "";
  return check_done();
}
