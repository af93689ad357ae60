// Writes what a fuzzer begins with: a file in a folder, with its bytes' hash for a name, so that the same bytes are one file.
#ifndef SEED_H
#define SEED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline void seed_write(const char* folder, const uint8_t* bytes, size_t size) {
  uint64_t hash = 14695981039346656037u;
  char path[4096];
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
  snprintf(path, sizeof path, "%s/%016llx", folder, (unsigned long long)hash);
  FILE* f = fopen(path, "wb");
  if (f && fwrite(bytes, 1, size, f) == size && fclose(f) == 0) return;
  perror(path);
  exit(2);
}

#endif
