/* Well-known field names: core/knownfield.go in C, as the way into Go takes longer than the search. What is promised is in
 * llhttp_ext.h; tests/c/knownfield.c holds the two against each other. */
#include <string.h>

#include "knownfields_gen.h"
#include "llhttp_ext.h"

/* Eight bytes, or four, the first in the lowest place. */
static inline uint64_t load64(const char* p) {
  uint64_t w;
  memcpy(&w, p, sizeof(w));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  w = __builtin_bswap64(w);
#endif
  return w;
}

static inline uint64_t load32(const char* p) {
  uint32_t w;
  memcpy(&w, p, sizeof(w));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  w = __builtin_bswap32(w);
#endif
  return w;
}

int llhttp_ext_field_id(const char* name, size_t length) {
  const uint64_t fold = UINT64_C(0x2020202020202020);
  const struct known_field* k;
  uint64_t first, last, hash;
  size_t i;
  int id;
  if (length >= 8) {
    first = load64(name);
    last = load64(name + length - 8);
  } else if (length >= 4) {
    last = first = load32(name) << (64 - 8 * length) | load32(name + length - 4) << 32 | ~UINT64_C(0) >> 8 * length;
  } else if (length != 0) {
    const uint8_t* p = (const uint8_t*)name;
    const size_t fill = 64 - 8 * length;
    last = first = (uint64_t)p[0] << fill | (uint64_t)p[length / 2] << (fill + length / 2 * 8) |
                   (uint64_t)p[length - 1] << 56 | ~UINT64_C(0) >> 8 * length;
  } else {
    return LLHTTP_EXT_FIELD_UNKNOWN;
  }
  hash = ((first | fold) + (last | fold) * 4 + length) * FIELD_K;
  id = field_slots[hash >> FIELD_SHIFT];
  k = &known_fields[id];
  if ((((first ^ k->first) & ~k->first_mask) | ((last ^ k->last) & ~k->last_mask)) != 0 || k->length != length)
    return LLHTTP_EXT_FIELD_UNKNOWN;
  for (i = 8; i + 8 < length; i += 8) {
    const size_t text = k->text + i;
    if (((load64(name + i) ^ load64(field_text + text)) & ~load64((const char*)field_text_mask + text)) != 0)
      return LLHTTP_EXT_FIELD_UNKNOWN;
  }
  return id;
}

const char* llhttp_ext_field_name(int id, size_t* length) {
  const int known = id > LLHTTP_EXT_FIELD_UNKNOWN && id < LLHTTP_EXT_FIELD_COUNT;
  if (length != NULL) *length = known ? known_fields[id].length : 0;
  return known ? field_text + known_fields[id].text : NULL;
}
