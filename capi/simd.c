/* The level: which kernels the parser uses. What is promised is in llhttp_ext.h.
 *
 * The level itself is a byte of the parser's. In the library that has no Go runtime this file finds out what the CPU has;
 * in the other one Go does (simd.go), and here is only the choice. Both ask the same questions, and a test compares the
 * answers. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv */
#endif
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "llhttp_ext.h"

/* The lowest level of the build: the one that GOAMD64 stands for, since the parser has nothing below it. */
#ifndef LLHTTP_BASELINE
#define LLHTTP_BASELINE LLHTTP_EXT_SIMD_GENERIC
#endif

enum { LEVELS = LLHTTP_EXT_SIMD_NEON + 1 };

static const char* const names[LEVELS] = {"generic", "sse4.2", "avx2", "neon"};

/* What is written once, while the library is loaded: the levels that can be chosen, what LLHTTP_SIMD says, and what is
 * wrong with it. */
static unsigned available;
static char forced[36]; /* longer than the longest value that is quoted in full */
static char error[160];

static void append(char* text, size_t size, const char* more) { strncat(text, more, size - strlen(text) - 1); }

static void append_names(char* text, size_t size, unsigned levels) {
  const char* separator = "";
  int level;
  for (level = 0; level < LEVELS; level++) {
    if ((levels >> level & 1) == 0) continue;
    append(text, size, separator);
    append(text, size, names[level]);
    separator = ", ";
  }
}

static int refusal(unsigned levels, int level) {
  if (level < 0 || level >= LEVELS) return LLHTTP_EXT_SIMD_UNKNOWN;
  if (levels >> level & 1) return 0;
  return (levels & ((1u << level) - 1)) == 0 && levels != 0 ? LLHTTP_EXT_SIMD_NOT_BUILT : LLHTTP_EXT_SIMD_UNAVAILABLE;
}

int llhttp_ext_simd_by_name(const char* name) {
  int level;
  for (level = 0; level < LEVELS; level++)
    if (strcmp(name, names[level]) == 0) return level;
  return LLHTTP_EXT_SIMD_UNKNOWN;
}

const char* llhttp_ext_simd_name(int level) { return level < 0 || level >= LEVELS ? "<unknown>" : names[level]; }

/* Keeps a copy of LLHTTP_SIMD: the host may change its environment while Go starts. */
static void read_environment(void) {
  enum { MOST = 32 };
  const char* value = secure_getenv("LLHTTP_SIMD");
  size_t i;
  if (value == NULL) return;
  for (i = 0; i < MOST && value[i] != '\0'; i++) forced[i] = value[i] < ' ' || value[i] > '~' ? '?' : value[i];
  if (value[i] != '\0') memcpy(forced + i, "...", sizeof("..."));
}

/* The level to begin with, given all that can be chosen. */
static uint8_t choose(unsigned levels) {
  int best = 0, level, why;
  for (level = 0; level < LEVELS; level++)
    if (levels >> level & 1) best = level;
  available = levels;
  if (levels == 0) {
    append(error, sizeof(error), "the library is built for CPUs with ");
    append(error, sizeof(error), names[LLHTTP_BASELINE]);
    append(error, sizeof(error), ", which this one lacks");
    return (uint8_t)best;
  }
  if (forced[0] == '\0') return (uint8_t)best;
  level = llhttp_ext_simd_by_name(forced);
  why = refusal(levels, level);
  if (why == 0) return (uint8_t)level;
  append(error, sizeof(error), "LLHTTP_SIMD=");
  append(error, sizeof(error), forced);
  append(error, sizeof(error), " is ignored: ");
  append(error, sizeof(error),
         why == LLHTTP_EXT_SIMD_UNKNOWN     ? "unknown level; known: "
         : why == LLHTTP_EXT_SIMD_NOT_BUILT ? "not in this build; available: "
                                            : "not available on this CPU; available: ");
  append_names(error, sizeof(error), why == LLHTTP_EXT_SIMD_UNKNOWN ? (1u << LEVELS) - 1 : levels);
  return (uint8_t)best;
}

#ifdef LLHTTP_DIRECT

#if defined(__aarch64__)
#include <sys/auxv.h>
#ifndef HWCAP_ASIMD
#define HWCAP_ASIMD (1 << 1)
#endif
#endif

extern void llhttp_core_set_level(uint8_t level) __attribute__((visibility("hidden")));
extern uint8_t llhttp_core_get_level(void) __attribute__((visibility("hidden")));

/* The levels that the CPU and the operating system have. */
static unsigned detect(void) {
  unsigned levels = 1u << LLHTTP_EXT_SIMD_GENERIC;
#if defined(__x86_64__)
  __builtin_cpu_init(); /* a constructor may run before the compiler's own */
  if (__builtin_cpu_supports("ssse3")) levels |= 1u << LLHTTP_EXT_SIMD_SSE42;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
    levels |= 1u << LLHTTP_EXT_SIMD_AVX2;
#elif defined(__aarch64__)
  if (getauxval(AT_HWCAP) & HWCAP_ASIMD) levels |= 1u << LLHTTP_EXT_SIMD_NEON;
#endif
  return levels;
}

/* Before the constructors of the host, which may parse. */
__attribute__((constructor(101))) static void load(void) {
  read_environment();
  llhttp_core_set_level(choose(detect() >> LLHTTP_BASELINE << LLHTTP_BASELINE));
}

static void wait_until_loaded(void) {}

#else

extern void llhttp_core_set_level_cgo(uint8_t level);
extern uint8_t llhttp_core_get_level_cgo(void);
#define llhttp_core_set_level llhttp_core_set_level_cgo
#define llhttp_core_get_level llhttp_core_get_level_cgo

/* Before the constructor that starts Go, whose thread calls llhttp_simd_choose. */
__attribute__((constructor(101))) static void load(void) { read_environment(); }

extern uint8_t llhttp_simd_choose(unsigned levels);
uint8_t llhttp_simd_choose(unsigned levels) { return choose(levels); }

/* Every call into Go waits until Go's init functions have run. */
static void wait_until_loaded(void) { (void)llhttp_core_get_level(); }

#endif

int llhttp_ext_simd_get(void) { return llhttp_core_get_level(); }

int llhttp_ext_simd_set(int level) {
  int why;
  wait_until_loaded();
  why = refusal(available, level);
  if (why == 0) llhttp_core_set_level((uint8_t)level);
  return why;
}

unsigned int llhttp_ext_simd_available(void) {
  wait_until_loaded();
  return available;
}

const char* llhttp_ext_simd_error(void) {
  wait_until_loaded();
  return error[0] != '\0' ? error : NULL;
}
