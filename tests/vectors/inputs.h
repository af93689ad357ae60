/* The inputs of the conformance vectors, for tests that compare two ways of parsing and need no expectations: of each its type,
 * its lenient flags, and its bytes, from what tests/vectors/convert writes. */
#ifndef TESTS_VECTORS_INPUTS_H_
#define TESTS_VECTORS_INPUTS_H_

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diff/diff.h"

struct vector {
  char bytes[1 << 17]; /* a NUL behind them */
  size_t len;
  int type;
  uint16_t lenient;
};

static inline FILE* vectors_open(const char* path) {
  FILE* f = fopen(path, "r");
  if (f != NULL) return f;
  perror(path);
  exit(2);
}

static inline int vector_nibble(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/* Reads the next one; 0 if there is none. */
static inline int vectors_next(FILE* f, struct vector* v) {
#define NAME(name) #name,
  static const char* const lenients[] = {LENIENT(NAME)};
#undef NAME
  static char text[1 << 18];
  size_t i;
  while (fgets(text, sizeof text, f) != NULL) {
    text[strcspn(text, "\n")] = '\0';
    if (strncmp(text, "vector ", 7) == 0) {
      v->type = 0;
      v->lenient = 0;
    } else if (strncmp(text, "type ", 5) == 0) {
      v->type = atoi(text + 5);
    } else if (strncmp(text, "lenient ", 8) == 0) {
      for (i = 0; i < NLENIENT; i++)
        if (strcmp(lenients[i], text + 8) == 0) v->lenient |= (uint16_t)(1u << i);
    } else if (strncmp(text, "input ", 6) == 0) {
      const char* hex = text + 6;
      v->len = strcmp(hex, "-") == 0 ? 0 : strlen(hex) / 2;
      for (i = 0; i < v->len; i++) v->bytes[i] = (char)(vector_nibble(hex[2 * i]) << 4 | vector_nibble(hex[2 * i + 1]));
      v->bytes[v->len] = '\0';
    } else if (strcmp(text, "end") == 0) {
      return 1;
    }
  }
  return 0;
}

#endif
