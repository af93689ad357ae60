// Runs cases of the targets of beyond.h without a fuzzer: what was found, as bytes; and plans in text form (seeds, cases), of
// which each target makes its own cases. Also writes those, for a fuzzer to begin with.
#define _GNU_SOURCE
#include <getopt.h>
#include <stdlib.h>

#include "beyond.h"
#include "seed.h"

static const struct beyond* target;
static const char* folder;
static unsigned long long passed, failed, written;
static const char* const usage =
    "usage: beyond-replay --target=NAME [--plant] FILE...\n"
    "       beyond-replay --target=NAME --encode=FOLDER FILE.plan...\n"
    "FILE: plans in text form, if its name ends with .plan; else a case as bytes\n";

static void fail(const char* what, const char* path) {
  fprintf(stderr, "beyond-replay: %s %s\n", what, path);
  exit(2);
}

static void run_case(const char* path, const uint8_t* bytes, size_t size) {
  static unsigned long before;
  if (folder != NULL) {
    seed_write(folder, bytes, size);
    written++;
    return;
  }
  unsigned long now = target->check(bytes, size);
  if (now == before) passed++;
  else failed++;
  if (now != before) printf("FAIL %s\n", path);
  before = now;
}

static void run_file(const char* path) {
  static uint8_t bytes[BEYOND_MOST];
  static struct plan plan;
  size_t length = strlen(path);
  FILE* f = fopen(path, "rb");
  int end;
  if (!f) fail("cannot read", path);
  if (length > 5 && strcmp(path + length - 5, ".plan") == 0) {
    while ((end = plan_read(&plan, f)) == 0) {
      size_t size;
      for (unsigned n = 0; (size = target->encode(&plan, n, bytes)) != 0; n++) run_case(path, bytes, size);
    }
    if (end < 0) fail("not a plan:", path);
  } else {
    run_case(path, bytes, fread(bytes, 1, sizeof bytes, f));
  }
  fclose(f);
}

int main(int argc, char** argv) {
  static int planted;
  static const struct option names[] = {
      {"target", 1, NULL, 't'}, {"encode", 1, NULL, 'e'}, {"plant", 0, &planted, 1}, {NULL, 0, NULL, 0}};
  for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
    if (option == 't') target = beyond_find(optarg);
    else if (option == 'e') folder = optarg;
    else if (option != 0) target = NULL, optind = argc;
  }
  if (target == NULL || optind == argc) {
    fputs(usage, stderr);
    return 2;
  }
  *target->plant = planted;
  for (; optind < argc; optind++) run_file(argv[optind]);
  if (folder != NULL) printf("%llu files\n", written);
  else printf("%llu passed, %llu failed\n", passed, failed);
  return failed != 0;
}
