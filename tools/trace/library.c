/* Two libraries with the same soname and the same symbols in one process: the other one is opened by path, with a scope
 * of its own (RTLD_DEEPBIND), so that it calls its own functions, too. Versions of llhttp lay their structs out in
 * different ways, and a wrong one would overwrite memory; so what it does to a parser is looked at before it is used.
 */
#include "library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"

/* The program may be run on llhttp itself. */
#pragma weak llhttp_ext_init
#pragma weak llhttp_ext_attach
#pragma weak llhttp_ext_simd_error

const struct library linked_library = {.ext_init = llhttp_ext_init,
                                       .ext_attach = llhttp_ext_attach,
#define X(NAME) .NAME = llhttp_##NAME,
                                       LIBRARY_FUNCTIONS(X)
#undef X
#define X(NAME, SETTER, RULE, RISK) .set_lenient[LENIENT_##NAME##_INDEX] = llhttp_##SETTER,
                                           LENIENT_FLAGS(X)
#undef X
};

const char* library_simd_error(void) { return llhttp_ext_simd_error == NULL ? NULL : llhttp_ext_simd_error(); }

#ifdef RTLD_DEEPBIND

/* The name of a function that the library lacks, or NULL. ISO C has no cast from an object to a function. */
static const char* take_functions(void* handle, struct library* library) {
#define TAKE_IF_THERE(FUNCTION, SYMBOL)                                                            \
  void* FUNCTION##_address = dlsym(handle, SYMBOL);                                                \
  memcpy(&library->FUNCTION, &FUNCTION##_address, sizeof(FUNCTION##_address));
  TAKE_IF_THERE(ext_init, "llhttp_ext_init")
  TAKE_IF_THERE(ext_attach, "llhttp_ext_attach")
#undef TAKE_IF_THERE
#define TAKE(FUNCTION, SYMBOL)                                                                     \
  do {                                                                                             \
    void* address = dlsym(handle, SYMBOL);                                                         \
    if (address == NULL) return SYMBOL;                                                            \
    memcpy(&library->FUNCTION, &address, sizeof(address));                                         \
  } while (0);
#define X(NAME) TAKE(NAME, "llhttp_" #NAME)
  LIBRARY_FUNCTIONS(X)
#undef X
#define X(NAME, SETTER, RULE, RISK) TAKE(set_lenient[LENIENT_##NAME##_INDEX], "llhttp_" #SETTER)
  LENIENT_FLAGS(X)
#undef X
#undef TAKE
  return NULL;
}

/* Whether the library's structs are those of the header, as far as its functions show. */
static int same_layout(const struct library* library) {
  enum { FILL = 0xa5, MARGIN = 256 };
  static union {
    llhttp_settings_t settings;
    llhttp_t parser;
    unsigned char bytes[sizeof(llhttp_settings_t) + sizeof(llhttp_t) + MARGIN];
  } memory;
  llhttp_settings_t settings;

  memset(&memory, FILL, sizeof(memory));
  library->settings_init(&memory.settings);
  for (size_t i = 0; i < sizeof(memory.bytes); i++) {
    if (memory.bytes[i] != (i < sizeof(settings) ? 0 : FILL)) return 0;
  }
  memset(&settings, 0, sizeof(settings));
  memset(&memory, FILL, sizeof(memory));
  library->init(&memory.parser, HTTP_RESPONSE, &settings);
  library->set_lenient[LENIENT_header_value_relaxed_INDEX](&memory.parser, 1);
  for (size_t i = sizeof(llhttp_t); i < sizeof(memory.bytes); i++) {
    if (memory.bytes[i] != FILL) return 0;
  }
  return memory.parser.type == HTTP_RESPONSE && memory.parser.settings == &settings && memory.parser.data == NULL &&
         memory.parser.lenient_flags == LENIENT_HEADER_VALUE_RELAXED && memory.parser.content_length == 0 &&
         memory.parser.error == HPE_OK && memory.parser.status_code == 0;
}

int library_open(const char* path, struct library* library) {
  /* Without a slash dlopen would search by name, and find by soname what is loaded already. */
  char* absolute = realpath(path, NULL);
  void* handle = dlopen(absolute != NULL ? absolute : path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  free(absolute);
  if (handle == NULL) {
    complain("cannot open the library: %s", dlerror());
    return -1;
  }
  const char* missing = take_functions(handle, library);
  if (missing != NULL) {
    complain("'%s' is not llhttp %d.%d: it has no %s", path, LLHTTP_VERSION_MAJOR, LLHTTP_VERSION_MINOR, missing);
    return -1;
  }
  if (library->execute == linked_library.execute) {
    complain("'%s' is the library that is in use already", path);
    return -1;
  }
  if (!same_layout(library)) {
    complain("'%s' is not llhttp %d.%d: its structs are laid out in another way", path, LLHTTP_VERSION_MAJOR,
             LLHTTP_VERSION_MINOR);
    return -1;
  }
  return 0;
}

#else /* musl */

int library_open(const char* path, struct library* library) {
  (void)library;
  complain("cannot open '%s': this C library cannot keep two libraries of the same name apart", path);
  return -1;
}

#endif
