/* An llhttp library as a table of functions: the one that the tool is linked with, or another one, opened by path. */
#ifndef TRACE_LIBRARY_H
#define TRACE_LIBRARY_H

#include "llhttp.h"
#include "llhttp_ext.h"
#include "tables_gen.h"

/* The functions that the tool calls, without their prefix. */
#define LIBRARY_FUNCTIONS(X)                                                                       \
  X(settings_init) X(init) X(execute) X(finish) X(resume) X(resume_after_upgrade)                  \
  X(should_keep_alive) X(get_type) X(get_method) X(get_status_code) X(get_http_major)              \
  X(get_http_minor) X(get_upgrade) X(get_error_reason) X(get_error_pos)

enum lenient {
#define X(NAME, SETTER, RULE, RISK) LENIENT_##NAME##_INDEX,
  LENIENT_FLAGS(X)
#undef X
      LENIENT_COUNT
};

struct library {
#define X(NAME) __typeof__(&llhttp_##NAME) NAME;
  LIBRARY_FUNCTIONS(X)
#undef X
  void (*set_lenient[LENIENT_COUNT])(llhttp_t*, int);
  /* Of llhttp_ext.h. llhttp itself has no extensions: both are NULL then. */
  __typeof__(&llhttp_ext_init) ext_init;
  __typeof__(&llhttp_ext_attach) ext_attach;
};

static inline int library_has_extensions(const struct library* library) {
  return library->ext_init != NULL && library->ext_attach != NULL;
}

/* The one that the tool is linked with. */
extern const struct library linked_library;

/* Why it does not use the kernels that LLHTTP_SIMD names; NULL if it does, or knows no such thing. */
const char* library_simd_error(void);

/* Opens the library at `path`, whose structs must be those of this version of llhttp. It stays open until the program
 * ends. Returns 0, or -1 after a complaint.
 */
int library_open(const char* path, struct library* library);

#endif /* TRACE_LIBRARY_H */
