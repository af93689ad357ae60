// The differential test's command line: shares the cases out to worker processes, collects what they find, shrinks
// and prints it. A case's outcome depends on the seed and its number only, never on the worker or on what ran before.
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "diff.h"

#define MAX_JOBS 64
#define MAX_FINDINGS 64
#define CHUNK 512

struct finding {
  uint64_t number;
  uint32_t outcome, signature;
};

static struct shared {
  _Atomic uint64_t next;  // the first case nobody has taken
  uint64_t end;
  _Atomic int stop;
  _Atomic uint64_t failures;
  atomic_flag lock;
  uint32_t n_findings, wanted_findings;
  struct finding findings[MAX_FINDINGS];
  struct worker {
    _Atomic uint64_t at, end, done;  // at: the case under way
  } worker[MAX_JOBS];
  _Atomic uint64_t stat_events[NEV], stat_errors[64], stat_bytes, stat_complete, stat_cases;
}* shared;

static uint64_t seed = 1, first_case;
static int jobs, want_stats, no_shrink;
static uint64_t report_every;
static struct options opts;
static const char* without;  // as given, for the replay line

// ---- workers

static int own;  // which worker this process is

static void found(uint32_t outcome, uint32_t signature) {
  while (atomic_flag_test_and_set(&shared->lock)) {}
  shared->failures++;
  uint32_t i = 0;
  while (i < shared->n_findings &&
         (shared->findings[i].outcome != outcome || shared->findings[i].signature != signature))
    i++;
  if (i == shared->n_findings && i < shared->wanted_findings) {
    shared->findings[i] = (struct finding){shared->worker[own].at, outcome, signature};
    shared->n_findings++;
  }
  if (shared->n_findings >= shared->wanted_findings) shared->stop = 1;
  atomic_flag_clear(&shared->lock);
}

static void die_in_worker(int outcome, int sig) {
  found((uint32_t)outcome, (uint32_t)sig);
  shared->worker[own].done++;
  shared->worker[own].at++;
  _exit(outcome);
}

static void count(const struct plan* p, const struct log* l) {
  int complete = 0, last = 0;
  for (uint32_t i = 0; i < l->n; i++) {
    shared->stat_events[l->ev[i].kind]++;
    complete |= l->ev[i].kind == CB_message_complete;
    if (l->ev[i].kind == EV_EXECUTE) last = l->ev[i].rc;
  }
  shared->stat_errors[last >= 0 && last < 63 ? last : 63]++;
  shared->stat_complete += (uint64_t)complete;
  shared->stat_bytes += p->len;
  shared->stat_cases++;
}

static void work(int which) {
  own = which;
  struct worker* me = &shared->worker[which];
  struct bench* b = bench_open(&opts);
  bench_watch(die_in_worker);
  for (;;) {
    if (me->at >= me->end) {
      uint64_t from = atomic_fetch_add(&shared->next, CHUNK);
      if (from >= shared->end || shared->stop) break;
      me->end = from + CHUNK < shared->end ? from + CHUNK : shared->end;
      me->at = from;
    }
    for (; me->at < me->end; atomic_fetch_add(&me->at, 1), atomic_fetch_add(&me->done, 1)) {
      uint64_t at = me->at;
      bench_turn++;
      plan_generate(&b->plan, seed, at, &opts);
      int64_t where = bench_run(b, &b->plan, opts.plant);
      if (where >= 0) found(DIFFERS, log_signature(&b->log[0], &b->log[1], where));
      if (want_stats) count(&b->plan, &b->log[0]);
    }
    if (shared->stop) break;
  }
  _exit(SAME);
}

static pid_t start_worker(int which) {
  fflush(NULL);
  pid_t p = fork();
  if (p < 0) {
    perror("differential: fork");
    exit(2);
  }
  if (p == 0) work(which);
  return p;
}

static uint64_t cases_done(void) {
  uint64_t n = 0;
  for (int i = 0; i < jobs; i++) n += shared->worker[i].done;
  return n;
}

// Runs cases [from, from + n) until all are done or enough is found.
static void run_cases(uint64_t from, uint64_t n, uint32_t findings) {
  memset(shared, 0, sizeof *shared);
  first_case = from;
  shared->next = from;
  shared->end = from + n;
  shared->wanted_findings = findings < MAX_FINDINGS ? findings : MAX_FINDINGS;
  pid_t pid[MAX_JOBS];
  int alive = jobs;
  for (int i = 0; i < jobs; i++) pid[i] = start_worker(i);
  uint64_t reported = 0;
  while (alive) {
    int status;
    pid_t p = waitpid(-1, &status, report_every ? WNOHANG : 0);
    if (p == 0) {
      nanosleep(&(struct timespec){0, 50000000}, NULL);
      uint64_t done = cases_done();
      if (done / report_every > reported) {
        reported = done / report_every;
        fprintf(stderr, "%llu cases, %llu differences\n", (unsigned long long)done,
                (unsigned long long)shared->failures);
      }
      continue;
    }
    if (p < 0) {
      if (errno == EINTR) continue;
      break;
    }
    int which = 0;
    while (which < jobs && pid[which] != p) which++;
    if (which == jobs) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == SETUP_FAILED) {
      shared->stop = 1;
      exit(2);
    }
    if (!WIFEXITED(status)) {  // died without a word
      own = which;
      found(CRASHED, (uint32_t)WTERMSIG(status));
      shared->worker[which].done++;
      shared->worker[which].at++;
    }
    if ((!WIFEXITED(status) || WEXITSTATUS(status) != SAME) && !shared->stop) pid[which] = start_worker(which);
    else alive--;
  }
}

// ---- reports

static void print_stats(void) {
  double cases = (double)shared->stat_cases;
  printf("mean length %.1f, with a complete message %.1f %%\n", (double)shared->stat_bytes / cases,
         100 * (double)shared->stat_complete / cases);
  for (int i = 0; i < NCB; i++)
    printf("  %-34s %10.4f per case\n", cb_names[i], (double)shared->stat_events[i] / cases);
  printf("  %-34s %10.4f per case\n", "llhttp_execute", (double)shared->stat_events[EV_EXECUTE] / cases);
  for (int i = 0; i < 64; i++)
    if (shared->stat_errors[i])
      printf("  last result of llhttp_execute %2d%s %9.4f %%\n", i, i == 63 ? "+" : " ",
             100 * (double)shared->stat_errors[i] / cases);
}

static void print_finding(struct plan* p, int shrunk) {
  printf("\n---- case %llu of seed %llu%s\n", (unsigned long long)p->number, (unsigned long long)seed,
         shrunk ? ", made smaller" : "");
  plan_print(p, stdout);
  int outcome = trial(p, &opts, stdout, NULL);
  printf("outcome: %s\n", outcome_names[outcome]);
}

static void report_finding(const struct finding* f) {
  static struct plan p;
  plan_generate(&p, seed, f->number, &opts);
  printf("\n==== case %llu: %s\n", (unsigned long long)f->number, outcome_names[f->outcome]);
  if (trial(&p, &opts, stdout, NULL) == SAME) {
    uint64_t from = f->number - (f->number - first_case) % CHUNK;
    printf("does not fail when run alone: a state that outlives a parser? Try --jobs 1 --start %llu --count %llu\n",
           (unsigned long long)from, (unsigned long long)(f->number - from + 1));
    return;
  }
  if (!no_shrink) shrink(&p, &opts);
  print_finding(&p, !no_shrink);
  printf("replay: --seed %llu --case %llu%s%s%s%s, or --plan with the lines above from \"type\" to \"end\"\n",
         (unsigned long long)seed, (unsigned long long)f->number, opts.wild ? " --wild" : "",
         opts.extended ? " --extended" : "", without ? " --without " : "", without ? without : "");
}

static int compare_names(void) {
  fflush(NULL);
  pid_t p = fork();
  if (p == 0) {
    struct bench* b = bench_open(&opts);
    int n = lib_compare_names(&b->lib[0], &b->lib[1]);
    fflush(stdout);
    _exit(n == 0 ? SAME : DIFFERS);
  }
  int status;
  if (p < 0 || waitpid(p, &status, 0) < 0) return 1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == SETUP_FAILED) exit(2);
  return !WIFEXITED(status) || WEXITSTATUS(status) != SAME;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// ---- self test: does the test find what it should, and nothing else?

static int check(int good, const char* what) {
  printf("%s %s\n", good ? "ok  " : "FAIL", what);
  return !good;
}

static int plans_survive_text(void) {
  static struct plan a, b;
  static const struct options wild = {.wild = 1};
  for (uint64_t i = 0; i < 3000; i++) {
    FILE* f = tmpfile();
    if (!f) return 0;
    memset(&a, 0, sizeof a);
    plan_generate(&a, seed, i, &wild);
    plan_print(&a, f);
    rewind(f);
    int bad = plan_read(&b, f);
    fclose(f);
    b.seed = a.seed;
    b.number = a.number;
    int swaps = 0;
    for (unsigned k = 0; k < a.nacts; k++) swaps |= a.acts[k].what == ACT_settings || a.acts[k].what == ACT_init;
    if (!swaps) b.mask[1] = a.mask[1];
    if (bad || a.len != b.len || a.npieces != b.npieces || memcmp(a.input, b.input, a.len) ||
        memcmp(a.piece, b.piece, a.npieces * sizeof a.piece[0]) || a.nacts != b.nacts ||
        memcmp(a.mask, b.mask, sizeof a.mask) || a.place != b.place || a.moves != b.moves || a.lenient != b.lenient ||
        a.type != b.type || a.resumes != b.resumes || a.upgrades != b.upgrades || a.errors != b.errors ||
        a.on_error != b.on_error || a.ending != b.ending || a.null_first != b.null_first || a.relocate != b.relocate)
      return 0;
    for (unsigned k = 0; k < a.nacts; k++) {
      const struct act *x = &a.acts[k], *y = &b.acts[k];
      if (x->when != y->when || x->what != y->what || x->nth != y->nth || x->ret != y->ret || x->arg != y->arg)
        return 0;
    }
  }
  return 1;
}

static int selftest(void) {
  int passed = 0, failed = 0;
  char what[160];
  static struct plan p;
  const long usual_tick = bench_tick;
#define CHECK(good) do { if (check((good), what)) failed++; else passed++; } while (0)
  opts.tested = opts.reference;
  snprintf(what, sizeof what, "plans survive their text form");
  CHECK(plans_survive_text());
  run_cases(0, 200000, 1);
  snprintf(what, sizeof what, "the reference equals itself, %llu cases", (unsigned long long)cases_done());
  CHECK(shared->failures == 0 && cases_done() == 200000);
  for (int plant = 1; plant < NPLANTS; plant++) {
    opts.plant = plant;
    bench_tick = plant == PLANT_endless_loop ? 10000 : usual_tick;  // making it smaller takes sixty such loops
    run_cases(0, 200000, 1);
    if (shared->n_findings == 0) {
      snprintf(what, sizeof what, "planted %s: not found in %llu cases", plant_names[plant],
               (unsigned long long)cases_done());
      CHECK(0);
      continue;
    }
    struct finding f = shared->findings[0];
    int crash = plant == PLANT_abort || plant == PLANT_read_past_end || plant == PLANT_read_before_start;
    int expected = plant == PLANT_endless_loop ? HUNG : crash ? CRASHED : DIFFERS;
    plan_generate(&p, seed, f.number, &opts);
    uint32_t before = p.len;
    shrink(&p, &opts);
    int outcome = trial(&p, &opts, NULL, NULL);
    snprintf(what, sizeof what, "planted %s: case %llu %s, made smaller from %u to %u bytes, still %s",
             plant_names[plant], (unsigned long long)f.number, outcome_names[f.outcome], before, p.len,
             outcome_names[outcome]);
    CHECK((int)f.outcome == expected && outcome == expected && (p.len < 100 || expected == HUNG));
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}

// ---- command line

static void usage(FILE* f) {
  fputs(
      "usage: differential [options] REFERENCE LIBRARY\n"
      "       differential --selftest REFERENCE\n"
      "  --seed S           the cases to run: any number (1)\n"
      "  --count N          how many (10000000)\n"
      "  --start I          the first of them (0)\n"
      "  --case I           only this one, with its plan and what differs\n"
      "  --plan FILE        a plan in text form, - for standard input; as --case\n"
      "  --log              with --case and --plan: the reference's whole log\n"
      "  --jobs J           processes (one per processor)\n"
      "  --report-every N   progress to standard error\n"
      "  --max-reports K    go on until K different failures are found (1)\n"
      "  --no-shrink        report the cases as they were found\n"
      "  --extended         the tested parser has an llhttp_ext_t attached that changes nothing\n"
      "  --wild             callbacks also write fields that nobody is invited to write\n"
      "  --without LIST     callbacks do not do these things: names of acts, or midway for resets within a message\n"
      "  --stats            what the cases reach\n",
      f);
}

static int run_one(struct plan* p, int whole_log) {
  plan_print(p, stdout);
  if (whole_log) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
      struct bench* b = bench_open(&opts);
      drive(p, &b->lib[0], &b->log[0]);
      log_print(stdout, p, &b->log[0], 0, b->log[0].n);
      fflush(stdout);
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
  int outcome = trial(p, &opts, stdout, NULL);
  printf("%s\n%d passed, %d failed\n", outcome_names[outcome], outcome == SAME, outcome != SAME);
  return outcome != SAME;
}

// What is to be done.
static struct {
  uint64_t from, count;
  int64_t one;  // only this case, if not negative
  uint32_t reports;
  int self, whole_log;
  const char* plan_file;
} job = {.count = 10000000, .one = -1, .reports = 1};

// Returns an exit status if there is nothing to be done, or not like this; -1 otherwise.
static int read_options(int argc, char** argv) {
  enum {
    SEED = 256,
    COUNT,
    START,
    CASE,
    PLAN,
    LOG,
    JOBS,
    EVERY,
    REPORTS,
    NO_SHRINK,
    WITHOUT,
    WILD,
    EXTENDED,
    STATS,
    SELFTEST,
    HELP
  };
  static const struct option names[] = {{"seed", 1, NULL, SEED},
                                        {"count", 1, NULL, COUNT},
                                        {"start", 1, NULL, START},
                                        {"case", 1, NULL, CASE},
                                        {"plan", 1, NULL, PLAN},
                                        {"log", 0, NULL, LOG},
                                        {"jobs", 1, NULL, JOBS},
                                        {"report-every", 1, NULL, EVERY},
                                        {"max-reports", 1, NULL, REPORTS},
                                        {"no-shrink", 0, NULL, NO_SHRINK},
                                        {"without", 1, NULL, WITHOUT},
                                        {"wild", 0, NULL, WILD},
                                        {"extended", 0, NULL, EXTENDED},
                                        {"stats", 0, NULL, STATS},
                                        {"selftest", 0, NULL, SELFTEST},
                                        {"help", 0, NULL, HELP},
                                        {NULL, 0, NULL, 0}};
  jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
  for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
    switch (c) {
      case SEED: seed = strtoull(optarg, NULL, 0); break;
      case COUNT: job.count = strtoull(optarg, NULL, 0); break;
      case START: job.from = strtoull(optarg, NULL, 0); break;
      case CASE: job.one = strtoll(optarg, NULL, 0); break;
      case PLAN: job.plan_file = optarg; break;
      case LOG: job.whole_log = 1; break;
      case JOBS: jobs = atoi(optarg); break;
      case EVERY: report_every = strtoull(optarg, NULL, 0); break;
      case REPORTS: job.reports = (uint32_t)strtoul(optarg, NULL, 0); break;
      case NO_SHRINK: no_shrink = 1; break;
      case WITHOUT:
        without = optarg;
        for (char* s = strtok(strdup(optarg), ","); s; s = strtok(NULL, ",")) {
          int i = 0;
          while (i < NACTS && strcmp(act_names[i], s)) i++;
          if (i == NACTS && strcmp(s, "midway")) {
            fprintf(stderr, "differential: nothing is called %s\n", s);
            return 2;
          }
          opts.without |= 1u << i;
        }
        break;
      case WILD: opts.wild = 1; break;
      case EXTENDED: opts.extended = 1; break;
      case STATS: want_stats = 1; break;
      case SELFTEST: job.self = 1; break;
      case HELP: usage(stdout); return 0;
      default: usage(stderr); return 2;
    }
  }
  if (argc - optind != (job.self ? 1 : 2)) {
    usage(stderr);
    return 2;
  }
  if (jobs < 1) jobs = 1;
  if (jobs > MAX_JOBS) jobs = MAX_JOBS;
  if (job.reports < 1) job.reports = 1;
  opts.reference = argv[optind];
  opts.tested = argv[argc - 1];
  return -1;
}

// A plan that a file has.
static int run_plan(struct plan* p, const char* path) {
  FILE* f = strcmp(path, "-") ? fopen(path, "r") : stdin;
  if (!f) {
    perror(path);
    return 2;
  }
  int end = plan_read(p, f);
  if (end) {
    if (end > 0) fprintf(stderr, "differential: there is no plan in %s\n", path);
    return 2;
  }
  if (!plan_is_safe(p)) {
    fputs("differential: the reference would not return: NUL with lenient_header_value_relaxed alone\n", stderr);
    return 2;
  }
  return run_one(p, job.whole_log);
}

int main(int argc, char** argv) {
  int status = read_options(argc, argv);
  if (status >= 0) return status;
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    perror("differential: mmap");
    return 2;
  }
  if (job.self) return selftest();

  static struct plan p;
  if (job.plan_file) return run_plan(&p, job.plan_file);
  if (job.one >= 0) {
    plan_generate(&p, seed, (uint64_t)job.one, &opts);
    return run_one(&p, job.whole_log);
  }

  double began = now();
  int names_fail = compare_names();
  run_cases(job.from, job.count, job.reports);
  double seconds = now() - began;
  uint64_t done = cases_done(), failures = shared->failures;
  if (want_stats) print_stats();
  for (uint32_t i = 0; i < shared->n_findings; i++) report_finding(&shared->findings[i]);
  printf("differential: %llu inputs, %llu differences, seed %llu, %.1f seconds\n", (unsigned long long)done,
         (unsigned long long)failures, (unsigned long long)seed, seconds);
  failures += (uint64_t)names_fail;
  printf("%llu passed, %llu failed\n", (unsigned long long)(done + 1 - failures), (unsigned long long)failures);
  return failures != 0 || done != job.count;
}
