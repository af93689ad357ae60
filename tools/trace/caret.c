/* The line around an error, in a window that fits a terminal, with a caret under the byte. */
#include <stdio.h>

#include "escape.h"
#include "output.h"

enum { LIMIT = 72 }; /* columns of the window */

void print_caret(const struct output* o, size_t offset) {
  static const char cut[] = "...";
  int indent = output_indent(o);
  char cell[8];
  size_t start = offset, end = offset;
  while (start > 0 && o->data[start - 1] != '\n') start--;
  while (end < o->size && o->data[end] != '\n') end++;
  if (end < o->size) end++;
  if (start == end) {
    printf("%*s(end of input)\n%*s%s^%s\n", indent, "", indent, "", o->style.bad, o->style.off);
    return;
  }

  /* Where the window opens: the whole line if it fits, else some two thirds of the window before the error. */
  size_t total = 0, before = 0, from = offset, column = 0;
  for (size_t i = start; i < end && total <= LIMIT; i++) total += escape((unsigned char)o->data[i], false, cell);
  size_t lead = total <= LIMIT ? total : LIMIT * 2 / 3;
  while (from > start) {
    size_t width = escape((unsigned char)o->data[from - 1], false, cell);
    if (before + width > lead) break;
    before += width;
    from--;
  }

  printf("%*s", indent, "");
  if (from > start) {
    fputs(cut, stdout);
    before += sizeof(cut) - 1;
    column = sizeof(cut) - 1;
  }
  size_t i = from;
  for (; i < end; i++) {
    size_t width = escape((unsigned char)o->data[i], false, cell);
    if (column + width > LIMIT && i > offset) break;
    if (i == offset) {
      printf("%s%s%s", o->style.bad, cell, o->style.off);
    } else {
      fputs(cell, stdout);
    }
    column += width;
  }
  if (i < end) fputs(cut, stdout);
  printf("\n%*s%s^%s\n", indent + (int)before, "", o->style.bad, o->style.off);
}
