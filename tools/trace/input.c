/* Reading inputs. Whatever goes wrong is said with the input's name. */
#include "input.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"

const char* input_name(const char* path) { return strcmp(path, "-") == 0 ? "standard input" : path; }

FILE* input_open(const char* path) {
  FILE* file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  if (file == NULL) complain("cannot open '%s': %s", path, strerror(errno));
  return file;
}

int input_close(const char* path, FILE* file) {
  int bad = ferror(file);
  if (bad) complain("cannot read '%s': %s", input_name(path), strerror(errno));
  if (file == stdin) {
    clearerr(file);
  } else {
    fclose(file);
  }
  return bad ? -1 : 0;
}

char* input_read(const char* path, size_t* size) {
  FILE* file = input_open(path);
  if (file == NULL) return NULL;
  size_t length = 0, capacity = 1 << 16;
  char* data = malloc(capacity);
  while (data != NULL) {
    length += fread(data + length, 1, capacity - length, file);
    if (length < capacity) break;
    char* larger = capacity > SIZE_MAX / 2 ? NULL : realloc(data, capacity * 2);
    if (larger == NULL) free(data);
    data = larger;
    capacity *= 2;
  }
  if (data == NULL) complain("out of memory");
  if (input_close(path, file) != 0) {
    free(data);
    data = NULL;
  }
  *size = length;
  return data;
}
