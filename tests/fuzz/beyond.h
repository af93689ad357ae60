// The targets of what the library has beyond llhttp: shared declarations. They are for a library that is linked in, since they
// call what llhttp does not have. An input of the fuzzer is bytes, which are a case of the target; what must hold: any bytes
// are a case, and check depends on them alone. Checks count as in tests/c/check.h, in each target by itself.
#ifndef BEYOND_H
#define BEYOND_H

#include "../diff/diff.h"

enum { BEYOND_MOST = 4096 };  // bytes of a case

struct beyond {
  const char* name;
  int* plant;  // set to plant a difference, to see that it is found
  unsigned long (*check)(const uint8_t* data, size_t size);  // returns how many checks have failed so far
  // Writes the n-th case to make of a plan and returns its size; 0 if there are no more.
  size_t (*encode)(const struct plan* p, unsigned n, uint8_t out[BEYOND_MOST]);
};
extern const struct beyond beyond_tape, beyond_head, beyond_ext, beyond_limits;

// The target of that name; exits with a message if there is none.
const struct beyond* beyond_find(const char* name);
// In the fuzzer: shows it what is new about a message. ext is what is attached, or NULL.
extern void (*beyond_guide)(int type, uint16_t lenient, const llhttp_ext_t* ext, const char* data, size_t len);

// Numbers of n bytes, the lowest first.
static inline uint64_t beyond_get(const uint8_t* p, int n) {
  uint64_t v = 0;
  while (n-- > 0) v = v << 8 | p[n];
  return v;
}

static inline void beyond_put(uint8_t* p, int n, uint64_t v) {
  for (int i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i);
}

// The two parts of a case: its head, of which what is missing is zero, and the input. Returns the input's size.
static inline size_t beyond_parts(const uint8_t* data, size_t size, uint8_t* head, size_t head_size, char* input) {
  const size_t n = size < head_size ? size : head_size;
  memset(head, 0, head_size);
  memcpy(head, data, n);
  memcpy(input, data + n, size - n);
  return size - n;
}

static inline uint16_t beyond_lenient(const uint8_t* p) {
  return (uint16_t)(beyond_get(p, 2) & ((1u << NLENIENT) - 1));
}

// Puts an input behind the head of a case, as much as fits; returns the case's size.
static inline size_t beyond_input(uint8_t* out, size_t head, const uint8_t* data, size_t len) {
  if (len > BEYOND_MOST - head) len = BEYOND_MOST - head;
  memcpy(out + head, data, len);
  return head + len;
}

#endif
