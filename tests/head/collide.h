/* Names without ids whose hashes are all the same, for the hash of core/headnames.go: of 16 bytes each, the first eight are counted
 * up until the last eight, which are then computed, happen to be token characters. */
#ifndef TESTS_HEAD_COLLIDE_H_
#define TESTS_HEAD_COLLIDE_H_

#include <stdint.h>
#include <string.h>

#include "../../capi/knownfields_gen.h"

static inline int collide_token(uint64_t word) {
  static const char tokens[] = "!#$%&'*+-.0123456789`abcdefghijklmnopqrstuvwxyz|~";
  static char known[256];
  int i;
  if (!known['a'])
    for (i = 0; tokens[i] != '\0'; i++) known[(unsigned char)tokens[i]] = 1;
  for (i = 0; i < 8; i++, word >>= 8)
    if (!known[word & 0xff]) return 0;
  return 1;
}

/* Fills names with count of them. */
static inline void collide(char (*names)[17], size_t count) {
  const uint64_t wanted = UINT64_C(0x0123456789abcdef);
  uint64_t number = 0;
  size_t made = 0;
  int i;
  while (made < count) {
    uint64_t first = 0, n = number++, last;
    for (i = 0; i < 8; i++, n /= 26) first |= ('a' + n % 26) << 8 * i;
    last = (wanted ^ first * NAME_HASH_K1) - 16;
    if (!collide_token(last)) continue;
    memcpy(names[made], &first, 8);
    memcpy(names[made] + 8, &last, 8);
    names[made++][16] = '\0';
  }
}

#endif
