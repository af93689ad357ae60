/* What loading and using the library does to its host: nothing. No thread, no signal handler, no memory allocated while
 * parsing, no file left open, and dlclose unloads it.
 *
 *   nothing LIBRARY          the path of the shared library, which this program is not linked with
 *
 * Link with -rdynamic, so that the library would use the malloc below. LLHTTP_TEST_EMULATED: leave out what an emulator or
 * valgrind makes meaningless. */
#include "check.h"
#include "llhttp.h"

#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>

/* ---- allocations are counted ---- */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *p);

static unsigned long allocations;

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  allocations++;
  return __libc_realloc(old, size);
}
void free(void *p) {
  allocations++;
  __libc_free(p);
}

/* ---- the state of the process ---- */

struct state {
  long threads, files, maps, resident_kib;
  struct sigaction actions[65];
  sigset_t mask;
  stack_t stack;
};

static long status_field(const char *name) {
  char line[300];
  long value = -1;
  FILE *f = fopen("/proc/self/status", "r");
  if (f == NULL) exit(2);
  while (fgets(line, sizeof line, f) != NULL)
    if (strncmp(line, name, strlen(name)) == 0) value = strtol(line + strlen(name), NULL, 10);
  fclose(f);
  return value;
}

static long count_files(void) {
  DIR *d = opendir("/proc/self/fd");
  long n = 0;
  if (d == NULL) exit(2);
  while (readdir(d) != NULL) n++;
  closedir(d);
  return n;
}

/* Entries of the memory map; `of` receives how many of them belong to that file. */
static long count_maps(const char *path, long *of) {
  char line[5000];
  long n = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  if (f == NULL) exit(2);
  if (of != NULL) *of = 0;
  while (fgets(line, sizeof line, f) != NULL) {
    n++;
    if (of != NULL && strstr(line, path) != NULL) (*of)++;
  }
  fclose(f);
  return n;
}

static void take(struct state *s) {
  int sig;
  memset(s, 0, sizeof *s);
  s->threads = status_field("Threads:");
  s->resident_kib = status_field("VmRSS:");
  s->files = count_files();
  s->maps = count_maps("", NULL);
  for (sig = 1; sig <= 64; sig++) sigaction(sig, NULL, &s->actions[sig]); /* fails for two that libc keeps to itself */
  sigprocmask(SIG_BLOCK, NULL, &s->mask);
  sigaltstack(NULL, &s->stack);
}

static void check_unchanged(const struct state *before) {
  struct state now;
  int sig;
  take(&now);
  CHECK_INT(now.threads, before->threads);
  CHECK_INT(now.files, before->files);
  for (sig = 1; sig <= 64; sig++) {
    check_that(now.actions[sig].sa_handler == before->actions[sig].sa_handler &&
                   now.actions[sig].sa_flags == before->actions[sig].sa_flags,
               __FILE__, __LINE__, "the disposition of signal %d has changed", sig);
    CHECK_INT(sigismember(&now.mask, sig), sigismember(&before->mask, sig));
  }
  CHECK_PTR(now.stack.ss_sp, before->stack.ss_sp);
  CHECK_INT(now.stack.ss_flags, before->stack.ss_flags);
}

/* ---- the library ---- */

#define FUNCTIONS(X)                                                                        \
  X(llhttp_settings_init) X(llhttp_init) X(llhttp_execute) X(llhttp_finish) X(llhttp_reset) \
  X(llhttp_get_errno) X(llhttp_errno_name) X(llhttp_should_keep_alive) X(llhttp_pause) X(llhttp_resume)

struct library {
  void *handle;
#define POINTER(name) __typeof__(&name) name;
  FUNCTIONS(POINTER)
#undef POINTER
};

static int load(struct library *l, const char *path) {
  l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (l->handle == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 0;
  }
#define POINTER(name) *(void **)&l->name = dlsym(l->handle, #name);
  FUNCTIONS(POINTER)
#undef POINTER
#define POINTER(name) \
  if (l->name == NULL) return 0;
  FUNCTIONS(POINTER)
#undef POINTER
  return 1;
}

static int calls;
static int on_event(llhttp_t *p) {
  (void)p;
  calls++;
  return 0;
}
static int on_bytes(llhttp_t *p, const char *at, size_t len) {
  (void)p, (void)at, (void)len;
  calls++;
  return 0;
}

static const char request[] =
    "POST /path?query HTTP/1.1\r\nHost: example.org\r\nUser-Agent: something of some length, as they are\r\n"
    "Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n5;a=b\r\nhello\r\n0\r\nTrailer: t\r\n\r\n";

/* Everything once; returns whether all went as it should. */
static int use(const struct library *l) {
  llhttp_settings_t s;
  llhttp_t p;
  size_t off;
  int good, whole;
  calls = 0;
  l->llhttp_settings_init(&s);
  s.on_message_begin = s.on_headers_complete = s.on_message_complete = s.on_chunk_header = on_event;
  s.on_url = s.on_header_field = s.on_header_value = s.on_body = on_bytes;
  l->llhttp_init(&p, HTTP_REQUEST, &s);
  good = l->llhttp_execute(&p, request, sizeof request - 1) == HPE_OK;
  whole = calls;
  good &= l->llhttp_should_keep_alive(&p) == 1;
  l->llhttp_reset(&p);
  for (off = 0; off < sizeof request - 1; off++) good &= l->llhttp_execute(&p, request + off, 1) == HPE_OK;
  l->llhttp_pause(&p);
  l->llhttp_resume(&p);
  good &= l->llhttp_finish(&p) == HPE_OK;
  good &= l->llhttp_execute(&p, "\001", 1) == HPE_INVALID_METHOD && l->llhttp_get_errno(&p) == HPE_INVALID_METHOD;
  good &= strcmp(l->llhttp_errno_name(HPE_INVALID_METHOD), "HPE_INVALID_METHOD") == 0;
  return good && whole == 17 && calls > 2 * whole;
}

int main(int argc, char **argv) {
  struct state before, warm, after;
  struct library l;
  unsigned long count;
  long of;
  int i, good;
  char *path;
  if (argc != 2 || (path = realpath(argv[1], NULL)) == NULL) {
    fprintf(stderr, "usage: nothing LIBRARY\n");
    return 2;
  }
  CHECK_PTR(dlsym(RTLD_DEFAULT, "malloc"), (void *)malloc);
  CHECK_PTR(dlsym(RTLD_DEFAULT, "free"), (void *)free);
  count_maps(path, &of);
  CHECK_INT(of, 0);
  take(&before);

  check_about = "after loading";
  if (!CHECK(load(&l, path))) return check_done();
  check_unchanged(&before);
  count_maps(path, &of);
  CHECK(of > 0);

  check_about = "after the first parse";
  count = allocations;
  good = use(&l);
  count = allocations - count;
  CHECK(good);
  CHECK_INT(count, 0);
  check_unchanged(&before);

  check_about = "after many parses";
  count = allocations;
  for (i = 0; i < 10000; i++) good &= use(&l);
  count = allocations - count;
  CHECK(good);
  CHECK_INT(count, 0);
  check_unchanged(&before);

  check_about = "after unloading";
  CHECK_INT(dlclose(l.handle), 0);
  count_maps(path, &of);
  CHECK_INT(of, 0);
  check_unchanged(&before);

  check_about = "loaded and unloaded again and again";
  for (i = 0; i < 200; i++) {
    if (i == 20) take(&warm);
    if (!load(&l, path)) {
      CHECK(0);
      break;
    }
    CHECK(use(&l));
    CHECK_INT(dlclose(l.handle), 0);
  }
  take(&after);
  CHECK(after.maps <= warm.maps + 2);
  /* An emulator's or checker's own memory grows with code that is loaded again. */
  if (getenv("LLHTTP_TEST_EMULATED") == NULL) CHECK(after.resident_kib <= warm.resident_kib + 512);
  check_unchanged(&before);
  free(path);
  check_about = "";
  return check_done();
}
