// The fuzzers: shared declarations. An input of a fuzzer is bytes, which stand for a plan of the differential test
// (bytes.c says how); a target says what plans these are and which libraries must agree on them (targets.c). What must
// hold: whatever the bytes, the plan is one that every library survives, save the reference in the one known case
// (reference.c).
#ifndef FUZZ_H
#define FUZZ_H

#include "../diff/diff.h"

struct fuzz_options {
  const char *target, *reference, *library;  // a target's name, and two paths
  int plant;                                 // one of tests/diff's planted differences, for the tested library
};
// Takes --target=NAME, --reference=PATH, --library=PATH and --plant=NAME; 0 if the argument is none of them. Exits with
// a message if there is no such target or plant.
int fuzz_option(struct fuzz_options* o, const char* argument);
// Loads the libraries; exits with a message if an option is missing.
void fuzz_open(const struct fuzz_options* o);

// ---- the bytes

#define FUZZ_HEAD 20
#define FUZZ_MAX (FUZZ_HEAD + 15 + 8 * MAX_ACTS + MAX_INPUT)

// Makes the target's plan of any bytes.
void fuzz_decode(struct plan* p, const uint8_t* data, size_t size);
// Writes bytes that stand for the plan and returns how many; 0 if there are none, since they cannot say all that a plan
// can. For a target of parts the n-th part of the plan's input; 0 if it has none.
size_t fuzz_encode(const struct plan* p, unsigned part, uint8_t out[FUZZ_MAX]);

// ---- the parts of the grammar

struct part {
  const char* name;
  uint8_t type;
  struct text before, after;  // what makes a message of it
};
extern const struct part parts[];
extern const unsigned n_parts;
// Where in an input that part begins, or -1.
int64_t part_find(const struct part* part, const uint8_t* input, uint32_t len);

// ---- running

// Runs the plan on the target's libraries and compares; prints differences. Returns how many there are.
int fuzz_run(const struct plan* p, FILE* report);
// What that consists of: the i-th variant of a plan, and the i-th pair of libraries, as trial and shrink want it. 0 if
// there is none.
int fuzz_variant(unsigned i, const struct plan* p, struct plan* variant);
int fuzz_pair(unsigned i, struct options* o);
// How many plans have been run on two libraries and compared; how many of them the reference is known not to return
// from.
extern uint64_t fuzz_comparisons, fuzz_hangs;
extern struct lib fuzz_tested;
extern struct log fuzz_log;  // of the tested library's last run

// Runs the reference after the tested library, whose log is given. Returns 1 if it hangs in the one known case: then
// both logs are the same up to there. After another hang its log ends where it was last heard of.
int reference_run(const struct lib* reference, const struct plan* p, struct log* log, const struct log* tested);

// ---- what bytes.c and libfuzzer.c need to know of the target

enum { ACTS_RETURN = 1, ACTS_ALL = 2 };
struct target {
  const char* name;
  int acts;    // whether callbacks return something, or also do something
  int parts;   // whether the input is a part of a message
  int levels;  // whether levels are compared
};
extern const struct target* fuzz_target;

#endif
