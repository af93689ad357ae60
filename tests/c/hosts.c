/* Places in which a C library works: a child forked before or after the first parse or from a thread, many threads
 * with many parsers, a stack of 16 KiB, a signal handler that interrupts another parse, a storm of signals, a fault
 * in the host's buffer.
 *
 * Each parse is reduced to a number that does not depend on how the input was cut. LLHTTP_TEST_STORM: how many signals
 * the storm lasts (400). LLHTTP_TEST_EMULATED: fewer children and threads, where each takes long. */
#include "check.h"
#include "guard.h"
#include "llhttp.h"
#include "recorder.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { SMALL_STACK = 16384 };

/* ---- a parse as a number; nothing here allocates ---- */

static const struct {
  llhttp_type_t type;
  const char* input;
  uint64_t number; /* recorded from llhttp 9.4.3 */
} messages[] = {
    {HTTP_REQUEST,
     "GET /index.html?x=1 HTTP/1.1\r\nHost: example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko\r\n"
     "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n"
     "Accept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, deflate, br\r\nConnection: keep-alive\r\n"
     "Cookie: a=b; visitor=0123456789abcdef0123456789abcdef; theme=dark\r\nUpgrade-Insecure-Requests: 1\r\n\r\n",
     0x39aa6d5dbc607601},
    {HTTP_REQUEST,
     "POST /upload HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5;n=v;q=\"s\"\r\nhello\r\n6\r\n world\r\n0\r\n"
     "Trailer: value\r\n\r\nGET /second HTTP/1.0\r\n\r\n",
     0x584117aeff6f3709},
    {HTTP_RESPONSE,
     "HTTP/1.1 200 OK\r\nServer: s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 13\r\n\r\nHello, world!"
     "HTTP/1.1 304 Not Modified\r\nETag: \"0123456789\"\r\n\r\nHTTP/1.1 500\r\n\r\nup to the end of the connection",
     0x4b2d47e0baf79cb2},
    {HTTP_REQUEST, "GET / HTTP/1.1\r\nHost: h\r\nBad Header: x\r\n\r\n", 0x82606067d3829a5e},
};
enum { MESSAGES = sizeof messages / sizeof *messages };

struct sum {
  llhttp_t parser;
  uint64_t h;
  int (*at)(struct sum* s, int kind); /* called in every callback */
};

static void mix(uint64_t* h, uint64_t n) {
  *h = (*h ^ n) * 0x9e3779b97f4a7c15u;
  *h ^= *h >> 29;
}

static int on_bytes(llhttp_t* p, const char* at, size_t len, int kind) {
  struct sum* s = (struct sum*)p;
  size_t i;
  for (i = 0; i < len; i++) mix(&s->h, (uint64_t)kind << 8 | (unsigned char)at[i]);
  return s->at != NULL ? s->at(s, kind) : 0;
}

static int on_event(llhttp_t* p, int kind) {
  struct sum* s = (struct sum*)p;
  mix(&s->h, (uint64_t)kind << 8);
  mix(&s->h, p->method | (uint64_t)p->status_code << 8 | (uint64_t)p->flags << 24 | (uint64_t)p->http_major << 40 |
                 (uint64_t)p->http_minor << 44 | (uint64_t)p->upgrade << 48 | (uint64_t)p->type << 52);
  mix(&s->h, p->content_length);
  return s->at != NULL ? s->at(s, kind) : 0;
}

/* The numbers above depend on those of the callbacks. */
#define DEFINE(name) \
  static int name(llhttp_t *p, const char *at, size_t len) { return on_bytes(p, at, len, REC_##name + 1); }
REC_SPANS(DEFINE)
#undef DEFINE
#define DEFINE(name) \
  static int name(llhttp_t *p) { return on_event(p, REC_##name + 1); }
REC_NOTIFIES(DEFINE)
#undef DEFINE
#define MEMBER(name) .name = name,
static const llhttp_settings_t settings = {REC_SPANS(MEMBER) REC_NOTIFIES(MEMBER)};
#undef MEMBER

static void sum_init(struct sum* s, size_t m) {
  llhttp_init(&s->parser, messages[m].type, &settings);
  s->h = 0xcbf29ce484222325u;
  s->at = NULL;
}

/* Executes input[off, end) in pieces. */
static void sum_feed(struct sum* s, size_t m, size_t off, size_t end, size_t size) {
  const char* input = messages[m].input;
  while (off < end) {
    size_t n = end - off < size ? end - off : size;
    llhttp_execute(&s->parser, input + off, n);
    off += n;
  }
}

/* The error counts, its position not: in another piece it is another pointer. */
static uint64_t sum_end(struct sum* s) {
  mix(&s->h, (uint64_t)llhttp_get_errno(&s->parser));
  mix(&s->h, (uint64_t)llhttp_finish(&s->parser));
  return s->h;
}

static uint64_t parse(size_t m, size_t size) {
  struct sum s;
  sum_init(&s, m);
  sum_feed(&s, m, 0, strlen(messages[m].input), size);
  return sum_end(&s);
}

static int parses(size_t size) {
  size_t m;
  int good = 0;
  for (m = 0; m + 1 < MESSAGES; m++) good += parse(m, size) == messages[m].number;
  /* The last one ends with an error inside of a span: what was delivered before depends on the cuts. */
  good += parse(m, SIZE_MAX) == messages[m].number;
  return good == MESSAGES;
}

static void* map_stack(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char* all = mmap(NULL, size + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all + page, size, PROT_READ | PROT_WRITE) != 0) {
    perror("map_stack");
    exit(2);
  }
  return all + page;
}

/* ---- forks ---- */

static int child_ok(pid_t pid) {
  int status;
  pid_t got;
  do got = waitpid(pid, &status, 0);
  while (got < 0 && errno == EINTR);
  return got == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void fork_before_first_parse(void) {
  pid_t pid = fork();
  check_about = "fork before the first parse";
  if (pid == 0) _exit(parses(SIZE_MAX) && parses(1) ? 0 : 1);
  CHECK(pid > 0 && child_ok(pid));
}

static void fork_after(void) {
  pid_t pids[8];
  size_t i, m, cut;
  check_about = "fork after a parse";
  CHECK(parses(SIZE_MAX));
  for (i = 0; i < 8; i++) {
    pids[i] = fork();
    if (pids[i] == 0) {
      int good = 1, n;
      pid_t grandchild = fork();
      for (n = 0; n < 200; n++) good &= parses((size_t)n % 50 + 1);
      if (grandchild == 0) _exit(!good);
      _exit(!(good && child_ok(grandchild)));
    }
  }
  CHECK(parses(7));
  for (i = 0; i < 8; i++) CHECK(pids[i] > 0 && child_ok(pids[i]));

  /* In the middle of a message: both go on. */
  for (m = 0; m + 1 < MESSAGES; m++) {
    size_t len = strlen(messages[m].input);
    for (cut = 0; cut <= len; cut += 17) {
      struct sum s;
      pid_t pid;
      sum_init(&s, m);
      sum_feed(&s, m, 0, cut, 13);
      pid = fork();
      sum_feed(&s, m, cut, len, 11);
      if (pid == 0) _exit(sum_end(&s) == messages[m].number ? 0 : 1);
      CHECK(sum_end(&s) == messages[m].number);
      CHECK(pid > 0 && child_ok(pid));
    }
  }
}

static int emulated;

/* As a server does that forks for each connection. */
static void many_children(void) {
  const int count = emulated ? 50 : 1000;
  int i, bad = 0;
  check_about = "many children";
  for (i = 0; i < count; i++) {
    pid_t pid = fork();
    if (pid == 0) _exit(parse((size_t)i % 3, SIZE_MAX) == messages[i % 3].number ? 0 : 1);
    bad += pid < 0 || !child_ok(pid);
  }
  CHECK_INT(bad, 0);
}

static pid_t forked;
static int fork_at;
static int forking(struct sum* s, int kind) {
  (void)s;
  if (kind == fork_at && forked < 0) forked = fork();
  return 0;
}

static void fork_in_callback(void) {
  int kind;
  check_about = "fork in a callback";
  for (kind = 1; kind <= 25; kind++) {
    size_t m;
    for (m = 0; m < 3; m++) {
      struct sum s;
      forked = -1;
      fork_at = kind;
      sum_init(&s, m);
      s.at = forking;
      sum_feed(&s, m, 0, strlen(messages[m].input), SIZE_MAX);
      if (forked == 0) _exit(sum_end(&s) == messages[m].number ? 0 : 1);
      CHECK(sum_end(&s) == messages[m].number);
      if (forked > 0) CHECK(child_ok(forked));
    }
  }
}

/* ---- threads ---- */

enum { THREADS = 64, PARSERS = 40 };

/* Many parsers that take turns, each with pieces of another size. */
static long parse_in_turns(size_t seed) {
  struct sum s[PARSERS];
  size_t off[PARSERS] = {0}, i, left = PARSERS;
  long bad = 0;
  for (i = 0; i < PARSERS; i++) sum_init(&s[i], i % 3);
  while (left > 0) {
    for (i = 0; i < PARSERS; i++) {
      const size_t m = i % 3, len = strlen(messages[m].input), size = (i + seed) % 29 + 1;
      const size_t end = len - off[i] < size ? len : off[i] + size;
      if (off[i] == len) continue;
      sum_feed(&s[i], m, off[i], end, SIZE_MAX);
      off[i] = end;
      if (end == len) left--;
    }
  }
  for (i = 0; i < PARSERS; i++) bad += sum_end(&s[i]) != messages[i % 3].number;
  return bad;
}

static void* thread_main(void* arg) {
  size_t i, seed = *(size_t*)arg;
  long bad = 0;
  for (i = 0; i < 100; i++) bad += !parses((i * 7 + seed) % 90 + 1);
  for (i = 0; i < 5; i++) bad += parse_in_turns(seed + i);
  return (void*)bad;
}

/* Runs a thread for each seed, and gives what they count together. */
static long in_threads(void* (*body)(void*), size_t count) {
  pthread_t t[THREADS];
  size_t seeds[THREADS], i;
  long bad = 0;
  for (i = 0; i < count; i++) {
    seeds[i] = i * 11;
    if (pthread_create(&t[i], NULL, body, &seeds[i]) != 0) exit(2);
  }
  for (i = 0; i < count; i++) {
    void* some = NULL;
    pthread_join(t[i], &some);
    bad += (long)some;
  }
  return bad;
}

static void threads(void) {
  check_about = "threads";
  CHECK_INT(in_threads(thread_main, emulated ? THREADS / 8 : THREADS), 0);
}

/* Each thread forks while the others parse. The child has that one thread only; a checker of leaks would find there
 * what the others had. */
static void* forking_main(void* arg) {
  size_t i, seed = *(size_t*)arg;
  long bad = 0;
  for (i = 0; i < 5; i++) {
    pid_t pid = fork();
    if (pid == 0) _exit(parses((seed + i) % 60 + 1) && parse_in_turns(seed) == 0 ? 0 : 1);
    bad += !parses((i * 7 + seed) % 90 + 1);
    bad += pid < 0 || !child_ok(pid);
  }
  return (void*)bad;
}

static void fork_from_threads(void) {
  check_about = "fork from threads";
  CHECK_INT(in_threads(forking_main, 16), 0);
}

/* One parser, each piece executed by a new thread. */
struct handed {
  struct sum s;
  size_t m, off, end;
};

static void* handed_main(void* arg) {
  struct handed* h = arg;
  sum_feed(&h->s, h->m, h->off, h->end, SIZE_MAX);
  return NULL;
}

static void handed_over(void) {
  struct handed h;
  check_about = "a parser handed from thread to thread";
  for (h.m = 0; h.m + 1 < MESSAGES; h.m++) {
    size_t len = strlen(messages[h.m].input);
    sum_init(&h.s, h.m);
    for (h.off = 0; h.off < len; h.off = h.end) {
      pthread_t t;
      h.end = h.off + 5 < len ? h.off + 5 : len;
      if (pthread_create(&t, NULL, handed_main, &h) != 0) exit(2);
      pthread_join(t, NULL);
    }
    CHECK(sum_end(&h.s) == messages[h.m].number);
  }
}

/* ---- small stacks ---- */

static void* small_main(void* arg) {
  int* good = arg;
  *good = parses(SIZE_MAX) && parses(1) && parses(33);
  return NULL;
}

__attribute__((unused)) static void small_thread(void) {
  pthread_attr_t attr;
  pthread_t t;
  int good = 0, err;
  long least = sysconf(_SC_THREAD_STACK_MIN);
  size_t size = least > SMALL_STACK ? (size_t)least : SMALL_STACK;
  check_about = "a thread with the smallest stack";
  pthread_attr_init(&attr);
  CHECK_INT(pthread_attr_setstack(&attr, map_stack(size), size), 0);
  err = pthread_create(&t, &attr, small_main, &good);
  if (CHECK_INT(err, 0)) pthread_join(t, NULL);
  CHECK(good);
  pthread_attr_destroy(&attr);
}

static ucontext_t outer, inner;
static int context_good;
static void context_main(void) { small_main(&context_good); }

static void small_context(void) {
  check_about = "a context with a stack of 16 KiB";
  if (getcontext(&inner) != 0) exit(2);
  inner.uc_stack.ss_sp = map_stack(SMALL_STACK);
  inner.uc_stack.ss_size = SMALL_STACK;
  inner.uc_link = &outer;
  makecontext(&inner, context_main, 0);
  CHECK_INT(swapcontext(&outer, &inner), 0);
  CHECK(context_good);
}

/* ---- signals ---- */

static volatile sig_atomic_t signals, signals_bad;

static void parsing_handler(int sig) {
  size_t m = (size_t)signals % (MESSAGES - 1);
  (void)sig;
  if (parse(m, signals % 3 ? SIZE_MAX : 19) != messages[m].number) signals_bad++;
  signals++;
}

static void handle(int sig, int flags) {
  struct sigaction sa;
  memset(&sa, 0, sizeof sa);
  sa.sa_handler = parsing_handler;
  sa.sa_flags = flags;
  sigemptyset(&sa.sa_mask);
  if (sigaction(sig, &sa, NULL) != 0) exit(2);
}

static int raising(struct sum* s, int kind) {
  (void)s, (void)kind;
  raise(SIGUSR1);
  return 0;
}

static void signal_in_callback(void) {
  size_t m;
  int alt;
  for (alt = 0; alt < 2; alt++) {
    stack_t ss, old;
    check_about = alt ? "signal on a stack of 16 KiB" : "signal";
    if (alt) {
      memset(&ss, 0, sizeof ss);
      ss.ss_sp = map_stack(SMALL_STACK);
      ss.ss_size = SMALL_STACK;
      if (sigaltstack(&ss, &old) != 0) exit(2);
    }
    signals = signals_bad = 0;
    handle(SIGUSR1, alt ? SA_ONSTACK : 0);
    for (m = 0; m + 1 < MESSAGES; m++) {
      struct sum s;
      sum_init(&s, m);
      s.at = raising;
      sum_feed(&s, m, 0, strlen(messages[m].input), SIZE_MAX);
      CHECK(sum_end(&s) == messages[m].number);
    }
    CHECK(signals > 60);
    CHECK_INT(signals_bad, 0);
    signal(SIGUSR1, SIG_DFL);
    if (alt) sigaltstack(&old, NULL);
  }
}

/* A buffer that ends in an unmapped page, as a file that was cut short: the host's handler sees the fault, at that
 * page, and leaves the parse. After llhttp_reset the parser is as new. */
static sigjmp_buf fault_jump;
static char* volatile fault_at;

static void on_fault(int sig, siginfo_t* info, void* context) {
  (void)sig, (void)context;
  fault_at = info->si_addr;
  siglongjmp(fault_jump, 1);
}

static void faults(void) {
  static volatile size_t m, cut, found;
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  struct guard g = guard_new(2 * page);
  struct sigaction sa, old_segv, old_bus;
  char* missing = g.start + page;
  if (mprotect(missing, page, PROT_NONE) != 0) exit(2);
  memset(&sa, 0, sizeof sa);
  sa.sa_sigaction = on_fault;
  sa.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &sa, &old_segv);
  sigaction(SIGBUS, &sa, &old_bus);
  check_about = "a fault in the buffer";
  for (m = 0; m < 3; m++) {
    const size_t len = strlen(messages[m].input);
    for (cut = 0; cut < len; cut += 3) {
      struct sum s;
      memcpy(missing - cut, messages[m].input, cut);
      sum_init(&s, m);
      fault_at = NULL;
      if (sigsetjmp(fault_jump, 1) == 0) llhttp_execute(&s.parser, missing - cut, len);
      /* A response may end, and one that lasts to the end of the connection is not read. */
      if (fault_at == NULL) continue;
      found++;
      CHECK(fault_at >= missing && fault_at < missing + page);
      llhttp_reset(&s.parser);
      s.h = 0xcbf29ce484222325u;
      sum_feed(&s, m, 0, len, 31);
      CHECK(sum_end(&s) == messages[m].number);
    }
  }
  CHECK(found > 200);
  sigaction(SIGSEGV, &old_segv, NULL);
  sigaction(SIGBUS, &old_bus, NULL);
  guard_free(&g);
}

static int storm_over;
static pthread_t storm_target;

static void* storm_sender(void* arg) {
  struct timespec pause = {0, 50000};
  (void)arg;
  while (!__atomic_load_n(&storm_over, __ATOMIC_ACQUIRE)) {
    pthread_kill(storm_target, SIGURG);
    nanosleep(&pause, NULL);
  }
  return NULL;
}

static void storm(void) {
  const char* want = getenv("LLHTTP_TEST_STORM");
  int least = want != NULL ? atoi(want) : 400, bad = 0;
  struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  sigset_t urg;
  pthread_t sender;
  size_t i;
  check_about = "a storm of signals";
  signals = signals_bad = 0;
  handle(SIGURG, SA_RESTART);
  handle(SIGPROF, SA_RESTART);
  handle(SIGALRM, SA_RESTART);
  storm_target = pthread_self();
  /* The timers' signals may go to any thread; the sender takes none, so that the handlers' counter has one writer. */
  sigemptyset(&urg);
  sigaddset(&urg, SIGURG);
  sigaddset(&urg, SIGPROF);
  sigaddset(&urg, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &urg, NULL);
  if (pthread_create(&sender, NULL, storm_sender, NULL) != 0) exit(2);
  pthread_sigmask(SIG_UNBLOCK, &urg, NULL);
  setitimer(ITIMER_PROF, &often, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  for (i = 0; signals < least; i++) bad += !parses(i % 3 ? SIZE_MAX : i % 40 + 1);
  setitimer(ITIMER_PROF, &never, NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  __atomic_store_n(&storm_over, 1, __ATOMIC_RELEASE);
  pthread_join(sender, NULL);
  CHECK(i > 0);
  CHECK_INT(bad, 0);
  CHECK_INT(signals_bad, 0);
  CHECK(signals >= least);
}

int main(void) {
  size_t m, size;
  /* A Go runtime in the process does not survive a fork, and wants a stack of its own size and its signals. */
  int go_runtime = getenv("LLHTTP_TEST_GO_RUNTIME") != NULL;
  emulated = getenv("LLHTTP_TEST_EMULATED") != NULL;
  if (!go_runtime) fork_before_first_parse();
  check_about = "one thread";
  for (m = 0; m < MESSAGES; m++) {
    uint64_t got = parse(m, SIZE_MAX);
    check_that(got == messages[m].number, __FILE__, __LINE__, "message %zu gives 0x%016llx", m,
               (unsigned long long)got);
  }
  for (size = 1; size < 100; size++) CHECK(parses(size));
  threads();
  handed_over();
  check_about = "";
  if (go_runtime) return check_done();
  fork_after();
  fork_in_callback();
  if (!emulated) fork_from_threads();
  many_children();
#ifndef __SANITIZE_THREAD__ /* it needs more stack itself */
  small_thread();
#endif
  small_context();
  signal_in_callback();
  faults();
  storm();
  check_about = "";
  return check_done();
}
