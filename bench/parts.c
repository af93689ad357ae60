/* Times the functions of llhttp_ext.h for the parts of a message, each against what programs use for it otherwise: field names
 * against gperf's code for the same names and a binary search, request-targets against http_parser's function for URLs. The method
 * is bench.c's: rounds, short samples, random order, the ratio within a round.
 *
 *   parts --ours LIBRARY [--gperf LIBRARY] [--http-parser LIBRARY] [--rounds N] [--sample-us N] [--seed N] [--json FILE]
 *
 * Before anything is timed, all must give the same answer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "http_parser.h"
#include "llhttp_ext.h"

__attribute__((noreturn)) static void die(const char* what, const char* why) {
  fprintf(stderr, "parts: %s%s%s\n", what, why ? ": " : "", why ? why : "");
  exit(1);
}

static void* symbol(const char* library, const char* name) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void* found = handle ? dlsym(handle, name) : NULL;
  if (!found) die(library, dlerror());
  return found;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- inputs: texts that are given to the function one after the other ---- */

struct text {
  const char* at;
  size_t length;
};

static const char* const known[] = {
#define XX(id, NAME, spelling) spelling,
    LLHTTP_EXT_FIELD_MAP(XX)
#undef XX
};
enum { KNOWN = sizeof known / sizeof *known };

static struct input {
  const char *set, *name;
  struct text texts[2 * KNOWN];
  int count;
} inputs[8];
static int input_count;

static struct input* input(const char* set, const char* name) {
  inputs[input_count].set = set;
  inputs[input_count].name = name;
  return &inputs[input_count++];
}

static void add(struct input* to, const char* text) { to->texts[to->count++] = (struct text){text, strlen(text)}; }

static void make_inputs(void) {
  static const char* const browser[] = {"Host",
                                        "Connection",
                                        "Cache-Control",
                                        "sec-ch-ua",
                                        "sec-ch-ua-mobile",
                                        "sec-ch-ua-platform",
                                        "Upgrade-Insecure-Requests",
                                        "User-Agent",
                                        "Accept",
                                        "Sec-Fetch-Site",
                                        "Sec-Fetch-Mode",
                                        "Sec-Fetch-User",
                                        "Sec-Fetch-Dest",
                                        "Referer",
                                        "Accept-Encoding",
                                        "Accept-Language",
                                        "Cookie"};
  static const char* const own[] = {"X-Tenant",
                                    "X-Account-Number",
                                    "Trace",
                                    "My-Own-Field",
                                    "X-Deployment-Region-Name",
                                    "Sec-CH-UA-Unheard-Of",
                                    "Content-Lengths",
                                    "Hosts",
                                    "Accept-Something",
                                    "X"};
  static char path[4097];
  struct input* at = input("names", "browser-names");
  uint32_t dice = 1;
  int i;
  for (i = 0; i < (int)(sizeof browser / sizeof *browser); i++) add(at, browser[i]);
  at = input("names", "unknown-names");
  for (i = 0; i < (int)(sizeof own / sizeof *own); i++) add(at, own[i]);
  at = input("names", "all-names");
  for (i = 0; i < 2 * KNOWN; i++) add(at, known[(dice = dice * 1103515245 + 12345) / 65536 % KNOWN]);
  add(input("targets", "short"), "/");
  add(input("targets", "usual"), "/search/results?q=request+target&lang=en&page=2");
  add(input("targets", "absolute"), "http://user@www.example.org:8080/path/to/a/resource?query=1#fragment");
  memset(path, 'a', 4096);
  for (i = 0; i < 4096; i += 16) path[i] = i < 2048 ? '/' : '&';
  path[2048] = '?';
  add(input("targets", "target4k"), path);
}

/* ---- what is timed ---- */

typedef int id_fn(const char*, size_t);
static id_fn *ours_id, *gperf_id;
static int (*ours_target)(const char*, size_t, int, llhttp_ext_target_t*);
static int (*ours_url)(const char*, size_t, int, struct http_parser_url*);
static int (*their_url)(const char*, size_t, int, struct http_parser_url*);

static struct sorted {
  const char* name;
  int id;
} sorted[KNOWN];

static int by_name(const void* a, const void* b) {
  return strcasecmp(((const struct sorted*)a)->name, ((const struct sorted*)b)->name);
}

static int compare_key(const void* key, const void* entry) {
  const struct text* k = key;
  const struct sorted* e = entry;
  int c = strncasecmp(k->at, e->name, k->length);
  return c != 0 ? c : e->name[k->length] == '\0' ? 0 : -1;
}

static inline int searched(const struct text* t) {
  const struct sorted* found = bsearch(t, sorted, KNOWN, sizeof *sorted, compare_key);
  return found ? found->id : 0;
}

/* Each gives a sum of what it finds, the same for all of a set. */
#define EACH for (const struct text *t = in->texts, *end = t + in->count; t < end; t++)

static uint64_t run_ours_id(const struct input* in) {
  uint64_t sum = 0;
  EACH sum = sum * 3 + (uint64_t)ours_id(t->at, t->length);
  return sum;
}

static uint64_t run_gperf(const struct input* in) {
  uint64_t sum = 0;
  EACH sum = sum * 3 + (uint64_t)gperf_id(t->at, t->length);
  return sum;
}

static uint64_t run_bsearch(const struct input* in) {
  uint64_t sum = 0;
  EACH sum = sum * 3 + (uint64_t)searched(t);
  return sum;
}

static uint64_t run_target(const struct input* in) {
  uint64_t sum = 0;
  EACH {
    llhttp_ext_target_t target;
    if (ours_target(t->at, t->length, 0, &target) == 0)
      sum += target.path.length * 65536 + target.query.length + target.port;
  }
  return sum;
}

static inline uint64_t of_url(const struct http_parser_url* u) {
  uint64_t sum = u->field_set & 1 << UF_PATH ? u->field_data[UF_PATH].len * UINT64_C(65536) : 0;
  return sum + (u->field_set & 1 << UF_QUERY ? u->field_data[UF_QUERY].len : 0) + u->port;
}

static uint64_t run_ours_url(const struct input* in) {
  uint64_t sum = 0;
  EACH {
    struct http_parser_url u;
    if (ours_url(t->at, t->length, 0, &u) == 0) sum += of_url(&u);
  }
  return sum;
}

static uint64_t run_their_url(const struct input* in) {
  uint64_t sum = 0;
  EACH {
    struct http_parser_url u;
    if (their_url(t->at, t->length, 0, &u) == 0) sum += of_url(&u);
  }
  return sum;
}

static struct peer {
  const char *set, *name;
  uint64_t (*run)(const struct input*);
} peers[8];
static int peer_count;

static void peer(const char* set, const char* name, uint64_t (*run)(const struct input*)) {
  peers[peer_count++] = (struct peer){set, name, run};
}

/* ---- rounds ---- */

static double sample(const struct peer* p, const struct input* in, size_t passes) {
  double start = now();
  for (; passes > 0; passes--) {
    uint64_t sum = p->run(in);
    __asm__ volatile("" : : "r"(sum) : "memory");
  }
  return now() - start;
}

int main(int argc, char** argv) {
  static const struct option names[] = {
      {"ours", 1, 0, 'o'},      {"gperf", 1, 0, 'g'}, {"http-parser", 1, 0, 'h'}, {"rounds", 1, 0, 'r'},
      {"sample-us", 1, 0, 's'}, {"seed", 1, 0, 'e'},  {"json", 1, 0, 'j'},        {0, 0, 0, 0}};
  const char *ours = NULL, *json = NULL;
  int option, rounds = 100, wrong = 0;
  double length = 0.0003;
  uint64_t seed = 1;
  FILE* out = stdout;
  while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) switch (option) {
      case 'o': ours = optarg; break;
      case 'g': gperf_id = (id_fn*)symbol(optarg, "gperf_field_id"); break;
      case 'h': *(void**)&their_url = symbol(optarg, "http_parser_parse_url"); break;
      case 'r': rounds = atoi(optarg); break;
      case 's': length = 1e-6 * atof(optarg); break;
      case 'e': seed = strtoull(optarg, NULL, 10); break;
      case 'j': json = optarg; break;
      default: return 2;
    }
  if (!ours || rounds < 1) die("usage: parts --ours LIBRARY [OPTION]...; parts.c has the options", NULL);
  ours_id = (id_fn*)symbol(ours, "llhttp_ext_field_id");
  *(void**)&ours_target = symbol(ours, "llhttp_ext_target_parse");
  *(void**)&ours_url = symbol(ours, "http_parser_parse_url");
  for (int i = 0; i < KNOWN; i++) sorted[i] = (struct sorted){known[i], i + 1};
  qsort(sorted, KNOWN, sizeof *sorted, by_name);
  make_inputs();
  peer("names", "bsearch", run_bsearch);
  peer("names", "ours", run_ours_id);
  if (gperf_id) peer("names", "gperf", run_gperf);
  if (their_url) peer("targets", "http_parser", run_their_url);
  peer("targets", "ours", run_target);
  peer("targets", "ours-http_parser", run_ours_url);
  if (json && !(out = fopen(json, "w"))) die(json, "cannot be written");

  for (int i = 0; i < input_count; i++) {
    const struct input* in = &inputs[i];
    size_t bytes = 0;
    struct {
      const struct peer* peer;
      size_t passes;
      double* ns;
    } cells[8];
    int count = 0;
    for (int t = 0; t < in->count; t++) bytes += in->texts[t].length;
    for (int p = 0; p < peer_count; p++) {
      if (strcmp(peers[p].set, in->set) != 0) continue;
      cells[count].peer = &peers[p];
      if (peers[p].run(in) != cells[0].peer->run(in)) {
        fprintf(stderr, "parts: %s: %s and %s disagree\n", in->name, cells[0].peer->name, peers[p].name);
        wrong = 1;
        continue;
      }
      for (cells[count].passes = 16; sample(&peers[p], in, cells[count].passes) < length / 4;) cells[count].passes *= 2;
      cells[count].passes = (size_t)(length /
                                     (sample(&peers[p], in, cells[count].passes) / (double)cells[count].passes)) +
                            1;
      if (!(cells[count].ns = calloc((size_t)rounds, sizeof(double)))) die("no memory", NULL);
      count++;
    }
    for (int round = 0; round < rounds; round++) {
      int order[8];
      for (int k = 0; k < count; k++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int j = (int)((seed >> 33) % (uint64_t)(k + 1));
        order[k] = order[j];
        order[j] = k;
      }
      for (int k = 0; k < count; k++) {
        int c = order[k];
        sample(cells[c].peer, in, cells[c].passes / 8 + 1); /* caches and predictors */
        cells[c].ns[round] = 1e9 * sample(cells[c].peer, in, cells[c].passes) / (double)cells[c].passes;
      }
    }
    fprintf(out, "{\"corpus\":\"%s\",\"bytes\":%zu,\"texts\":%d}\n", in->name, bytes, in->count);
    for (int c = 0; c < count; c++) {
      fprintf(out, "{\"corpus\":\"%s\",\"set\":\"%s\",\"peer\":\"%s\",\"passes\":%zu,\"ns\":[", in->name, in->set,
              cells[c].peer->name, cells[c].passes);
      for (int round = 0; round < rounds; round++) fprintf(out, "%s%.3f", round ? "," : "", cells[c].ns[round]);
      fprintf(out, "]}\n");
      free(cells[c].ns);
    }
  }
  if (json && fclose(out) != 0) die(json, "cannot be written");
  return wrong;
}
