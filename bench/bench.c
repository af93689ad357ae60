/* Times parsers against each other in one process. Noise is met in four ways: a round takes one sample of every parser, in
 * random order, so that what disturbs the machine disturbs all of them; what counts is the ratio of two samples of one round;
 * samples are short and many, as what disturbs lasts for milliseconds (on a busy machine 300 samples of 0.3 ms gave intervals
 * a fifth as wide as 45 of 2 ms); and the place of the stack changes from round to round, as some places are slower than
 * others. Time is the thread's CPU time.
 *
 * Before anything is timed, every parser must give the answer that the first one gives. */
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

const char* const set_names[SETS] = {"none", "node", "all", "heads"};

enum { MOST_PEERS = 16, MOST_CORPORA = 64, MOST_ROUNDS = 100000 };

static struct peer* peers[MOST_PEERS];
static int peer_count;
static struct corpus* corpora[MOST_CORPORA];
static int corpus_count;

static struct {
  int rounds;
  double sample; /* seconds */
  int sets[SETS];
  const char* base;
  const char* json;
  const char* only;
  int quiet;
  double profile; /* seconds */
  long passes;
  uint64_t seed;
  int ask;
} options = {.rounds = 100, .sample = 0.0003, .base = "debian", .seed = 1};

__attribute__((noreturn, format(printf, 1, 2))) static void die(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("bench: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

static uint32_t dice(uint32_t sides) {
  options.seed = options.seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(((options.seed >> 33) * sides) >> 31);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- one cell: an input, a callback set, a parser ---- */

struct cell {
  size_t passes; /* per sample; 0: not timed */
  double* ns; /* a pass, by round */
};

static struct cell* cells;
static int wrong; /* a parser with llhttp's ABI has given another answer */

static struct cell* cell(int corpus, int set, int peer) { return &cells[(corpus * SETS + set) * MOST_PEERS + peer]; }

static __attribute__((noinline)) double sample(int corpus, int set, int peer, size_t passes, size_t shift) {
  volatile char* place = alloca(shift + 1);
  place[0] = 0;
  double start = now();
  peers[peer]->run(peers[peer], corpora[corpus], set, passes);
  return now() - start;
}

/* So many passes that a sample takes as long as it should. */
static size_t calibrate(int corpus, int set, int peer) {
  size_t passes = 1;
  for (;;) {
    double seconds = sample(corpus, set, peer, passes, 0);
    if (seconds > options.sample / 4 || (passes == 1 && seconds > options.sample)) {
      double wanted = (double)passes * options.sample / seconds;
      return wanted < 1 ? 1 : (size_t)wanted;
    }
    passes *= 2;
  }
}

/* ---- answers ---- */

void answer_start(struct answer* answer) {
  memset(answer, 0, sizeof(*answer));
  answer->hash = HASH_START;
}

void answer_span(void* context, int span, const char* at, size_t length) {
  struct answer* answer = context;
  char mark[2] = {(char)span, (char)0xff};
  if (span == SPAN_NAME) answer->headers++;
  if (span == SPAN_VALUE) {
    for (; length > 0 && (*at == ' ' || *at == '\t'); length--) at++;
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t')) length--;
  }
  if (length == 0) return;
  answer->hash = hash_bytes(hash_bytes(answer->hash, mark, 2), at, length);
}

/* Finds out what kind of input it is. It is parsed again and again on one connection if the reference can do that; if not,
 * each pass gets a fresh parser. */
static void settle(struct corpus* corpus) {
  struct answer once, twice;
  const struct peer* peer = NULL;
  for (int i = 0; i < peer_count && peer == NULL; i++)
    if (peers[i]->knows_heads) peer = peers[i];
  if (peer == NULL) die("a parser with llhttp's ABI is needed, to compare answers with; see --llhttp");
  peer->ask(peer, corpus, SET_ALL, 1, &once);
  peer->ask(peer, corpus, SET_ALL, 2, &twice);
  corpus->fresh = once.error || twice.error || twice.messages != 2 * once.messages || once.messages == 0;
  corpus->messages = once.messages;
  corpus->headers = once.headers;
  corpus->one_head = corpus->piece == 0 && !once.error && once.messages == 1 && once.chunks == 0;
  if (once.error) fprintf(stderr, "bench: %s ends in error %d; it is measured up to there\n", corpus->name, once.error);
}

/* The first parser with llhttp's ABI gives the answer; others with that ABI must meet it. A parser of heads may read an input
 * in its own way; then it is not timed on it. */
static void check(int corpus, int set) {
  struct answer expected, got;
  int reference = -1;
  for (int i = 0; i < peer_count; i++) {
    int timed = peers[i]->takes(peers[i], corpora[corpus], set);
    if (!timed && !(reference < 0 && set == SET_HEADS && corpora[corpus]->one_head && peers[i]->knows_heads)) continue;
    peers[i]->ask(peers[i], corpora[corpus], set, 2, &got);
    if (options.ask)
      printf("%-16s %-5s %-16s error %d, messages %llu, headers %llu, hash %016llx\n", corpora[corpus]->name,
             set_names[set], peers[i]->name, got.error, (unsigned long long)got.messages,
             (unsigned long long)got.headers, (unsigned long long)got.hash);
    cell(corpus, set, i)->passes = (size_t)timed;
    if (reference < 0) {
      reference = i;
      expected = got;
      continue;
    }
    if (got.error == expected.error && got.messages == expected.messages && got.headers == expected.headers &&
        got.hash == expected.hash)
      continue;
    fprintf(stderr,
            "bench: %s, callbacks %s: %s and %s disagree (error %d/%d, messages %llu/%llu, headers %llu/%llu, hash "
            "%llx/%llx)\n",
            corpora[corpus]->name, set_names[set], peers[reference]->name, peers[i]->name, expected.error, got.error,
            (unsigned long long)expected.messages, (unsigned long long)got.messages,
            (unsigned long long)expected.headers, (unsigned long long)got.headers, (unsigned long long)expected.hash,
            (unsigned long long)got.hash);
    cell(corpus, set, i)->passes = 0;
    if (peers[i]->knows_heads) wrong = 1;
  }
}

/* ---- rounds and the table ---- */

static void measure(void) {
  for (int c = 0; c < corpus_count; c++)
    for (int s = 0; s < SETS; s++)
      for (int p = 0; options.sets[s] && p < peer_count; p++)
        if (cell(c, s, p)->passes) {
          cell(c, s, p)->passes = calibrate(c, s, p);
          cell(c, s, p)->ns = calloc((size_t)options.rounds, sizeof(double));
          if (cell(c, s, p)->ns == NULL) die("no memory");
        }

  for (int round = 0; round < options.rounds; round++) {
    size_t shift = 16 * dice(256);
    for (int c = 0; c < corpus_count; c++)
      for (int s = 0; s < SETS; s++) {
        int order[MOST_PEERS];
        if (!options.sets[s]) continue;
        for (int i = 0; i < peer_count; i++) {
          int j = (int)dice((uint32_t)i + 1);
          order[i] = order[j];
          order[j] = i;
        }
        for (int i = 0; i < peer_count; i++) {
          struct cell* at = cell(c, s, order[i]);
          if (at->passes == 0) continue;
          sample(c, s, order[i], at->passes / 8 + 1, shift); /* caches and predictors */
          at->ns[round] = 1e9 * sample(c, s, order[i], at->passes, shift) / (double)at->passes;
        }
      }
  }
}

static int ascending(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* Of the rounds' times; with a base, of how many times as fast as the base. */
static double median(const struct cell* at, const struct cell* base) {
  int count = options.rounds;
  double* sorted = malloc((size_t)count * sizeof(*sorted));
  if (sorted == NULL) die("no memory");
  for (int i = 0; i < count; i++) sorted[i] = base == NULL ? at->ns[i] : base->ns[i] / at->ns[i];
  qsort(sorted, (size_t)count, sizeof(*sorted), ascending);
  double middle = (sorted[count / 2] + sorted[(count - 1) / 2]) / 2;
  free(sorted);
  return middle;
}

static int measured(int set, int corpus, int peer) { /* -1: any */
  for (int c = corpus < 0 ? 0 : corpus; c < (corpus < 0 ? corpus_count : corpus + 1); c++)
    for (int p = peer < 0 ? 0 : peer; p < (peer < 0 ? peer_count : peer + 1); p++)
      if (cell(c, set, p)->passes) return 1;
  return 0;
}

/* In a column per parser: time, and how many times as fast as the base. */
static void print_table(int set) {
  double logs[MOST_PEERS] = {0};
  int counted[MOST_PEERS] = {0};
  int base = -1;
  for (int p = peer_count - 1; p >= 0; p--)
    if (measured(set, -1, p) && (base < 0 || strcmp(peers[base]->name, options.base) != 0)) base = p;
  if (base < 0) return;

  printf("\ncallbacks: %s; ns per pass, median of %d rounds; x: times as fast as %s\n%-14s", set_names[set],
         options.rounds, peers[base]->name, "");
  for (int p = 0; p < peer_count; p++)
    if (measured(set, -1, p)) printf(" %18s", peers[p]->name);
  printf("\n");
  for (int c = 0; c < corpus_count; c++) {
    if (!measured(set, c, -1)) continue;
    printf("%-14s", corpora[c]->name);
    for (int p = 0; p < peer_count; p++) {
      const struct cell* at = cell(c, set, p);
      const struct cell* to = cell(c, set, base);
      if (!measured(set, -1, p)) continue;
      if (at->passes == 0) {
        printf(" %18s", "-");
        continue;
      }
      printf(" %10.1f", median(at, NULL));
      if (to->passes == 0 || p == base) {
        printf("        ");
        continue;
      }
      double ratio = median(at, to);
      logs[p] += log(ratio);
      counted[p]++;
      printf(" x%6.2f", ratio);
    }
    printf("\n");
  }
  printf("%-14s", "geometric mean");
  for (int p = 0; p < peer_count; p++)
    if (counted[p]) printf(" %10s x%6.2f", "", exp(logs[p] / counted[p]));
    else if (measured(set, -1, p)) printf(" %18s", "");
  printf("\n");
}

static void write_json(const char* path) {
  FILE* out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  if (out == NULL) die("%s: %s", path, strerror(errno));
  for (const char* const* group = corpus_groups(); *group != NULL; group++) {
    fprintf(out, "{\"group\":\"%s\",\"corpora\":[", *group);
    for (const char* const* name = corpus_group(*group); *name != NULL; name++)
      fprintf(out, "%s\"%s\"", name == corpus_group(*group) ? "" : ",", *name);
    fprintf(out, "]}\n");
  }
  for (int c = 0; c < corpus_count; c++)
    fprintf(out,
            "{\"corpus\":\"%s\",\"bytes\":%zu,\"hash\":\"%016llx\",\"piece\":%zu,\"messages\":%llu,\"headers\":%llu}\n",
            corpora[c]->name, corpora[c]->size, (unsigned long long)corpora[c]->hash, corpora[c]->piece,
            (unsigned long long)corpora[c]->messages, (unsigned long long)corpora[c]->headers);
  for (int c = 0; c < corpus_count; c++)
    for (int s = 0; s < SETS; s++)
      for (int p = 0; p < peer_count; p++) {
        const struct cell* at = cell(c, s, p);
        if (at->passes == 0) continue;
        fprintf(out, "{\"corpus\":\"%s\",\"set\":\"%s\",\"peer\":\"%s\",\"passes\":%zu,\"ns\":[", corpora[c]->name,
                set_names[s], peers[p]->name, at->passes);
        for (int i = 0; i < options.rounds; i++) fprintf(out, "%s%.3f", i ? "," : "", at->ns[i]);
        fprintf(out, "]}\n");
      }
  if (out != stdout && fclose(out) != 0) die("%s: %s", path, strerror(errno));
}

/* One input, one set, for a profiler or an instruction counter. */
static void loop(void) {
  for (int c = 0; c < corpus_count; c++)
    for (int s = 0; s < SETS; s++)
      for (int p = 0; p < peer_count; p++) {
        if (!options.sets[s] || !peers[p]->takes(peers[p], corpora[c], s)) continue;
        if (options.only != NULL && strcmp(options.only, peers[p]->name) != 0) continue;
        size_t passes = 0;
        double start = now();
        if (options.passes > 0) {
          passes = (size_t)options.passes;
          peers[p]->run(peers[p], corpora[c], s, passes);
        } else {
          size_t step = calibrate(c, s, p);
          start = now();
          for (; now() - start < options.profile; passes += step) peers[p]->run(peers[p], corpora[c], s, step);
        }
        printf("%s, callbacks %s, %s: %zu passes, %.1f ns each\n", corpora[c]->name, set_names[s], peers[p]->name,
               passes, 1e9 * (now() - start) / (double)passes);
      }
}

/* ---- command line ---- */

static void add_peer(struct peer* peer) {
  if (peer == NULL) return;
  if (peer_count == MOST_PEERS) die("too many parsers");
  peers[peer_count++] = peer;
}

/* A library chooses its kernels when it is loaded, and is loaded once per file: each level gets a copy. */
static void add_levels(const char* prefix, const char* path, const char* wanted, const char* folder,
                       struct peer* (*load)(const char*, const char*)) {
  char levels[256];
  snprintf(levels, sizeof(levels), "%s", wanted);
  for (char* level = strtok(levels, ","); level != NULL; level = strtok(NULL, ",")) {
    char name[64], copy[4096], fresh[4200], buffer[65536];
    size_t size;
    snprintf(name, sizeof(name), "%s-%s", prefix, level);
    snprintf(copy, sizeof(copy), "%s/%s.so", folder, name);
    FILE* from = fopen(path, "rb");
    if (from == NULL) die("%s: %s", path, strerror(errno));
    snprintf(fresh, sizeof(fresh), "%s.%ld", copy, (long)getpid()); /* the copy itself may be in use */
    FILE* to = fopen(fresh, "wb");
    if (to == NULL) die("%s: %s", fresh, strerror(errno));
    while ((size = fread(buffer, 1, sizeof(buffer), from)) > 0) fwrite(buffer, 1, size, to);
    if (ferror(from) || fclose(to) != 0 || rename(fresh, copy) != 0) die("%s: %s", copy, strerror(errno));
    fclose(from);
    setenv("LLHTTP_SIMD", level, 1);
    struct peer* peer = load(name, copy);
    unsetenv("LLHTTP_SIMD");
    const char* (*wrong_level)(void) = NULL;
    if (peer != NULL) *(void**)&wrong_level = dlsym(peer->library, "llhttp_ext_simd_error");
    if (wrong_level != NULL && wrong_level() != NULL)
      fprintf(stderr, "bench: %s is left out: %s\n", name, wrong_level());
    else add_peer(peer);
  }
}

static void add_corpus(const char* name) {
  for (size_t c = 0; c < corpus_count; c++)
    if (strcmp(corpora[c]->name, name) == 0) return; /* asked for twice, be it in two groups */
  if (corpus_count == MOST_CORPORA) die("too many inputs");
  if (strpbrk(name, "\"\\") != NULL) die("no quotes or backslashes in names, please: %s", name);
  corpora[corpus_count] = corpus_open(name);
  if (corpora[corpus_count] == NULL) exit(1);
  settle(corpora[corpus_count++]);
}

static void add_corpora(char* names) {
  for (char* name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
    const char* const* group = corpus_group(name);
    if (group == NULL) add_corpus(name);
    for (; group != NULL && *group != NULL; group++) add_corpus(*group);
  }
}

static const char usage[] =
    "usage: bench [OPTION]...\n"
    "  --llhttp NAME=LIBRARY  a parser with llhttp's ABI; the first parser is the one whose answers must be met\n"
    "  --ours LIBRARY         this project's library, once for each of --levels (names: ours-LEVEL)\n"
    "  --extended LIBRARY     the same with limits and strict rules (names: extended-LEVEL)\n"
    "  --tape LIBRARY         libtape.so, likewise (names: tape-LEVEL)\n"
    "  --head LIBRARY         this project's llhttp_ext_head_parse, likewise (names: head-LEVEL)\n"
    "  --pico NAME=LIBRARY, --httparse NAME=LIBRARY\n"
    "                         parsers of heads, for the set heads\n"
    "  --levels LIST          default: avx2,sse4.2,generic; give it before --ours, --tape and --head\n"
    "  --corpus LIST          inputs: names, NAME@BYTES to let them arrive in pieces, files, and the groups realistic,\n"
    "                         adversarial, arrival, geomean, heads, all; default: all\n"
    "  --set LIST             callbacks: none, node, all, heads; default: none,node,all,\n"
    "                         and heads if there is a parser of heads\n"
    "  --rounds N             default: 100\n"
    "  --sample-us N          a sample takes so many microseconds; default: 300\n"
    "  --base NAME            the parser the table compares with; default: debian\n"
    "  --json FILE            write all samples\n"
    "  --quiet                no table\n"
    "  --seed N               for the random order\n"
    "  --ask                  print what each parser answers, measure nothing\n"
    "  --profile SECONDS      run each combination so long, for a profiler\n"
    "  --passes N             run each combination N times, for an instruction counter\n"
    "  --only NAME            with the former two: only this parser\n"
    "  --print NAME           print an input as it is\n"
    "  --list, --groups       print the named inputs, and their groups\n";

static void list(void) {
  for (const char* const* name = corpus_group("all"); *name != NULL; name++) {
    struct corpus* corpus = corpus_open(*name);
    printf("%-14s %8zu bytes, hash %016llx%s\n", *name, corpus->size, (unsigned long long)corpus->hash,
           corpus->response ? ", response" : "");
  }
}

static void print(const char* name) {
  struct corpus* corpus = corpus_open(name);
  if (corpus == NULL) exit(2);
  fwrite(corpus->data, 1, corpus->size, stdout);
}

static void list_groups(void) {
  for (const char* const* group = corpus_groups(); *group != NULL; group++) {
    printf("%s", *group);
    for (const char* const* name = corpus_group(*group); *name != NULL; name++) printf(" %s", *name);
    printf("\n");
  }
}

/* Reads the options, adds the peers and inputs that they name, and shows what they ask to be shown: then it returns an
 * exit status; -1 otherwise. */
static int read_options(int argc, char** argv) {
  enum {
    LLHTTP = 256,
    OURS,
    EXTENDED,
    TAPE,
    HEAD,
    PICO,
    HTTPARSE,
    LEVELS,
    CORPUS,
    SET,
    ROUNDS,
    SAMPLE,
    BASE,
    JSON,
    QUIET,
    SEED,
    ASK,
    PROFILE,
    PASSES,
    ONLY,
    SHOW,
    GROUPS,
    PRINT,
    HELP
  };
  static const struct option names[] = {{"llhttp", 1, 0, LLHTTP},
                                        {"ours", 1, 0, OURS},
                                        {"tape", 1, 0, TAPE},
                                        {"pico", 1, 0, PICO},
                                        {"levels", 1, 0, LEVELS},
                                        {"corpus", 1, 0, CORPUS},
                                        {"httparse", 1, 0, HTTPARSE},
                                        {"set", 1, 0, SET},
                                        {"rounds", 1, 0, ROUNDS},
                                        {"base", 1, 0, BASE},
                                        {"sample-us", 1, 0, SAMPLE},
                                        {"json", 1, 0, JSON},
                                        {"quiet", 0, 0, QUIET},
                                        {"seed", 1, 0, SEED},
                                        {"profile", 1, 0, PROFILE},
                                        {"passes", 1, 0, PASSES},
                                        {"only", 1, 0, ONLY},
                                        {"ask", 0, 0, ASK},
                                        {"list", 0, 0, SHOW},
                                        {"groups", 0, 0, GROUPS},
                                        {"help", 0, 0, HELP},
                                        {"extended", 1, 0, EXTENDED},
                                        {"print", 1, 0, PRINT},
                                        {"head", 1, 0, HEAD},
                                        {0, 0, 0, 0}};
  char levels[256] = "avx2,sse4.2,generic", all[] = "all";
  char *wanted = all, *at;
  char folder[4096];
  int option, any_set = 0;

  snprintf(folder, sizeof(folder), "%s", argv[0]);
  snprintf(folder, sizeof(folder), "%s", dirname(folder));
  while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) switch (option) {
      case LLHTTP:
      case PICO:
      case HTTPARSE:
        at = strchr(optarg, '=');
        if (at == NULL) die("NAME=LIBRARY is wanted, not %s", optarg);
        *at = 0;
        add_peer((option == LLHTTP ? peer_llhttp : option == PICO ? peer_pico : peer_httparse)(optarg, at + 1));
        break;
      case OURS: add_levels("ours", optarg, levels, folder, peer_llhttp); break;
      case EXTENDED: add_levels("extended", optarg, levels, folder, peer_extended); break;
      case TAPE: add_levels("tape", optarg, levels, folder, peer_tape); break;
      case HEAD: add_levels("head", optarg, levels, folder, peer_head); break;
      case LEVELS: snprintf(levels, sizeof(levels), "%s", optarg); break;
      case CORPUS: wanted = optarg; break;
      case SET:
        for (char* name = strtok(optarg, ","); name != NULL; name = strtok(NULL, ",")) {
          int set = 0;
          while (set < SETS && strcmp(set_names[set], name) != 0) set++;
          if (set == SETS) die("no callback set %s", name);
          options.sets[set] = any_set = 1;
        }
        break;
      case ROUNDS: options.rounds = atoi(optarg); break;
      case SAMPLE: options.sample = 1e-6 * atof(optarg); break;
      case BASE: options.base = optarg; break;
      case JSON: options.json = optarg; break;
      case QUIET: options.quiet = 1; break;
      case SEED: options.seed = strtoull(optarg, NULL, 10); break;
      case ONLY: options.only = optarg; break;
      case ASK: options.ask = 1; break;
      case PROFILE: options.profile = atof(optarg); break;
      case PASSES: options.passes = atol(optarg); break;
      case SHOW: list(); return 0;
      case GROUPS: list_groups(); return 0;
      case PRINT: print(optarg); return 0;
      case HELP: fputs(usage, stdout); return 0;
      default: fputs(usage, stderr); return 2;
    }
  if (options.rounds < 1 || options.rounds > MOST_ROUNDS) die("--rounds: 1 to %d", MOST_ROUNDS);
  if (options.sample <= 0) die("--sample-us must be positive");
  if (peer_count == 0) die("no parser; see --help");
  if (!any_set) {
    options.sets[SET_NONE] = options.sets[SET_NODE] = options.sets[SET_ALL] = 1;
    for (int i = 0; i < peer_count; i++) options.sets[SET_HEADS] |= !peers[i]->knows_heads;
  }
  add_corpora(wanted);
  return -1;
}

int main(int argc, char** argv) {
  const int status = read_options(argc, argv);
  if (status >= 0) return status;
  if (options.profile > 0 || options.passes > 0) {
    loop();
    return 0;
  }
  cells = calloc((size_t)corpus_count * SETS * MOST_PEERS, sizeof(*cells));
  if (cells == NULL) die("no memory");
  for (int c = 0; c < corpus_count; c++)
    for (int s = 0; s < SETS; s++)
      if (options.sets[s]) check(c, s);
  if (options.ask) return wrong;
  measure();
  for (int s = 0; s < SETS; s++)
    if (options.sets[s] && !options.quiet) print_table(s);
  if (options.json != NULL) write_json(options.json);
  return wrong;
}
