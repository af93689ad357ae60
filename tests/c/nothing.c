/* What loading and using the library does to its host: nothing. No thread, no signal handler, no memory allocated while
 * parsing, no system call at all, no file left open; handlers of the host's own stay, and dlclose unloads it.
 *
 *   nothing LIBRARY          the path of the shared library, which this program is not linked with
 *
 * Link with -rdynamic, so that the library would use the malloc below. LLHTTP_TEST_EMULATED: leave out what an
 * emulator or valgrind makes meaningless, and do the rest less often. */
#include "check.h"
#include "llhttp.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- allocations are counted ---- */

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* p);

static unsigned long allocations;

void* malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  allocations++;
  return __libc_realloc(old, size);
}
void free(void* p) {
  allocations++;
  __libc_free(p);
}
void* reallocarray(void* old, size_t count, size_t size) {
  if (size != 0 && count > (size_t)-1 / size) return NULL;
  return realloc(old, count * size);
}
void* memalign(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** p, size_t alignment, size_t size) {
  *p = memalign(alignment, size);
  return *p == NULL ? ENOMEM : 0;
}
void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  allocations++;
  return (void*)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}
int munmap(void* at, size_t size) {
  allocations++;
  return (int)syscall(SYS_munmap, at, size);
}
void* sbrk(intptr_t more) {
  (void)more;
  allocations++;
  return (void*)-1;
}

/* ---- the state of the process ---- */

struct state {
  long threads, files, maps, resident_kib;
  struct sigaction actions[65];
  sigset_t mask;
  stack_t stack;
};

static long status_field(const char* name) {
  char line[300];
  long value = -1;
  FILE* f = fopen("/proc/self/status", "r");
  if (f == NULL) exit(2);
  while (fgets(line, sizeof line, f) != NULL)
    if (strncmp(line, name, strlen(name)) == 0) value = strtol(line + strlen(name), NULL, 10);
  fclose(f);
  return value;
}

static long count_files(void) {
  DIR* d = opendir("/proc/self/fd");
  long n = 0;
  if (d == NULL) exit(2);
  while (readdir(d) != NULL) n++;
  closedir(d);
  return n;
}

/* Entries of the memory map; `of` receives how many of them belong to that file. */
static long count_maps(const char* path, long* of) {
  char line[5000];
  long n = 0;
  FILE* f = fopen("/proc/self/maps", "r");
  if (f == NULL) exit(2);
  if (of != NULL) *of = 0;
  while (fgets(line, sizeof line, f) != NULL) {
    n++;
    if (of != NULL && strstr(line, path) != NULL) (*of)++;
  }
  fclose(f);
  return n;
}

static void take(struct state* s) {
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

static void check_unchanged(const struct state* before) {
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
  void* handle;
#define POINTER(name) __typeof__(&name) name;
  FUNCTIONS(POINTER)
#undef POINTER
};

static int load(struct library* l, const char* path) {
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

static __thread int calls;
static int on_event(llhttp_t* p) {
  (void)p;
  calls++;
  return 0;
}
static int on_bytes(llhttp_t* p, const char* at, size_t len) {
  (void)p, (void)at, (void)len;
  calls++;
  return 0;
}

static const char request[] =
    "POST /path?query HTTP/1.1\r\nHost: example.org\r\nUser-Agent: something of some length, as they are\r\n"
    "Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n5;a=b\r\nhello\r\n0\r\nTrailer: t\r\n\r\n";

/* Everything once; returns whether all went as it should. */
static int use(const struct library* l) {
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

static int exited(pid_t pid, int status_wanted) {
  int status;
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == status_wanted;
}

/* In a process that may do nothing but read, write and end: any other system call would kill it. */
static void no_system_calls(const struct library* l) {
  pid_t pid;
  int i, good = 1;
  check_about = "where system calls are forbidden";
  pid = fork();
  if (pid == 0) {
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) _exit(3);
    for (i = 0; i < 1000; i++) good &= use(l);
    syscall(SYS_exit, good ? 0 : 1);
  }
  CHECK(exited(pid, 0));
}

/* ---- signal handlers of the host's own ---- */

static volatile sig_atomic_t child_signals, pipe_signals, fault_signals;
static sigjmp_buf fault_jump;

static void on_child(int sig, siginfo_t* info, void* context) {
  (void)sig, (void)info, (void)context;
  child_signals++;
}
static void on_pipe(int sig) {
  (void)sig;
  pipe_signals++;
}
static void on_fault(int sig, siginfo_t* info, void* context) {
  (void)sig, (void)info, (void)context;
  fault_signals++;
  siglongjmp(fault_jump, 1);
}

static void install_handlers(void) {
  struct sigaction sa;
  memset(&sa, 0, sizeof sa);
  sa.sa_sigaction = on_child;
  sa.sa_flags = SA_SIGINFO | SA_RESTART | SA_NOCLDSTOP;
  sigaction(SIGCHLD, &sa, NULL);
  sa.sa_sigaction = on_fault;
  sa.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaddset(&sa.sa_mask, SIGUSR2);
  sigaction(SIGSEGV, &sa, NULL);
  memset(&sa, 0, sizeof sa);
  sa.sa_handler = on_pipe;
  sigaction(SIGPIPE, &sa, NULL);
}

/* The signals come, and go to the host's handlers. */
static void handlers_work(void) {
  const int children = child_signals, pipes = pipe_signals, faults = fault_signals;
  int fds[2];
  pid_t pid = fork();
  if (pid == 0) _exit(7);
  CHECK(exited(pid, 7));
  CHECK_INT(child_signals, children + 1);
  if (pipe(fds) != 0) exit(2);
  close(fds[0]);
  CHECK_INT(write(fds[1], "x", 1), -1);
  CHECK_INT(errno, EPIPE);
  close(fds[1]);
  CHECK_INT(pipe_signals, pipes + 1);
  if (sigsetjmp(fault_jump, 1) == 0) *(volatile char*)8 = 1;
  CHECK_INT(fault_signals, faults + 1);
}

static void own_handlers(const char* path) {
  struct state before;
  struct library l;
  check_about = "handlers installed before loading";
  install_handlers();
  handlers_work();
  take(&before);
  if (!CHECK(load(&l, path))) return;
  check_unchanged(&before);
  handlers_work();
  CHECK(use(&l));
  check_unchanged(&before);
  handlers_work();
  check_about = "handlers installed after loading";
  signal(SIGCHLD, SIG_DFL);
  signal(SIGSEGV, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  install_handlers();
  CHECK(use(&l));
  check_unchanged(&before);
  handlers_work();
  check_about = "handlers after unloading";
  CHECK_INT(dlclose(l.handle), 0);
  check_unchanged(&before);
  handlers_work();
  signal(SIGCHLD, SIG_DFL);
  signal(SIGSEGV, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
}

/* ---- forks before loading ---- */

/* The library is loaded in the child, or in the child's child. */
static void fork_before_loading(const char* path) {
  struct library l;
  int i;
  check_about = "fork before loading";
  for (i = 0; i < 20; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      int good;
      pid_t grandchild = i % 2 ? fork() : 0;
      good = load(&l, path) && use(&l) && dlclose(l.handle) == 0;
      if (i % 2 && grandchild == 0) _exit(good ? 0 : 1);
      _exit(good && (i % 2 == 0 || exited(grandchild, 0)) ? 0 : 1);
    }
    CHECK(exited(pid, 0));
  }
}

static void* loading_main(void* arg) {
  struct library l;
  long good = 1;
  int i;
  for (i = 0; i < 20; i++) good &= load(&l, arg) && use(&l) && dlclose(l.handle) == 0;
  return (void*)good;
}

int main(int argc, char** argv) {
  const int emulated = getenv("LLHTTP_TEST_EMULATED") != NULL;
  struct state before, warm, after;
  struct library l;
  pthread_t threads[8];
  unsigned long count;
  size_t heap = 0;
  long of;
  int i, good;
  char* path;
  if (argc != 2 || (path = realpath(argv[1], NULL)) == NULL) {
    fprintf(stderr, "usage: nothing LIBRARY\n");
    return 2;
  }
  CHECK_PTR(dlsym(RTLD_DEFAULT, "malloc"), (void*)malloc);
  CHECK_PTR(dlsym(RTLD_DEFAULT, "free"), (void*)free);
  count_maps(path, &of);
  CHECK_INT(of, 0);
  take(&before);

  fork_before_loading(path);
  check_about = "before loading";
  check_unchanged(&before);

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
  if (!emulated) no_system_calls(&l);

  check_about = "after unloading";
  CHECK_INT(dlclose(l.handle), 0);
  count_maps(path, &of);
  CHECK_INT(of, 0);
  check_unchanged(&before);

  check_about = "loaded and unloaded again and again";
  for (i = 0; i < (emulated ? 200 : 1000); i++) {
    if (i == 20) {
      take(&warm);
      heap = mallinfo2().uordblks;
    }
    if (!load(&l, path)) {
      CHECK(0);
      break;
    }
    CHECK(use(&l));
    CHECK_INT(dlclose(l.handle), 0);
  }
  take(&after);
  CHECK_INT(mallinfo2().uordblks, heap);
  CHECK(after.maps <= warm.maps + 2);
  /* An emulator's or checker's own memory grows with code that is loaded again. */
  if (!emulated) CHECK(after.resident_kib <= warm.resident_kib + 512);
  check_unchanged(&before);

  check_about = "loaded and unloaded in threads";
  for (i = 0; i < 8; i++)
    if (pthread_create(&threads[i], NULL, loading_main, path) != 0) return 2;
  for (i = 0; i < 8; i++) {
    void* result;
    pthread_join(threads[i], &result);
    CHECK(result != NULL);
  }
  count_maps(path, &of);
  CHECK_INT(of, 0);

  own_handlers(path);
  free(path);
  check_about = "";
  return check_done();
}
