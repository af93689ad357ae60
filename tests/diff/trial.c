// Runs plans where they may crash or hang: watches a process for both, and tries single plans in child processes. The
// libraries are loaded after fork, since a library that starts threads when loaded would not survive it.
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diff.h"

const char* const outcome_names[5] = {"same", "differs", "setup failed", "crashed", "hung"};
volatile uint64_t bench_turn;

struct bench* bench_open(const struct options* o) {
  static struct bench b;
  lib_load(&b.lib[0], o->reference, &b.lib[1], o->tested, o->extended);
  if (o->reference_level) lib_set_level(&b.lib[0], o->reference_level);
  if (o->tested_level) lib_set_level(&b.lib[1], o->tested_level);
  drive_init();
  log_init(&b.log[0]);
  log_init(&b.log[1]);
  return &b;
}

static const struct lib* running;

int64_t bench_run(struct bench* b, const struct plan* p, int plant) {
  drive_plant = 0;
  running = &b->lib[0];
  drive(p, &b->lib[0], &b->log[0]);
  drive_plant = plant;
  running = &b->lib[1];
  drive(p, &b->lib[1], &b->log[1]);
  return log_compare(&b->log[0], &b->log[1]);
}

// ---- watching

long bench_tick = 500000;
static void (*death)(int, int);

static void on_signal(int signal) {
  static volatile uint64_t last_turn;
  static volatile int ticks;
  if (signal == SIGVTALRM) {
    if (last_turn != bench_turn) {
      last_turn = bench_turn;
      ticks = 0;
    }
    if (++ticks < 4) return;
    death(HUNG, signal);
  }
  death(CRASHED, signal);
}

void bench_watch(void (*on_death)(int, int)) {
  static uint8_t stack[65536];
  stack_t s = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  struct itimerval tick = {{0, bench_tick}, {0, bench_tick}};
  death = on_death;
  sigaltstack(&s, NULL);
  static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGVTALRM};
  for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; i++) sigaction(signals[i], &action, NULL);
  setitimer(ITIMER_VIRTUAL, &tick, NULL);
}

// ---- trials

static FILE* report;
static struct bench* open_bench;
static const struct plan* tried;

static void die_in_trial(int outcome, int signal) {
  if (report) {
    fprintf(report, "%s in the %s library (signal %d) after these events\n", outcome_names[outcome], running->label,
            signal);
    // The log of the library that failed has no length yet: the other one shows how far it had to come.
    if (running == &open_bench->lib[1]) {
      const struct log* l = &open_bench->log[0];
      fputs("(events of the reference, complete)\n", report);
      log_print(report, tried, l, l->n > 40 ? l->n - 40 : 0, l->n);
    }
    fflush(report);
  }
  _exit(outcome);
}

int trial(const struct plan* p, const struct options* o, FILE* f, uint32_t* signature) {
  static uint32_t* shared;
  if (!shared) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
      perror("differential: mmap");
      exit(SETUP_FAILED);
    }
  }
  if (f) fflush(f);
  *shared = 0;
  pid_t child = fork();
  if (child < 0) {
    perror("differential: fork");
    exit(SETUP_FAILED);
  }
  if (child == 0) {
    report = f;
    tried = p;
    open_bench = bench_open(o);
    bench_watch(die_in_trial);
    int64_t at = bench_run(open_bench, p, o->plant);
    *shared = log_signature(&open_bench->log[0], &open_bench->log[1], at);
    if (f) {
      log_print_difference(f, p, &open_bench->log[0], &open_bench->log[1], at);
      fflush(f);
    }
    _exit(at < 0 ? SAME : DIFFERS);
  }
  int status;
  while (waitpid(child, &status, 0) < 0) {}
  if (signature) *signature = *shared;
  if (!WIFEXITED(status)) return CRASHED;
  if (WEXITSTATUS(status) == SETUP_FAILED) exit(SETUP_FAILED);
  return WEXITSTATUS(status) <= HUNG ? WEXITSTATUS(status) : CRASHED;
}
