// The targets: which plans each makes of bytes, and which libraries must agree on them. For every target the reference
// runs, too: it is the one whose code tells the fuzzer what is new, as the tested library's is not instrumented.
#include <stdlib.h>

#include "fuzz.h"

static const struct target targets[] = {
    {"reference", .acts = ACTS_RETURN},        // whole messages
    {"levels", .acts = ACTS_ALL, .levels = 1}, // each level against the portable kernels
    {"parts", .parts = 1},                     // a part of the grammar at a time
    {"driver", .acts = ACTS_ALL},              // callbacks that do all that callbacks may
};

struct lib fuzz_tested;
struct log fuzz_log;
const struct target* fuzz_target;
uint64_t fuzz_comparisons, fuzz_hangs;

static struct lib reference,
    portable;  // portable: the tested library a second time, with the kernels that every CPU has
static struct log reference_log, portable_log;
static struct fuzz_options opts;

#define PORTABLE "generic"
#define MAX_LEVELS 8
static const char* levels[MAX_LEVELS];  // those that the tested library has beside the portable one
static unsigned n_levels;

// ---- comparing

int fuzz_pair(unsigned i, struct options* o) {
  *o = (struct options){.reference = opts.reference, .tested = opts.library, .plant = opts.plant};
  if (!fuzz_target->levels) return i == 0;
  if (i == 0) {
    o->tested_level = PORTABLE;
    o->plant = PLANT_none;
    return 1;
  }
  if (i > n_levels) return 0;
  o->reference = opts.library;
  o->reference_level = PORTABLE;
  o->tested_level = levels[i - 1];
  return 1;
}

int fuzz_variant(unsigned i, const struct plan* p, struct plan* q) {
  if (i > 0 && !fuzz_target->parts) return 0;
  plan_copy(q, p);
  if (i == 0) return 1;
  if (i == 1) {
    q->piece[0] = q->len;
    q->npieces = 1;
    return 1;
  }
  if (i > 2 || q->len == 0 || q->len > 400) return 0;
  q->npieces = q->len;
  for (uint32_t k = 0; k < q->len; k++) q->piece[k] = 1;
  return 1;
}

static int compare(const struct plan* p, unsigned pair, const struct log* a, const struct log* b, FILE* report) {
  fuzz_comparisons++;
  int64_t at = log_compare(a, b);
  if (at < 0) return 0;
  struct options o;
  fuzz_pair(pair, &o);
  fprintf(report, "\n==== target %s: the library%s%s differs from %s\n", fuzz_target->name,
          o.tested_level ? " with " : "", o.tested_level ? o.tested_level : "",
          o.reference_level ? o.reference_level : "the reference");
  plan_print(p, report);
  log_print_difference(report, p, a, b, at);
  return 1;
}

static int against_reference(const struct plan* p, const struct lib* lib, struct log* log, FILE* report) {
  drive(p, lib, log);
  if (!reference_run(&reference, p, &reference_log, log)) return compare(p, 0, &reference_log, log, report);
  fuzz_comparisons++;
  fuzz_hangs++;
  return 0;
}

static int run_levels(const struct plan* p, FILE* report) {
  drive_plant = PLANT_none;
  int differences = against_reference(p, &portable, &portable_log, report);
  drive_plant = opts.plant;
  for (unsigned i = 0; i < n_levels; i++) {
    lib_set_level(&fuzz_tested, levels[i]);
    drive(p, &fuzz_tested, &fuzz_log);
    differences += compare(p, 1 + i, &portable_log, &fuzz_log, report);
  }
  return differences;
}

int fuzz_run(const struct plan* p, FILE* report) {
  static struct plan q;
  if (fuzz_target->levels) return run_levels(p, report);
  drive_plant = opts.plant;
  int differences = 0;
  for (unsigned i = 0; fuzz_variant(i, p, &q); i++)
    differences += against_reference(&q, &fuzz_tested, &fuzz_log, report);
  return differences;
}

// ---- opening

static void fail(const char* what, const char* why) {
  fprintf(stderr, "fuzz: %s%s\n", what, why);
  exit(2);
}

int fuzz_option(struct fuzz_options* o, const char* argument) {
#define TAKE(name) \
  if (strncmp(argument, "--" #name "=", sizeof "--" #name) == 0) { \
    o->name = argument + sizeof "--" #name; \
    return 1; \
  }
  TAKE(target)
  TAKE(reference)
  TAKE(library)
#undef TAKE
  if (strncmp(argument, "--plant=", 8)) return 0;
  for (o->plant = 0; o->plant < NPLANTS; o->plant++)
    if (strcmp(plant_names[o->plant], argument + 8) == 0) return 1;
  fail("no such difference can be planted: ", argument + 8);
  return 0;
}

static void open_levels(void) {
  log_init(&portable_log);
  lib_load(&reference, opts.reference, &portable, opts.library, 0);
  lib_load(&portable, opts.library, &fuzz_tested, opts.library, 0);
  lib_set_level(&portable, PORTABLE);
  for (int level = 0; level < MAX_LEVELS; level++) {
    const char* name = lib_level_name(&fuzz_tested, level);
    if (name && strcmp(name, PORTABLE)) levels[n_levels++] = name;
  }
  if (!n_levels) fail("this library has one level only: there is nothing to compare", "");
}

void fuzz_open(const struct fuzz_options* o) {
  opts = *o;
  if (!o->target || !o->reference || !o->library) fail("--target, --reference and --library are needed", "");
  for (unsigned i = 0; i < sizeof targets / sizeof targets[0]; i++)
    if (strcmp(targets[i].name, o->target) == 0) fuzz_target = &targets[i];
  if (!fuzz_target) fail("no such target: ", o->target);
  drive_init();
  log_init(&fuzz_log);
  log_init(&reference_log);
  if (fuzz_target->levels) open_levels();
  else lib_load(&reference, opts.reference, &fuzz_tested, opts.library, 0);
}
