// The differential test: shared types. A case is a plan (input, cuts, callbacks, what the callbacks do, how the
// caller goes on); a run of a plan on one library leaves a log of events; two logs must be equal byte for byte.
// A plan is a pure function of (seed, case number), and a run is a pure function of (plan, library): no clock,
// no address and no state of an earlier case may reach a log.
#ifndef DIFF_H
#define DIFF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "llhttp.h"
#include "llhttp_ext.h"

// ---- the callbacks, spans first; a set of callbacks is a bit mask over these ids

#define SPANS(X) \
  X(protocol) X(url) X(status) X(method) X(version) X(header_field) X(header_value) \
  X(chunk_extension_name) X(chunk_extension_value) X(body)
#define NOTICES(X) \
  X(message_begin) X(headers_complete) X(message_complete) X(protocol_complete) X(url_complete) \
  X(status_complete) X(method_complete) X(version_complete) X(header_field_complete) \
  X(header_value_complete) X(chunk_extension_name_complete) X(chunk_extension_value_complete) \
  X(chunk_header) X(chunk_complete) X(reset)

enum {
#define X(name) CB_##name,
  SPANS(X) NOTICES(X)
#undef X
      NCB
};
#define NSPANS 10
#define ALL_CBS ((1u << NCB) - 1)
extern const char* const cb_names[NCB];

// ---- a library under test

#define LENIENT(X) /* in bit order */ \
  X(headers) X(chunked_length) X(keep_alive) X(transfer_encoding) X(version) X(data_after_close) \
  X(optional_lf_after_cr) X(optional_crlf_after_chunk) X(optional_cr_before_lf) \
  X(spaces_after_chunk_size) X(header_value_relaxed)
#define NLENIENT 11
#define API(X) \
  X(init) X(reset) X(settings_init) X(execute) X(finish) X(message_needs_eof) X(should_keep_alive) \
  X(pause) X(resume) X(resume_after_upgrade) X(get_errno) X(get_error_reason) X(get_error_pos) \
  X(set_error_reason) X(get_type) X(get_http_major) X(get_http_minor) X(get_method) \
  X(get_status_code) X(get_upgrade) X(errno_name) X(method_name) X(status_name)

struct lib {
  const char* label;
  void* handle;
#define X(name) __typeof__(&llhttp_##name) name;
  API(X)
#undef X
  void (*set_lenient[NLENIENT])(llhttp_t*, int);
  // Of the tested library, if the run is to attach something; else NULL.
  void (*ext_init)(llhttp_ext_t*);
  int (*ext_attach)(llhttp_t*, llhttp_ext_t*);
};

// Loads two libraries side by side, whatever their sonames; exits with a message if they are not two. Extended: the
// parsers of the tested one get something attached that changes nothing.
void lib_load(struct lib* reference, const char* reference_path, struct lib* tested, const char* tested_path,
              int extended);
// Chooses a library's kernels by the level's name; exits with a message if it has no such level.
void lib_set_level(const struct lib* l, const char* level);
// The name of a level that the library has on this CPU, or NULL.
const char* lib_level_name(const struct lib* l, int level);
// Compares the names of every error, method and status code of the header; prints and counts the differences.
int lib_compare_names(const struct lib* a, const struct lib* b);

// ---- random numbers

struct rng {
  uint64_t s;
};
static inline uint64_t rng_next(struct rng* r) {
  r->s += 0x9e3779b97f4a7c15u;
  unsigned __int128 m = (unsigned __int128)(r->s ^ 0xd1b54a32d192ed03u) * (r->s | 0xe7037ed1a0b428dbu);
  return (uint64_t)(m >> 64) ^ (uint64_t)m;
}
static inline uint32_t rng_below(struct rng* r, uint32_t n) { return (uint32_t)(((rng_next(r) >> 32) * n) >> 32); }

// ---- a plan

#define MAX_INPUT 16384
#define MAX_PIECES (MAX_INPUT + 256)
#define MAX_ACTS 8

// When an act happens: at the nth call of one callback (when < NCB), at the nth call of any, or before the nth piece.
enum { WHEN_ANY = NCB, WHEN_BETWEEN };
#define NTH_EVERY 0xffffu

#define ACTS(X) \
  X(none)           /* only the return value */ \
  X(pause)          /* llhttp_pause */ \
  X(resume)         /* llhttp_resume */ \
  X(lenient_on)     /* llhttp_set_lenient_*(parser, 1); arg: bit number */ \
  X(lenient_off) \
  X(upgrade)        /* parser->upgrade = arg */ \
  X(reason)         /* llhttp_set_error_reason; arg: which text, 0 for NULL */ \
  X(reset)          /* llhttp_reset */ \
  X(init)           /* llhttp_init; arg: type, + 4 for the second settings object, + 8 for none */ \
  X(settings)       /* parser->settings = first, second or (2) none */ \
  X(or_flags)       /* parser->flags |= arg */ \
  X(and_flags)      /* parser->flags &= arg */ \
  X(content_length) /* parser->content_length = arg */ \
  X(other_parser)   /* parses a short message with another parser; arg: which */ \
  X(finish)         /* llhttp_finish, between pieces only */ \
  X(method)         /* direct writes of fields no documentation invites to write: only with --wild */ \
  X(status_code) \
  X(http_version) \
  X(type)
enum {
#define X(name) ACT_##name,
  ACTS(X)
#undef X
      NACTS
};
extern const char* const act_names[NACTS];

struct act {
  uint8_t when, what;
  uint16_t nth;
  int32_t ret;  // what the callback returns, if not 0
  uint64_t arg;
};

// What the caller does after an error that is no pause.
enum { ERR_STOP, ERR_FEED_ON, ERR_RESET_REST, ERR_RESET_NEXT, ERR_INIT_REST, NERR };
// What the caller does at the end: bits.
enum { END_FINISH = 1, END_FINISH_TWICE = 2, END_PAUSE_FIRST = 4, END_EXECUTE = 8, END_REUSE = 16 };

struct plan {
  uint64_t seed, number;
  uint64_t place;     // bit per piece: 0 ends at an inaccessible page, 1 begins after one
  uint64_t moves;     // bit per resume: the rest of the piece is copied elsewhere first
  uint32_t mask[2];   // callbacks set in the first and the second settings object
  uint16_t lenient;
  uint8_t type;
  uint8_t resumes, upgrades, errors;  // how often the caller goes on after each
  uint8_t on_error, ending;
  uint8_t null_first;  // begins with llhttp_execute(parser, NULL, 0)
  uint8_t relocate;    // before each piece the parser moves to another address, as in an array that grows
  uint8_t nacts;
  struct act acts[MAX_ACTS];
  uint32_t npieces, len;
  uint32_t piece[MAX_PIECES];  // lengths, zero allowed; they add up to len
  uint8_t input[MAX_INPUT];
};

struct options;
void plan_generate(struct plan* p, uint64_t seed, uint64_t number, const struct options* o);
// The reference does not survive every use; plans must stay inside what it survives.
int plan_is_safe(const struct plan* p);
void plan_make_safe(struct plan* p);
void plan_print(const struct plan* p, FILE* f);
// The next plan of a file: 0, 1 at the file's end, or -1 after a message. The plan need not be safe.
int plan_read(struct plan* p, FILE* f);
void plan_copy(struct plan* to, const struct plan* from);
void print_bytes(FILE* f, const uint8_t* s, size_t n, size_t limit);

struct text {
  const char* s;
  uint16_t n;
};
#define T(literal) { literal, sizeof(literal) - 1 }
extern const struct text corpus_requests[], corpus_responses[];
extern const unsigned n_corpus_requests, n_corpus_responses;

// ---- a log

// Kinds of events beside the callbacks.
enum { EV_FEED = NCB, EV_EXECUTE, EV_AGAIN, EV_FINISH, EV_BETWEEN, EV_RESUME, EV_GETTERS, EV_SCRIBBLED, EV_FULL, NEV };

#define PUBLIC_FROM offsetof(llhttp_t, content_length)
#define PUBLIC_WORDS ((offsetof(llhttp_t, settings) - PUBLIC_FROM) / 8)
#define POS_NULL 0xffffffffu
#define POS_ELSEWHERE 0xfffffffeu
#define POS_OTHER_PARSER 0x80000000u  // + offset in the other parser's message

struct event {  // one cache line
  uint8_t kind, other;  // other: 1 the parser inside the callback, 2 a parser nobody knows
  uint8_t keep_alive, needs_eof;
  uint8_t data_kept, settings;  // settings: 0, 1, 2 none, 3 anything else
  uint16_t reason;              // number of the text, 0 for NULL
  int32_t rc, error;            // rc: what the callback or the API function returned
  uint32_t at, len;             // of a span, or of a piece
  uint32_t error_pos;
  uint32_t offset;              // EV_FEED: where in the input; else 0
  uint64_t field[PUBLIC_WORDS]; // the public fields from content_length on, private ones masked out
};

#define MAX_EVENTS (1u << 17)
struct log {
  uint32_t n;
  struct event* ev;
};

void log_init(struct log* l);
// The index of the first difference, or -1.
int64_t log_compare(const struct log* a, const struct log* b);
// What differs there: the same for the same kind of difference, whatever the input.
uint32_t log_signature(const struct log* a, const struct log* b, int64_t at);
void log_print_difference(FILE* f, const struct plan* p, const struct log* a, const struct log* b, int64_t at);
void log_print(FILE* f, const struct plan* p, const struct log* l, uint32_t from, uint32_t to);
uint16_t reason_number(const char* reason);
const char* reason_text(uint16_t number);

// ---- a run

void drive_init(void);  // once per process
void drive(const struct plan* p, const struct lib* lib, struct log* log);
void drive_cut_short(struct log* log);  // ends the log of a run that was left by longjmp

// Differences planted in the second library's run, to show that they are found.
#define PLANTS(X) \
  X(none) X(type) X(method) X(http_major) X(http_minor) X(lenient_flags) X(upgrade) X(finish) X(flags) \
  X(status_code) X(initial_message_completed) X(content_length) X(keep_alive) X(needs_eof) X(error) X(reason) \
  X(error_pos) X(data) X(settings) X(span_start) X(span_length) X(lost_event) X(extra_event) X(return_code) \
  X(scribble) X(read_past_end) X(read_before_start) X(endless_loop) X(abort)
enum {
#define X(name) PLANT_##name,
  PLANTS(X)
#undef X
      NPLANTS
};
extern const char* const plant_names[NPLANTS];
extern int drive_plant;  // set for the second library only

// ---- trials: one plan, both libraries, in a process of its own

enum { SAME, DIFFERS, SETUP_FAILED, CRASHED, HUNG };  // also exit codes of the child processes
extern const char* const outcome_names[5];

struct options {
  const char *reference, *tested;
  int wild, plant, extended;
  uint32_t without;  // bit per act: leave it out; bit NACTS: resets and inits in the middle of a message
  const char *reference_level,
      *tested_level;  // kernels, for libraries that have a choice; NULL for what they begin with
};
// What a process needs to run plans on both libraries; loads them, so it has to be called after fork.
struct bench {
  struct lib lib[2];
  struct log log[2];
  struct plan plan;
};
struct bench* bench_open(const struct options* o);
// Where the first difference is, or -1.
int64_t bench_run(struct bench* b, const struct plan* p, int plant);
// After it, a crash or an endless loop calls on_death with CRASHED or HUNG; it must not return.
void bench_watch(void (*on_death)(int outcome, int signal));
// The case under way, for bench_watch to see that it changes: a loop is endless after four ticks of processor time, each
// of so many microseconds.
extern volatile uint64_t bench_turn;
extern long bench_tick;

// Runs a plan in a child process; if f is not NULL, prints what was found.
int trial(const struct plan* p, const struct options* o, FILE* f, uint32_t* signature);
// Makes the plan as small and plain as it gets while it still fails in the same way.
void shrink(struct plan* p, const struct options* o);

#endif
