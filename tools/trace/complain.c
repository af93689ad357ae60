/* Complaints go to standard error, one line each. */
#include "complain.h"

#include <stdarg.h>
#include <stdio.h>

void complain(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs(PROGRAM ": ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

int worse_status(int a, int b) {
  if (a == EXIT_TROUBLE || b == EXIT_TROUBLE) return EXIT_TROUBLE;
  return a > b ? a : b;
}
