// The list of targets for what the library has beyond llhttp.
#include "beyond.h"

#include <stdlib.h>

void (*beyond_guide)(int type, uint16_t lenient, const llhttp_ext_t* ext, const char* data, size_t len);

const struct beyond* beyond_find(const char* name) {
  static const struct beyond* const targets[] = {&beyond_limits, &beyond_tape, &beyond_head, &beyond_ext};
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
    if (strcmp(targets[i]->name, name) == 0) return targets[i];
  fprintf(stderr, "fuzz: no such target: %s\n", name);
  exit(2);
}
