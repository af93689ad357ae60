// The target head: llhttp_ext_head_parse, what goes on behind it, and the lookups, at every level, against callbacks with the
// portable kernels; tests/head/compare.h says what must hold. In a case, from its first byte on, zero being what is plain:
//
//   0      type
//   1-2    lenient flags
//   3-4    fields that there is memory for, less one; 0 for the most
//   5-6    bytes that there are at first, less one; 0 for all
//   7-8    bytes that come then each time; 0 for all
//   9-10   seed of names to look up
//
// then the input, at once as well; if it is short, also byte by byte, and in two pieces with every cut.
#define _GNU_SOURCE
#include "../head/compare.h"

#include "beyond.h"

enum { HEAD = 11, SHORT = 80 };

static void check_level(const struct input* in, const struct expected* x, const uint8_t* head) {
  const size_t room = (beyond_get(head + 3, 2) + MOST_FIELDS - 1) % MOST_FIELDS;
  const size_t first = beyond_get(head + 5, 2), step = beyond_get(head + 7, 2);
  struct rng r = {beyond_get(head + 9, 2)};
  head_compare(in, x, room, first == 0 ? in->len : first - 1, step == 0 ? BEYOND_MOST : step, &r);
  head_compare(in, x, room, in->len, 1, &r);
  if (in->len <= SHORT) head_compare(in, x, room, 0, 1, &r);
}

// Each place where the first piece may end, at the next level that there is.
static void check_cuts(const struct input* in, const struct expected* x, const uint8_t* head) {
  struct rng r = {beyond_get(head + 9, 2)};
  int level = head[9] % 8;
  for (size_t i = 0; i < in->len; i++) {
    do level = (level + 1) % 8;
    while (llhttp_ext_simd_set(level) != 0);
    head_compare(in, x, MOST_FIELDS, i, BEYOND_MOST, &r);
  }
}

static unsigned long check(const uint8_t* data, size_t size) {
  static struct expected x;
  static char copy[BEYOND_MOST + 1];
  uint8_t head[HEAD];
  const int before = llhttp_ext_simd_get();
  struct input in = {copy, 0, 0, 0};
  if (size > BEYOND_MOST) return check_failed;
  if (head_pages.start == NULL) head_open();
  in.len = beyond_parts(data, size, head, HEAD, copy);
  copy[in.len] = '\0';
  in.type = head[0] % 3;
  in.lenient = beyond_lenient(head + 1);
  head_runs = 0;
  if (beyond_guide != NULL) beyond_guide(in.type, in.lenient, NULL, in.bytes, in.len);
  llhttp_ext_simd_set(LLHTTP_EXT_SIMD_GENERIC);
  head_expect(&x, &in);
  for (int level = 0; level < 8; level++)
    if (llhttp_ext_simd_set(level) == 0) check_level(&in, &x, head);
  if (in.len <= SHORT) check_cuts(&in, &x, head);
  rec_free(&x.rest);
  llhttp_ext_simd_set(before);
  return check_failed;
}

// In pieces, once with little memory: at once it comes anyway.
static size_t encode(const struct plan* p, unsigned n, uint8_t out[BEYOND_MOST]) {
  if (n > 1) return 0;
  memset(out, 0, HEAD);
  out[0] = p->type;
  beyond_put(out + 1, 2, p->lenient);
  beyond_put(out + 5, 2, 1 + p->len / 3);
  beyond_put(out + 7, 2, n == 0 ? 17 : p->len / 4);
  if (n == 1) out[3] = 3;
  return beyond_input(out, HEAD, p->input, p->len);
}

const struct beyond beyond_head = {"head", &head_plant, check, encode};
