// What libFuzzer calls for the target limits: bytes are a case of tests/splits, which says what must hold of it. The
// library is linked in, and not instrumented: what is new to the fuzzer is what the parser shows (the state that a
// piece leaves it in, with how the case ended) and the code that works out where it must stop. A failed check ends the
// process, so that libFuzzer keeps the input.
#include "../splits/case.h"

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// libFuzzer takes what is in this section for counters of its own.
static uint8_t states[256][64] __attribute__((section("__libfuzzer_extra_counters")));

// The first two bytes of the parser's own state are its number and the field's kind: see capi/frame.h.
static void count_states(const struct split_case* s) {
  llhttp_settings_t settings;
  llhttp_ext_t ext;
  llhttp_t parser;
  llhttp_errno_t err = HPE_OK;
  llhttp_settings_init(&settings);
  llhttp_init(&parser, s->type, &settings);
  parser.lenient_flags = s->lenient;
  llhttp_ext_init(&ext);
  ext.rules = s->rules;
  limits_to(&ext, &s->limits);
  llhttp_ext_attach(&parser, &ext);
  for (size_t at = 0; at < s->len && err == HPE_OK; at++) {
    uint8_t current[sizeof parser._current];
    err = llhttp_execute(&parser, s->input + at, 1);
    memcpy(current, &parser._current, sizeof current);
    uint8_t* counter = &states[current[0]][current[1] & 15];
    *counter += *counter < 255;
  }
  const char* reason = llhttp_get_error_reason(&parser);
  uint32_t hash = 2166136261u;
  while (reason != NULL && *reason != 0) hash = (hash ^ (uint8_t)*reason++) * 16777619u;
  states[hash >> 24][16 + (hash >> 8) % 48] = 1;
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  for (int i = 1; i < *argc; i++) case_plant |= strcmp((*argv)[i], "--plant=field_line") == 0;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static struct split_case s;
  case_from_bytes(&s, data, size);
  count_states(&s);
  case_check(&s, 0);
  if (check_failed != 0) abort();
  return 0;
}
