// What libFuzzer calls for the targets of beyond.h. A failed check ends the process, so that libFuzzer keeps the input. What is new
// to the fuzzer is the code of the checks; and for messages, as the library is not instrumented, the states that the parser
// goes through, and the code of llhttp, which parses them as well.
#include <dlfcn.h>
#include <stdlib.h>

#include "beyond.h"

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static const struct beyond* target;
static struct {
  __typeof__(&llhttp_init) init;
  __typeof__(&llhttp_settings_init) settings_init;
  __typeof__(&llhttp_execute) execute;
} reference;

// libFuzzer takes what is in this section for counters of its own.
static uint8_t states[256][64] __attribute__((section("__libfuzzer_extra_counters")));

// The first two bytes of the parser's own state are its number and the field's kind: see capi/frame.h.
static void count_states(int type, uint16_t lenient, const llhttp_ext_t* ext, const char* data, size_t len) {
  llhttp_settings_t settings;
  llhttp_ext_t attached;
  llhttp_t parser;
  llhttp_errno_t err = HPE_OK;
  llhttp_settings_init(&settings);
  llhttp_init(&parser, (llhttp_type_t)type, &settings);
  parser.lenient_flags = lenient;
  if (ext != NULL) {
    attached = *ext;
    llhttp_ext_attach(&parser, &attached);
  }
  for (size_t at = 0; at < len && err == HPE_OK; at++) {
    uint8_t current[sizeof parser._current];
    err = llhttp_execute(&parser, data + at, 1);
    memcpy(current, &parser._current, sizeof current);
    uint8_t* counter = &states[current[0]][current[1] & 15];
    *counter += *counter < 255;
  }
  const char* reason = llhttp_get_error_reason(&parser);
  uint32_t hash = 2166136261u;
  while (reason != NULL && *reason != 0) hash = (hash ^ (uint8_t)*reason++) * 16777619u;
  states[hash >> 24][16 + (hash >> 8) % 48] = 1;
}

static void guide(int type, uint16_t lenient, const llhttp_ext_t* ext, const char* data, size_t len) {
  static struct plan plan;
  llhttp_settings_t settings;
  llhttp_t parser;
  count_states(type, lenient, ext, data, len);
  plan.lenient = lenient;
  plan.len = (uint32_t)len;
  memcpy(plan.input, data, len);
  if (!plan_is_safe(&plan)) return;
  reference.settings_init(&settings);
  reference.init(&parser, (llhttp_type_t)type, &settings);
  parser.lenient_flags = lenient;
  reference.execute(&parser, data, len);
}

static void load_reference(const char* path) {
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
#define FIND(name) \
  { \
    void* found = handle == NULL ? NULL : dlsym(handle, "llhttp_" #name); \
    if (found == NULL) { \
      fprintf(stderr, "fuzz: %s\n", dlerror()); \
      exit(2); \
    } \
    memcpy(&reference.name, &found, sizeof found); \
  }
  FIND(init)
  FIND(settings_init)
  FIND(execute)
#undef FIND
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  int planted = 0;
  for (int i = 1; i < *argc; i++) {
    const char* a = (*argv)[i];
    if (strncmp(a, "--target=", 9) == 0) target = beyond_find(a + 9);
    else if (strncmp(a, "--reference=", 12) == 0) load_reference(a + 12);
    else planted |= strcmp(a, "--plant") == 0;
  }
  if (target == NULL || reference.execute == NULL) {
    fputs("fuzz: --target and --reference are needed\n", stderr);
    exit(2);
  }
  *target->plant = planted;
  beyond_guide = guide;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (target->check(data, size) != 0) abort();
  return 0;
}
