// What libFuzzer calls. A difference is printed and ends the process, so that libFuzzer keeps the input. What is new to
// the fuzzer is what the reference's code has not done yet and, as the tested library is not instrumented, what that
// library shows: the state that a piece leaves it in, the lengths of spans, and which event follows which.
#include <stdlib.h>

#include "fuzz.h"

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// libFuzzer takes what is in this section for counters of its own.
static struct {
  uint8_t state[256][16], batch[256][8];
  uint8_t span[NSPANS][32], pair[NEV][NEV];
} seen __attribute__((section("__libfuzzer_extra_counters")));

static inline void count(uint8_t* counter) { *counter += *counter < 255; }

static __typeof__(&llhttp_execute) execute;

// The parser's private fields: capi/frame.h says that the first two bytes of _current are the state and the field's
// kind, and capi/driver.c what _index is. If that changes, less is found to be new, but nothing goes wrong.
static llhttp_errno_t counting_execute(llhttp_t* parser, const char* data, size_t len) {
  llhttp_errno_t rc = execute(parser, data, len);
  uint8_t current[sizeof parser->_current];
  memcpy(current, &parser->_current, sizeof current);
  count(&seen.state[current[0]][current[1] & 15]);
  count(&seen.batch[current[0]][parser->_index > 0 ? __builtin_ctz((unsigned)parser->_index) & 7 : 0]);
  return rc;
}

static unsigned length_class(uint32_t n) {
  // Blocks of 16, 32 and 64 bytes: their lengths, those beside them, and what lies between.
  static const uint16_t limits[] = {0,  1,  2,  4,  8,  14, 15, 16, 17, 18,  24,  30,  31, 32,
                                    33, 34, 48, 62, 63, 64, 65, 66, 96, 127, 128, 129, 512};
  unsigned i = 0;
  while (i < sizeof limits / sizeof limits[0] && n > limits[i]) i++;
  return i;
}

static void count_events(const struct log* l) {
  unsigned before = EV_FEED;
  for (uint32_t i = 0; i < l->n; i++) {
    unsigned kind = l->ev[i].kind;
    if (kind < NSPANS) count(&seen.span[kind][length_class(l->ev[i].len)]);
    count(&seen.pair[before][kind]);
    before = kind;
  }
}

static void at_end(void) {
  printf("fuzz: %s: %llu comparisons, %llu of them up to where the reference hangs\n", fuzz_target->name,
         (unsigned long long)fuzz_comparisons, (unsigned long long)fuzz_hangs);
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  struct fuzz_options o = {0};
  for (int i = 1; i < *argc; i++) fuzz_option(&o, (*argv)[i]);
  fuzz_open(&o);
  execute = fuzz_tested.execute;
  fuzz_tested.execute = counting_execute;
  atexit(at_end);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static struct plan p;
  if (size > FUZZ_MAX) return 0;
  fuzz_decode(&p, data, size);
  if (fuzz_run(&p, stderr)) {
    fflush(NULL);
    abort();
  }
  count_events(&fuzz_log);
  return 0;
}
