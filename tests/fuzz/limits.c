// The target limits: limits and rules of llhttp_ext.h. Bytes are a case of tests/splits, which says what must hold of it; `splits`
// makes those that a fuzzer begins with.
#define _GNU_SOURCE
#include "../splits/case.h"

#include "beyond.h"

static unsigned long check(const uint8_t* data, size_t size) {
  static struct split_case s;
  case_from_bytes(&s, data, size);
  if (beyond_guide != NULL) {
    llhttp_ext_t ext;
    llhttp_ext_init(&ext);
    ext.rules = s.rules;
    limits_to(&ext, &s.limits);
    beyond_guide(s.type, s.lenient, &ext, s.input, s.len);
  }
  case_check(&s, 0);
  return check_failed;
}

// As it is plain, and with each limit.
static size_t encode(const struct plan* p, unsigned n, uint8_t out[BEYOND_MOST]) {
  static struct split_case s;
  if (n > LIMITS) return 0;
  memset(&s, 0, sizeof s);
  if (n != 0) s.limits.most[n - 1] = 1 + p->len % 40;
  s.type = (llhttp_type_t)p->type;
  s.lenient = p->lenient;
  s.cuts = p->len;
  s.len = p->len < CASE_INPUT ? p->len : CASE_INPUT;
  memcpy(s.input, p->input, s.len);
  return case_to_bytes(&s, out);
}

const struct beyond beyond_limits = {"limits", &case_plant, check, encode};
