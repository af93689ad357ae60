// Loads the reference and the tested library into one process. Both carry the same soname and the same symbols:
// each is opened by path with RTLD_LOCAL and its functions are taken with dlsym. What must hold, and is checked for
// every function: it comes from the object it was asked of, so neither library answers for the other.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diff.h"
#include "llhttp_ext.h"

static void fail(const char* what, const char* path, const char* why) {
  fprintf(stderr, "differential: %s %s: %s\n", what, path, why ? why : "unknown error");
  exit(SETUP_FAILED);
}

static void* take(struct lib* l, const char* path, const char* symbol) {
  void* f = dlsym(l->handle, symbol);
  if (!f) fail("missing function in", path, dlerror());
  Dl_info from;
  void* known = dlsym(l->handle, "llhttp_init");
  Dl_info home;
  if (!dladdr(f, &from) || !dladdr(known, &home) || from.dli_fbase != home.dli_fbase)
    fail("function from another object than", path, symbol);
  return f;
}

static void load(struct lib* l, const char* label, const char* path, const char* open_path) {
  l->label = label;
  l->handle = dlopen(open_path, RTLD_NOW | RTLD_LOCAL);
  if (!l->handle) fail("cannot load", path, dlerror());
#define X(name) l->name = (__typeof__(l->name))take(l, path, "llhttp_" #name);
  API(X)
#undef X
  int bit = 0;
#define X(name) l->set_lenient[bit++] = (__typeof__(l->set_lenient[0]))take(l, path, "llhttp_set_lenient_" #name);
  LENIENT(X)
#undef X
}

// The loader takes one inode for one object: to run a library against itself, open a copy.
static void load_copy(struct lib* l, const char* label, const char* path) {
  const char* dir = getenv("TMPDIR");
  char name[512], buffer[65536];
  snprintf(name, sizeof name, "%s/differential.XXXXXX", dir && *dir ? dir : "/tmp");
  int to = mkstemp(name), from = open(path, O_RDONLY);
  if (to < 0 || from < 0) fail("cannot copy", path, "");
  for (ssize_t n; (n = read(from, buffer, sizeof buffer)) > 0;)
    if (write(to, buffer, (size_t)n) != n) fail("cannot copy", path, "");
  close(from);
  close(to);
  load(l, label, path, name);
  unlink(name);
}

void lib_load(struct lib* reference, const char* reference_path, struct lib* tested, const char* tested_path,
              int extended) {
  struct stat a, b;
  if (stat(reference_path, &a)) fail("cannot find", reference_path, "");
  if (stat(tested_path, &b)) fail("cannot find", tested_path, "");
  // Without a slash dlopen would search by name, and find by soname what is already loaded.
  char *ra = realpath(reference_path, NULL), *rb = realpath(tested_path, NULL);
  load(reference, "reference", reference_path, ra);
  if (a.st_dev == b.st_dev && a.st_ino == b.st_ino) load_copy(tested, "tested", tested_path);
  else load(tested, "tested", tested_path, rb);
#define X(name) \
  if ((void *)reference->name == (void *)tested->name) fail("one object for two paths:", tested_path, #name);
  API(X)
#undef X
  free(ra);
  free(rb);
  if (!extended) return;
  tested->ext_init = (__typeof__(tested->ext_init))take(tested, tested_path, "llhttp_ext_init");
  tested->ext_attach = (__typeof__(tested->ext_attach))take(tested, tested_path, "llhttp_ext_attach");
}

void lib_set_level(const struct lib* l, const char* level) {
  __typeof__(&llhttp_ext_simd_by_name) by_name = (__typeof__(by_name))dlsym(l->handle, "llhttp_ext_simd_by_name");
  __typeof__(&llhttp_ext_simd_set) set = (__typeof__(set))dlsym(l->handle, "llhttp_ext_simd_set");
  if (!by_name || !set || set(by_name(level))) fail("cannot set the level of", l->label, level);
}

const char* lib_level_name(const struct lib* l, int level) {
  __typeof__(&llhttp_ext_simd_available) available = (__typeof__(available))dlsym(l->handle,
                                                                                  "llhttp_ext_simd_available");
  __typeof__(&llhttp_ext_simd_name) name = (__typeof__(name))dlsym(l->handle, "llhttp_ext_simd_name");
  if (!available || !name) fail("there are no levels in", l->label, NULL);
  return available() >> level & 1 ? name(level) : NULL;
}

static int names_differ(const char* kind, int value, const char* a, const char* b) {
  if (a && b && strcmp(a, b) == 0) return 0;
  printf("llhttp_%s(%d): reference \"%s\", tested \"%s\"\n", kind, value, a ? a : "(null)", b ? b : "(null)");
  return 1;
}

int lib_compare_names(const struct lib* a, const struct lib* b) {
  int differences = 0;
#define COMPARE(function, number) \
  differences += names_differ(#function, number, a->function(number), b->function(number));
#define X(number, name, text) COMPARE(errno_name, number)
  HTTP_ERRNO_MAP(X)
#undef X
#define X(number, name, text) COMPARE(method_name, number)
  HTTP_ALL_METHOD_MAP(X)
#undef X
#define X(number, name, text) COMPARE(status_name, number)
  HTTP_STATUS_MAP(X)
#undef X
#undef COMPARE
  return differences;
}
