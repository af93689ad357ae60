#include <stdint.h>
extern void llhttp_core_set_level(uint8_t) __attribute__((visibility("hidden")));
#ifdef LLHTTP_DIRECT
#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) static void choose(void) {
  const char* e = getenv("LLHTTP_SIMD");
  __builtin_cpu_init();
  if (e && !strcmp(e, "generic")) return;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && !(e && !strcmp(e, "sse4.2"))) llhttp_core_set_level(2);
  else if (__builtin_cpu_supports("ssse3")) llhttp_core_set_level(1);
}
#endif
