// The reference, where it may not come back: under lenient_header_value_relaxed, without lenient_headers, it spins for
// ever on a NUL in a field value. There this library fails as without the flag: with HPE_INVALID_HEADER_TOKEN, at the
// NUL, after the span before it. What must hold: that is allowed where the reference does spin, at that very byte, and
// nowhere else.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

// How much processor time without an event makes a hang. The longest input takes a tenth of the shorter one, which is
// tried first; what is not the known case then has the longer one.
#define SHORT 500000
#define LONG 200000000
static const struct itimerspec every = {{0, 250000}, {0, 250000}}, never;

static struct log* volatile running;
static uint32_t heard_of;
static int64_t heard_at, patience;
static sigjmp_buf out;
static timer_t timer;

static int64_t processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void on_tick(int signal) {
  (void)signal;
  if (!running) return;
  int64_t now = processor_time();
  drive_cut_short(running);
  if (running->n != heard_of) {
    heard_of = running->n;
    heard_at = now;
  } else if (now - heard_at > patience) {
    siglongjmp(out, 1);
  }
}

static void start_ticking(void) {
  static int ready;
  if (!ready) {
    struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);  // libFuzzer has another thread, which must not get it
    if (sigaction(SIGRTMIN, &action, NULL) || timer_create(CLOCK_MONOTONIC, &event, &timer)) {
      perror("fuzz: a timer");
      exit(2);
    }
    ready = 1;
  }
  timer_settime(timer, 0, &every, NULL);
}

// 1 if it hangs.
static int run_watched(const struct lib* reference, const struct plan* p, struct log* log) {
  heard_of = UINT32_MAX;
  volatile int hangs = 0;
  if (sigsetjmp(out, 1)) {
    hangs = 1;
  } else {
    running = log;
    start_ticking();
    drive(p, reference, log);
  }
  running = NULL;
  timer_settime(timer, 0, &never, NULL);
  return hangs;
}

// Whether the tested library did, where the reference hangs, what it is known to do.
static int known(const struct plan* p, const struct log* reference, const struct log* tested) {
  uint32_t n = reference->n;
  if (n == 0 || n >= tested->n || memcmp(reference->ev, tested->ev, n * sizeof *tested->ev)) return 0;
  const struct event *e = &tested->ev[n], *feed = e;
  while (feed > tested->ev && feed->kind != EV_FEED) feed--;
  llhttp_t s;
  memcpy((char*)&s + PUBLIC_FROM, e->field, sizeof e->field);
  int span = e->kind == CB_header_value;
  int failed = e->kind == EV_EXECUTE && e->rc == HPE_INVALID_HEADER_TOKEN && e->error == e->rc &&
               strcmp(reason_text(e->reason), "Invalid header value char") == 0;
  uint32_t at = (span ? e->at + e->len : e->error_pos) - feed->at;
  return (span || failed) && e->other == 0 && feed->kind == EV_FEED && at < feed->len &&
         p->input[feed->offset + at] == 0 &&
         (s.lenient_flags & (LENIENT_HEADERS | LENIENT_HEADER_VALUE_RELAXED)) == LENIENT_HEADER_VALUE_RELAXED;
}

int reference_run(const struct lib* reference, const struct plan* p, struct log* log, const struct log* tested) {
  if (plan_is_safe(p)) {
    drive(p, reference, log);
    return 0;
  }
  patience = SHORT;
  if (!run_watched(reference, p, log)) return 0;
  if (known(p, log, tested)) return 1;
  patience = LONG;
  return run_watched(reference, p, log) && known(p, log, tested);
}
