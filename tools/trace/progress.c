/* The bar is redrawn in its line and leaves nothing behind. */
#include "progress.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Smaller files are done before a bar can be read. */
enum { LARGE = 16 << 20, BAR_WIDTH = 40 };
static const double interval = 0.1;

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct progress progress_begin(FILE* file) {
  struct progress p = {0};
  struct stat about;
  p.start = p.last = seconds_now();
  if (isatty(STDERR_FILENO) && fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) && about.st_size >= LARGE) {
    p.total = (uint64_t)about.st_size;
  }
  return p;
}

void progress_update(struct progress* p, uint64_t done) {
  static const char full[] = "########################################";
  if (p->total == 0) return;
  double now = seconds_now();
  if (p->shown && now - p->last < interval) return;
  double part = done < p->total ? (double)done / (double)p->total : 1;
  int bars = (int)(part * BAR_WIDTH);
  double rate = now > p->start ? (double)done / (now - p->start) / 1e6 : 0;
  fprintf(stderr, "\r[%.*s%*s] %3.0f %%  %.0f MB/s\033[K", bars, full, BAR_WIDTH - bars, "", part * 100, rate);
  fflush(stderr);
  p->shown = true;
  p->last = now;
}

void progress_end(struct progress* p) {
  if (p->shown) fputs("\r\033[K", stderr);
  p->shown = false;
}
