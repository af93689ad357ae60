/* Sections of many fields, each parsed once: linear.sh runs it under callgrind and holds the counts of instructions against
 * each other. Each count is dumped with a name: what the names are, and how many. Run without callgrind it makes the names
 * that collide, which takes long enough.
 *
 *   linear FILE       FILE: where those names are written and read */
#include "../c/check.h"

#include <valgrind/callgrind.h>

#include "collide.h"
#include "llhttp.h"
#include "llhttp_ext.h"

enum { MOST = 1000, COLLIDING = 400 };

int main(int argc, char** argv) {
  static const char* const shapes[] = {"distinct", "equal", "well-known", "colliding"};
  static const size_t counts[] = {50, 100, 200, 400, 1000};
  static char text[MOST * 64], names[COLLIDING][17];
  static uint64_t memory[LLHTTP_EXT_HEAD_MEMORY(MOST) / 8 + 1];
  llhttp_ext_head_t head;
  size_t shape, k, i, len;
  char about[64];
  FILE* file = argc == 2 ? fopen(argv[1], RUNNING_ON_VALGRIND ? "rb" : "wb") : NULL;
  if (file == NULL) {
    fprintf(stderr, "linear: to be run by linear.sh\n");
    return 2;
  }
  if (!RUNNING_ON_VALGRIND) {
    collide(names, COLLIDING);
    return fwrite(names, sizeof names, 1, file) != 1 || fclose(file) != 0;
  }
  if (fread(names, sizeof names, 1, file) != 1 || fclose(file) != 0) return 2;
  llhttp_ext_head_init(&head, HTTP_REQUEST, memory, sizeof memory);
  llhttp_ext_head_parse(&head, "GET / HTTP/1.1\r\n\r\n", 18); /* what the dynamic linker does at first is not counted */
  for (shape = 0; shape < sizeof shapes / sizeof *shapes; shape++)
    for (k = 0; k < sizeof counts / sizeof *counts; k++) {
      if (shape == 3 && counts[k] > COLLIDING) continue;
      len = (size_t)sprintf(text, "GET / HTTP/1.1\r\n");
      for (i = 0; i < counts[k]; i++) switch (shape) {
          case 0: len += (size_t)sprintf(text + len, "X-Custom-Field-%04d: v\r\n", (int)(i * 7 % 10000)); break;
          case 1: len += (size_t)sprintf(text + len, "X-Custom-Field-0000: v\r\n"); break;
          case 2: len += (size_t)sprintf(text + len, "Set-Cookie: a=b; Secure\r\n"); break;
          default: len += (size_t)sprintf(text + len, "%s: value\r\n", names[i]);
        }
      len += (size_t)sprintf(text + len, "\r\n");
      CALLGRIND_TOGGLE_COLLECT;
      i = (size_t)llhttp_ext_head_parse(&head, text, len);
      CALLGRIND_TOGGLE_COLLECT;
      snprintf(about, sizeof about, "%s/%zu", shapes[shape], counts[k]);
      CALLGRIND_DUMP_STATS_AT(about);
      check_about = about;
      CHECK_INT(i, HPE_OK);
      CHECK_INT(head.count, counts[k]);
    }
  check_about = "";
  return check_done();
}
