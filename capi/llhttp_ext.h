#ifndef INCLUDE_LLHTTP_EXT_H_
#define INCLUDE_LLHTTP_EXT_H_

/* What this library has beyond llhttp's API. Independent of llhttp.h: either may be included first, or alone. */

#ifdef __cplusplus
extern "C" {
#endif

#ifndef LLHTTP_EXPORT
#if defined(__wasm__)
#define LLHTTP_EXPORT __attribute__((visibility("default")))
#elif defined(_WIN32)
#define LLHTTP_EXPORT __declspec(dllexport)
#else
#define LLHTTP_EXPORT
#endif
#endif

/* Levels: which instructions the parser uses to look at many bytes at once.
 *
 * One level is in use in the whole process, for all parsers. When the library is loaded it takes the best one that the
 * CPU has, or the one that the environment variable LLHTTP_SIMD names: generic, sse4.2, avx2 or neon. The variable is not
 * looked at in a process with raised privileges (setuid, for one), and an empty one counts as not set. One that names a
 * level which is unknown or not available is ignored as a whole, as if it were not set, and llhttp_ext_simd_error says
 * so; no other level is ever taken for it without a word.
 *
 * Results never depend on the level, only the time they take. There is no need to choose one except to compare levels, or
 * to find out whether a fault lies in one.
 *
 * Threads. Every function may be called at any time in any thread, in callbacks, too. The level is one byte, written at
 * once. A change is for the parses that begin after it; a parse under way, in this thread or another, may use either level.
 */
enum llhttp_ext_simd_level {
  LLHTTP_EXT_SIMD_GENERIC = 0, /* no vector instructions; on every CPU */
  LLHTTP_EXT_SIMD_SSE42 = 1,   /* x86-64 with SSSE3: named after the class of CPUs that has it, x86-64-v2 */
  LLHTTP_EXT_SIMD_AVX2 = 2,    /* x86-64 with AVX2, BMI1 and BMI2: the class x86-64-v3 */
  LLHTTP_EXT_SIMD_NEON = 3     /* arm64 */
};

/* Errors of the functions below; all are negative. */
enum llhttp_ext_simd_errno {
  LLHTTP_EXT_SIMD_UNKNOWN = -1,     /* there is no such level */
  LLHTTP_EXT_SIMD_UNAVAILABLE = -2, /* the CPU does not have it */
  LLHTTP_EXT_SIMD_NOT_BUILT = -3    /* below what the library was built for: such a build has nothing for older CPUs */
};

/* Returns the level in use, an llhttp_ext_simd_level. */
LLHTTP_EXPORT
int llhttp_ext_simd_get(void);

/* Changes the level. Returns 0, or an llhttp_ext_simd_errno: then the level stays as it is. */
LLHTTP_EXPORT
int llhttp_ext_simd_set(int level);

/* Returns the levels that llhttp_ext_simd_set takes, as bits: 1u << LLHTTP_EXT_SIMD_AVX2, for instance. No bit is set on a CPU
 * that lacks what the library was built for; it cannot parse there.
 */
LLHTTP_EXPORT
unsigned int llhttp_ext_simd_available(void);

/* Returns the level's name as LLHTTP_SIMD has it, a static string; "<unknown>" if there is no such level. */
LLHTTP_EXPORT
const char* llhttp_ext_simd_name(int level);

/* Returns the level of that name, available or not, or LLHTTP_EXT_SIMD_UNKNOWN. The name must not be NULL. */
LLHTTP_EXPORT
int llhttp_ext_simd_by_name(const char* name);

/* Returns NULL, or what was wrong when the library was loaded, for a log: one line of printable ASCII, without a line end,
 * that stays as it is until the library is unloaded. Examples:
 *
 *     LLHTTP_SIMD=avx9 is ignored: unknown level; known: generic, sse4.2, avx2, neon
 *     LLHTTP_SIMD=avx2 is ignored: not available on this CPU; available: generic, sse4.2
 *     LLHTTP_SIMD=generic is ignored: not in this build; available: avx2
 *     the library is built for CPUs with avx2, which this one lacks
 *
 * llhttp_ext_simd_set neither needs nor changes it.
 */
LLHTTP_EXPORT
const char* llhttp_ext_simd_error(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* INCLUDE_LLHTTP_EXT_H_ */
