/* Our library and a conventional Go shared library in one process.
 *
 *   beside LIBRARY LIBRARY      the paths of the two, loaded in this order with dlopen, both for all to see
 *
 * Threads parse while the other library's goroutines run and its collector works; callbacks call into it; signals of
 * its profiler, and those by which its runtime stops goroutines, arrive in the middle of a parse. Every parse has its one
 * result, and so has the other library's work. */
#include <dlfcn.h>
#include <llhttp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 400, WORK = 2000 };

static void (*settings_init)(llhttp_settings_t*);
static void (*init)(llhttp_t*, llhttp_type_t, const llhttp_settings_t*);
static llhttp_errno_t (*execute)(llhttp_t*, const char*, size_t);
static llhttp_errno_t (*finish)(llhttp_t*);
static long (*work)(int);
static char (*upper)(char);
static int (*profile_start)(void);
static int (*profile_stop)(void);

static const char request[] =
    "POST /some/where HTTP/1.1\r\nHost: example.org\r\nUser-Agent: beside\r\nTransfer-Encoding: chunked\r\n\r\n"
    "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";

struct reader {
  char url[32], body[32];
  size_t url_length, body_length;
  int messages;
};

static int on_url(llhttp_t* p, const char* at, size_t n) {
  struct reader* r = p->data;
  for (size_t i = 0; i < n; i++) r->url[r->url_length++] = upper(at[i]);
  return 0;
}

static int on_body(llhttp_t* p, const char* at, size_t n) {
  struct reader* r = p->data;
  memcpy(r->body + r->body_length, at, n);
  r->body_length += n;
  return 0;
}

static int on_message_complete(llhttp_t* p) {
  struct reader* r = p->data;
  r->messages++;
  return 0;
}

static void must(int ok, const char* what) {
  if (ok) return;
  fprintf(stderr, "beside: %s\n", what);
  exit(1);
}

static void* parse(void* unused) {
  (void)unused;
  llhttp_settings_t settings;
  settings_init(&settings);
  settings.on_url = on_url;
  settings.on_body = on_body;
  settings.on_message_complete = on_message_complete;
  for (int round = 0; round < ROUNDS; round++) {
    size_t length = sizeof request - 1, cut = (size_t)round % length;
    struct reader r = {"", "", 0, 0, 0};
    llhttp_t parser;
    init(&parser, HTTP_REQUEST, &settings);
    parser.data = &r;
    must(execute(&parser, request, cut) == HPE_OK, "the first piece is refused");
    if (round % 50 == 0) must(work(WORK) == work(WORK), "Go counts otherwise in this thread");
    must(execute(&parser, request + cut, length - cut) == HPE_OK, "the second piece is refused");
    must(finish(&parser) == HPE_OK, "the end is refused");
    must(r.messages == 1 && strcmp(r.url, "/SOME/WHERE") == 0 && strcmp(r.body, "hello world") == 0, "other events");
  }
  return NULL;
}

/* SIGURG is what Go stops its goroutines by; it may arrive in any thread. */
static int done;
static void* disturb(void* threads) {
  while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
    for (int i = 0; i < THREADS; i++) pthread_kill(((pthread_t*)threads)[i], SIGURG);
    sched_yield();
  }
  return NULL;
}

static void* named(void* const* libraries, const char* name) {
  void* found = dlsym(libraries[0], name);
  if (found == NULL) found = dlsym(libraries[1], name);
  if (found == NULL) must(0, name);
  return found;
}

int main(int argc, char** argv) {
  must(argc == 3, "usage: beside LIBRARY LIBRARY");
  void* libraries[2];
  for (int i = 0; i < 2; i++) {
    libraries[i] = dlopen(argv[i + 1], RTLD_NOW | RTLD_GLOBAL);
    if (libraries[i] == NULL) must(0, dlerror());
  }
  *(void**)&settings_init = named(libraries, "llhttp_settings_init");
  *(void**)&init = named(libraries, "llhttp_init");
  *(void**)&execute = named(libraries, "llhttp_execute");
  *(void**)&finish = named(libraries, "llhttp_finish");
  *(void**)&work = named(libraries, "beside_work");
  *(void**)&upper = named(libraries, "beside_upper");
  *(void**)&profile_start = named(libraries, "beside_profile_start");
  *(void**)&profile_stop = named(libraries, "beside_profile_stop");

  must(profile_start() == 0, "no profile");
  long first = work(WORK);
  pthread_t threads[THREADS], disturber;
  for (int i = 0; i < THREADS; i++) must(pthread_create(&threads[i], NULL, parse, NULL) == 0, "no thread");
  must(pthread_create(&disturber, NULL, disturb, threads) == 0, "no thread");
  for (int i = 0; i < 20; i++) must(work(WORK) == first, "Go counts otherwise");
  /* A thread may be sent signals until it is joined. */
  __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
  pthread_join(disturber, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  parse(NULL);
  must(profile_stop() > 0, "an empty profile");
  printf("%d parses beside Go\n", (THREADS + 1) * ROUNDS);
  return 0;
}
