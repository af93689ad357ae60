// Runs inputs of the fuzzers without a fuzzer: plans in text form (seeds, cases, what was found) and files of bytes.
// Also turns plans into bytes for a fuzzer to begin with, and what a fuzzer has found into the smallest plan that still
// shows it.
#include <stdlib.h>

#include "fuzz.h"
#include "seed.h"

static struct plan plan, again;
static const char *encode_to, *shrink_to, *under_way = "";
static uint64_t passed, failed, encoded;

static void usage(FILE* f) {
  fputs(
      "usage: replay --target=NAME --reference=PATH --library=PATH [option] FILE...\n"
      "FILE: plans in text form, if its name ends with .plan; else bytes of a fuzzer\n"
      "  --encode=FOLDER   write each plan's bytes to a file there instead of running it, also in pieces and with pauses\n"
      "  --shrink=FILE     write the plan of the last FILE there, as small as shows a difference or crash\n"
      "  --plant=NAME      plant a difference in the library\n"
      "       replay --dictionary     print words for -dict\n"
      "       replay --plants         print what can be planted\n",
      f);
}

static void fail(const char* what, const char* path) {
  fprintf(stderr, "replay: %s %s\n", what, path);
  exit(2);
}

static void die(int outcome, int signal) {
  printf("FAIL %s: %s (signal %d), running this plan\n", under_way, outcome_names[outcome], signal);
  plan_print(&plan, stdout);
  fflush(stdout);
  _Exit(1);
}

static void count(int good, const char* what) {
  passed += (uint64_t)good;
  failed += (uint64_t)!good;
  if (!good) printf("FAIL %s%s\n", under_way, what);
}

// Whether the plan comes back from the bytes that it was made into.
static int same_plan(const struct plan* a, const struct plan* b) {
  if (a->len != b->len || memcmp(a->input, b->input, a->len) || a->npieces != b->npieces ||
      memcmp(a->piece, b->piece, a->npieces * sizeof a->piece[0]) || a->nacts != b->nacts)
    return 0;
  for (unsigned i = 0; i < a->nacts; i++) {
    const struct act *x = &a->acts[i], *y = &b->acts[i];
    if (x->when != y->when || x->nth != y->nth || x->ret != y->ret) return 0;
    if (fuzz_target->acts == ACTS_ALL && (x->what != y->what || x->arg != y->arg)) return 0;
  }
  return a->type == b->type && a->lenient == b->lenient && memcmp(a->mask, b->mask, sizeof a->mask) == 0 &&
         a->resumes == b->resumes && a->upgrades == b->upgrades && a->errors == b->errors &&
         a->on_error == b->on_error && a->ending == b->ending && a->place == b->place && a->moves == b->moves &&
         a->null_first == b->null_first && a->relocate == b->relocate;
}

static void encode_part(const struct plan* p, unsigned part) {
  static uint8_t bytes[FUZZ_MAX];
  size_t size = fuzz_encode(p, part, bytes);
  if (!size) return;
  if (encode_to) seed_write(encode_to, bytes, size), encoded++;
  fuzz_decode(&again, bytes, size);
  if (fuzz_target->parts) {
    if (!encode_to) count(fuzz_run(&again, stdout) == 0, "");
  } else if (!same_plan(p, &again)) {
    count(0, ": this plan does not come back from its bytes");
    plan_print(p, stdout);
  }
}

// The bytes of each part, or of the whole.
static void through_bytes(const struct plan* p) {
  for (unsigned part = 0; part < (fuzz_target->parts ? n_parts : 1); part++) encode_part(p, part);
}

// Also byte by byte, and with a pause at every callback.
static void write_variants(void) {
  static struct plan p;
  through_bytes(&plan);
  if (fuzz_target->parts) return;
  plan_copy(&p, &plan);
  p.npieces = p.len > 0 ? p.len : 1;
  if (p.len > 0)
    for (uint32_t i = 0; i < p.len; i++) p.piece[i] = 1;
  through_bytes(&p);
  plan_copy(&p, &plan);
  if (p.nacts == MAX_ACTS) return;
  p.acts[p.nacts++] = (struct act){.when = WHEN_ANY, .nth = NTH_EVERY, .ret = HPE_PAUSED};
  through_bytes(&p);
}

// Of the variants and pairs of libraries the first that shows something, if any.
static void shrink_plan(void) {
  static struct plan p;
  struct options o;
  int outcome = SAME;
  for (unsigned i = 0; outcome == SAME && fuzz_variant(i, &plan, &p); i++)
    for (unsigned pair = 0; outcome == SAME && fuzz_pair(pair, &o); pair++) {
      if (!plan_is_safe(&p) && !o.reference_level) continue;  // shrinking tries what the reference may not return from
      outcome = trial(&p, &o, NULL, NULL);
      if (outcome != SAME) shrink(&p, &o);
    }
  printf("%s: %s\n", under_way, outcome == SAME ? "as it was found" : outcome_names[outcome]);
  FILE* f = fopen(shrink_to, "w");
  if (!f) fail("cannot write", shrink_to);
  fprintf(f, "# found by target %s\n", fuzz_target->name);
  plan_print(outcome == SAME ? &plan : &p, f);
  if (fclose(f)) fail("cannot write", shrink_to);
}

static void run(void) {
  bench_turn++;
  if (shrink_to) shrink_plan();
  else if (encode_to) write_variants();
  else {
    through_bytes(&plan);
    count(fuzz_run(&plan, stdout) == 0, "");
  }
}

static void run_file(const char* path) {
  static uint8_t bytes[FUZZ_MAX];
  size_t length = strlen(path);
  FILE* f = fopen(path, "rb");
  if (!f) fail("cannot read", path);
  under_way = path;
  if (length > 5 && strcmp(path + length - 5, ".plan") == 0) {
    int end;
    while ((end = plan_read(&plan, f)) == 0) run();
    if (end < 0) fail("not a plan:", path);
  } else {
    fuzz_decode(&plan, bytes, fread(bytes, 1, sizeof bytes, f));
    run();
  }
  fclose(f);
}

static void print_word(const char* s) {
  putchar('"');
  for (; *s; s++) {
    if (*s < ' ' || *s == '"' || *s == '\\') printf("\\x%02x", (unsigned char)*s);
    else putchar(*s);
  }
  puts("\"");
}

static void print_dictionary(void) {
  // clang-format off: a list
  static const char *const words[] = {
      "HTTP/1.1", "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "RTSP/1.0", "ICE/1.0", " HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n",
      "SM\r\n\r\n", "\r\n", "\r\n\r\n", "\r\n ", "\r\n\t", "\r\r\n", "\n\n", ": ", " : ", ", ", "://", "@", "?", "#", "*", ";",
      "=\"", "\\\"", "\"\r\n", "Connection:", "Proxy-Connection:", "Content-Length:", "Transfer-Encoding:", "Upgrade:",
      "keep-alive", "close", "upgrade", "chunked", "gzip", "identity", "18446744073709551615", "18446744073709551616",
      "ffffffffffffffff", "10000000000000000", "0\r\n\r\n", "1\r\na\r\n", "200", "204", "304", "101", "100"};
  // clang-format on
  for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) print_word(words[i]);
#define X(number, name, text) print_word(#text " ");
  HTTP_ALL_METHOD_MAP(X)
#undef X
}

int main(int argc, char** argv) {
  struct fuzz_options o = {0};
  int first = 1;
  for (; first < argc && strncmp(argv[first], "--", 2) == 0; first++) {
    const char* a = argv[first];
    if (strcmp(a, "--dictionary") == 0) {
      print_dictionary();
      return 0;
    }
    if (strcmp(a, "--plants") == 0) {
      for (int i = 1; i < NPLANTS; i++) puts(plant_names[i]);
      return 0;
    }
    if (strcmp(a, "--help") == 0) {
      usage(stdout);
      return 0;
    }
    if (strncmp(a, "--encode=", 9) == 0) encode_to = a + 9;
    else if (strncmp(a, "--shrink=", 9) == 0) shrink_to = a + 9;
    else if (!fuzz_option(&o, a)) {
      usage(stderr);
      return 2;
    }
  }
  if (first == argc) {
    usage(stderr);
    return 2;
  }
  fuzz_open(&o);
  if (!shrink_to) bench_watch(die);
  for (; first < argc; first++) run_file(argv[first]);
  if (encode_to) printf("%llu files\n", (unsigned long long)encoded);
  printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
  return failed != 0;
}
