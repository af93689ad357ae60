// The target tape: llhttp_ext_execute against llhttp_execute with the portable kernels, at every level; tests/tape/compare.h says
// what must hold. In a case, from its first byte on, zero being what is plain:
//
//   0      type
//   1-2    lenient flags
//   3      1: something is attached; 4-7 its rules; 8-14 its limits, half of max_header_bytes
//   15-16  size of the array, less one; 0 for the largest
//   17-20  kinds that are not wanted
//   21     1: stop at headers; 22-25 what is said there, two bits for each section
//   26     average length of pieces; 0 for one piece; 27-30 seed of the cuts
//   31-34  which pieces get to llhttp_execute in one of the runs: bits, again after 32
//
// then the input. It comes as it is cut, in one piece and, if it is short, byte by byte.
#define _GNU_SOURCE
#include "../tape/compare.h"
#include "../splits/case.h"

#include "beyond.h"

enum { HEAD = 35, SHORT = 300 };

static struct record calm, event, mixed;

static void cut(struct input* in, uint32_t average, uint32_t seed) {
  struct rng r = {seed};
  size_t at = 0;
  in->count = 0;
  do in->pieces[in->count++] = at = next_cut(&r, at, in->len, average);
  while (at < in->len);
}

static void check_cut(const struct input* in, const struct way* way) {
  struct way by_callbacks = *way, by_events = *way, by_both = *way;
  by_callbacks.mask = LLHTTP_EXT_TAPE_ALL;
  by_callbacks.callbacks = UINT64_MAX;
  by_events.callbacks = 0;
  llhttp_ext_simd_set(LLHTTP_EXT_SIMD_GENERIC);
  tape_run(&calm, in, &by_callbacks);
  for (int level = 0; level < 8; level++) {
    if (llhttp_ext_simd_set(level) != 0) continue;
    tape_run(&event, in, &by_events);
    tape_agree(&calm, &event);
    if (way->mask == LLHTTP_EXT_TAPE_ALL) tape_names(in, &event);
    if (way->callbacks == 0) continue;
    tape_run(&mixed, in, &by_both);
    tape_agree(&calm, &mixed);
  }
}

static unsigned long check(const uint8_t* data, size_t size) {
  static struct input in;
  static char copy[BEYOND_MOST];
  uint8_t head[HEAD];
  const int before = llhttp_ext_simd_get();
  struct limits limits;
  llhttp_ext_t ext;
  struct way way;
  if (size > BEYOND_MOST) return check_failed;
  if (tape_bytes.start == NULL) tape_open();
  in.bytes = copy;
  in.len = beyond_parts(data, size, head, HEAD, copy);
  in.type = head[0] % 3;
  in.lenient = beyond_lenient(head + 1);
  in.ext = head[3] & 1 ? &ext : NULL;
  for (int i = 0; i < LIMITS; i++) limits.most[i] = (i == LIMIT_header_bytes ? 2u : 1u) * head[8 + i];
  llhttp_ext_init(&ext);
  ext.rules = (uint32_t)beyond_get(head + 4, 4);
  limits_to(&ext, &limits);
  way.room = (beyond_get(head + 15, 2) + MOST_ROOM - 1) % MOST_ROOM + 1;
  way.mask = LLHTTP_EXT_TAPE_ALL & ~(uint32_t)beyond_get(head + 17, 4);
  way.options = head[21] & 1 ? LLHTTP_EXT_TAPE_STOP_AT_HEADERS : 0;
  way.choices = beyond_get(head + 22, 4);
  way.callbacks = beyond_get(head + 31, 4) * UINT64_C(0x100000001);
  tape_runs = 0;
  if (beyond_guide != NULL) beyond_guide(in.type, in.lenient, in.ext, in.bytes, in.len);
  cut(&in, head[26], (uint32_t)beyond_get(head + 27, 4));
  check_cut(&in, &way);
  if (head[26] != 0) {
    cut(&in, 0, 0);
    check_cut(&in, &way);
  }
  if (in.len <= SHORT) {
    cut(&in, 1, 0);
    check_cut(&in, &way);
  }
  llhttp_ext_simd_set(before);
  return check_failed;
}

// As it is plain; cut, with an array of two; and with stops, where each section ends in another way, and all that may be attached.
static size_t encode(const struct plan* p, unsigned n, uint8_t out[BEYOND_MOST]) {
  if (n > 2) return 0;
  memset(out, 0, HEAD);
  out[0] = p->type;
  beyond_put(out + 1, 2, p->lenient);
  if (n != 0) {
    out[26] = (uint8_t)(n == 1 ? 7 : 40);
    beyond_put(out + 27, 4, p->len);
    beyond_put(out + 31, 4, UINT64_C(0x5a5aa5a5));
  }
  if (n == 1) out[15] = 2;
  if (n == 2) {
    out[3] = 1;
    memset(out + 8, 200, LIMITS);
    out[15] = 9;
    out[21] = 1;
    beyond_put(out + 22, 4, UINT64_C(0x1b1b1b1b) >> p->len % 8);
  }
  return beyond_input(out, HEAD, p->input, p->len);
}

const struct beyond beyond_tape = {"tape", &tape_plant, check, encode};
