/* Lines of at most WIDTH columns; a word that is longer stands alone. */
#include "wrap.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, WORD_WIDTH = 9 };

void print_wrapped(int indent, const char* word, const char* text) {
  int left = indent + WORD_WIDTH, column = left;
  printf("%*s%-*s", indent, "", WORD_WIDTH, word);
  while (*text != '\0') {
    int length = (int)strcspn(text, " ");
    if (column > left && column + 1 + length > WIDTH) {
      printf("\n%*s", left, "");
      column = left;
    }
    printf("%s%.*s", column > left ? " " : "", length, text);
    column += length + (column > left);
    text += length;
    text += strspn(text, " ");
  }
  putchar('\n');
}
