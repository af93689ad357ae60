/* What it costs a process to load a library with llhttp's API: measured once, in a process that has nothing else;
 * bench/loadcost.py runs this many times. Prints one JSON object.
 *
 *   loadcost LIBRARY             time and memory, threads and signal handlers, what dlclose gives back
 *   loadcost --fork N LIBRARY    N children are forked, each parses a request; how many do in time
 *   loadcost --cpuid             the time of the instruction that tells what the CPU has; long in virtual machines
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "llhttp.h"

enum { SETTLE_MS = 100, CHILD_SECONDS = 2 };

struct library {
  void* handle;
  __typeof__(&llhttp_settings_init) settings_init;
  __typeof__(&llhttp_init) init;
  __typeof__(&llhttp_execute) execute;
};

struct state {
  long threads, virtual_kib, resident_kib, private_kib;
  int handled[65]; /* signals whose disposition is not the default */
};

static void die(const char* what) {
  fprintf(stderr, "loadcost: %s\n", what);
  exit(2);
}

static long field(const char* file, const char* name) {
  char line[300];
  long value = -1;
  FILE* f = fopen(file, "r");
  if (f == NULL) die(file);
  while (value < 0 && fgets(line, sizeof line, f) != NULL)
    if (strncmp(line, name, strlen(name)) == 0) value = strtol(line + strlen(name), NULL, 10);
  fclose(f);
  return value;
}

static struct state take(void) {
  struct state s = {0};
  int sig;
  s.threads = field("/proc/self/status", "Threads:");
  s.virtual_kib = field("/proc/self/status", "VmSize:");
  s.resident_kib = field("/proc/self/smaps_rollup", "Rss:");
  s.private_kib = field("/proc/self/smaps_rollup", "Private_Dirty:");
  for (sig = 1; sig <= 64; sig++) {
    struct sigaction action;
    s.handled[sig] = sigaction(sig, NULL, &action) == 0 && action.sa_handler != SIG_DFL;
  }
  return s;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3; /* microseconds */
}

static void* symbol(void* handle, const char* name) {
  void* address = dlsym(handle, name);
  if (address == NULL) die(name);
  return address;
}

static int parses(const struct library* l) {
  static const char request[] = "GET /index.html HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\n\r\n";
  llhttp_t parser;
  llhttp_settings_t settings;
  l->settings_init(&settings);
  l->init(&parser, HTTP_REQUEST, &settings);
  return l->execute(&parser, request, sizeof request - 1) == HPE_OK && parser.initial_message_completed == 1;
}

static void load(struct library* l, const char* path) {
  l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (l->handle == NULL) die(dlerror());
  *(void**)&l->settings_init = symbol(l->handle, "llhttp_settings_init");
  *(void**)&l->init = symbol(l->handle, "llhttp_init");
  *(void**)&l->execute = symbol(l->handle, "llhttp_execute");
}

static int is_mapped(const char* path) {
  char line[5000];
  int found = 0;
  FILE* f = fopen("/proc/self/maps", "r");
  if (f == NULL) die("/proc/self/maps");
  while (fgets(line, sizeof line, f) != NULL) found |= strstr(line, path) != NULL;
  fclose(f);
  return found;
}

static void cost(const char* path) {
  struct library l;
  struct state before, after;
  double start, loaded, parsed, closing, closed;
  int sig;
  void* other = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  if (other != NULL) dlclose(other);
  take(); /* memory and code of the loader and of stdio are in use before it is counted */
  before = take();
  start = now();
  load(&l, path);
  loaded = now();
  if (!parses(&l)) die("it does not parse");
  parsed = now();
  usleep(SETTLE_MS * 1000); /* a runtime starts threads in its own time */
  after = take();
  closing = now();
  dlclose(l.handle);
  closed = now();
  printf("{\"signals\": \"");
  for (sig = 1; sig <= 64; sig++)
    if (after.handled[sig] && !before.handled[sig]) printf(" SIG%s", sigabbrev_np(sig));
  printf("\", \"load_us\": %.1f, \"first_parse_us\": %.1f, \"threads\": %ld, ", loaded - start, parsed - loaded,
         after.threads - before.threads);
  printf("\"virtual_kib\": %ld, \"resident_kib\": %ld, \"private_kib\": %ld, ", after.virtual_kib - before.virtual_kib,
         after.resident_kib - before.resident_kib, after.private_kib - before.private_kib);
  printf("\"close_us\": %.1f, \"mapped_after_close\": %d}\n", closed - closing, is_mapped(path));
}

static void forks(const char* path, int count) {
  struct library l;
  int i, status, good = 0;
  load(&l, path);
  if (!parses(&l)) die("it does not parse");
  for (i = 0; i < count; i++) {
    pid_t child = fork();
    if (child < 0) die("fork");
    if (child == 0) {
      alarm(CHILD_SECONDS);
      _exit(parses(&l) ? 0 : 1);
    }
    good += waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  printf("{\"forked\": %d, \"parsed\": %d}\n", count, good);
}

static void cpuid(void) {
  double start = now(), end;
#if defined(__x86_64__)
  unsigned a, b, c, d;
  int i;
  for (i = 0; i < 100; i++) __cpuid_count(7, 0, a, b, c, d);
#endif
  end = now();
  printf("{\"cpuid_us\": %.2f}\n", (end - start) / 100);
}

int main(int argc, char** argv) {
  char* path = realpath(argv[argc - 1], NULL);
  if (argc == 2 && strcmp(argv[1], "--cpuid") == 0) {
    cpuid();
  } else if (path != NULL && argc == 2) {
    cost(path);
  } else if (path != NULL && argc == 4 && strcmp(argv[1], "--fork") == 0) {
    forks(path, atoi(argv[2]));
  } else {
    die("usage: loadcost [--fork N] LIBRARY, or loadcost --cpuid");
  }
  return 0;
}
