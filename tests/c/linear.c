/* Work grows as the input does, no faster: for each flood the instructions are counted for one, two and four times the
 * units, in one piece, byte by byte, and with a pause at every notification. Four times may cost no more on top of two
 * times than a little over twice what two times cost on top of one.
 *
 * It runs under callgrind, which counts; linear.sh starts it and reads the counts. Each count is dumped with a name:
 * flood, mode and size, separated by slashes. */
#include "check.h"
#include "floods.h"

#include <valgrind/callgrind.h>

enum {
  BYTES = 4096
}; /* of units, in the smallest input: behind what the short batches after a pause make of the first ones */

static int pausing;

static int on_notify(llhttp_t* p) {
  (void)p;
  return pausing ? HPE_PAUSED : 0;
}
static int on_span(llhttp_t* p, const char* at, size_t n) {
  (void)p, (void)at, (void)n;
  return 0;
}
#define SPAN(name) .name = on_span,
#define NOTIFY(name) .name = on_notify,
static const llhttp_settings_t settings = {REC_SPANS(SPAN) REC_NOTIFIES(NOTIFY)};

/* Parses all, in pieces, and goes on after each pause. Returns the last result. */
static int parse(llhttp_t* p, const char* input, size_t len, size_t piece) {
  size_t off = 0, n;
  int err = HPE_OK;
  while (off < len) {
    n = len - off < piece ? len - off : piece;
    err = (int)llhttp_execute(p, input + off, n);
    if (err == HPE_OK) {
      off += n;
      continue;
    }
    if (err != HPE_PAUSED) return err;
    off = (size_t)(llhttp_get_error_pos(p) - input);
    llhttp_resume(p);
    err = HPE_OK;
  }
  return err;
}

int main(void) {
  static const char* const modes[] = {"whole", "byte by byte", "pausing"};
  size_t i, mode, times, k, units, len;
  char name[200], *input;
  llhttp_t warm;
  if (!RUNNING_ON_VALGRIND) {
    fprintf(stderr, "linear: to be run by linear.sh\n");
    return 2;
  }
  /* What the dynamic linker does at a first call is not counted. */
  llhttp_init(&warm, HTTP_REQUEST, &settings);
  CHECK_INT(parse(&warm, "GET", 3, 1), HPE_OK);
  llhttp_resume(&warm);
  (void)llhttp_get_error_pos(&warm);
  for (i = 0; i < FLOODS; i++)
    for (mode = 0; mode < 3; mode++)
      for (times = 1; times <= 4; times *= 2) {
        llhttp_t p;
        int err;
        units = times * (BYTES / strlen(floods[i].unit));
        input = malloc(strlen(floods[i].before) + units * strlen(floods[i].unit) + strlen(floods[i].after) + 1);
        if (input == NULL) return 2;
        len = strlen(strcpy(input, floods[i].before));
        for (k = 0; k < units; k++) len += strlen(strcpy(input + len, floods[i].unit));
        len += strlen(strcpy(input + len, floods[i].after));
        llhttp_init(&p, floods[i].type, &settings);
        p.lenient_flags = (uint16_t)floods[i].lenient;
        pausing = mode == 2;
        CALLGRIND_TOGGLE_COLLECT;
        err = parse(&p, input, len, mode == 1 ? 1 : len);
        CALLGRIND_TOGGLE_COLLECT;
        snprintf(name, sizeof name, "%s/%s/%d", floods[i].name, modes[mode], (int)times);
        CALLGRIND_DUMP_STATS_AT(name);
        check_about = name;
        CHECK_INT(err, floods[i].err);
        free(input);
      }
  check_about = "";
  return check_done();
}
