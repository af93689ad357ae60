/* How far a large file is: a bar on standard error, on a terminal alone. */
#ifndef TRACE_PROGRESS_H
#define TRACE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
  bool shown;     /* a bar is on the terminal */
  uint64_t total; /* bytes; 0: no bar */
  double start, last;
};

/* Seconds on a clock that only goes on. */
double seconds_now(void);

/* A bar for this file if it is large, regular, and standard error is a terminal. */
struct progress progress_begin(FILE* file);

/* `done` bytes are parsed. Draws some ten times a second. */
void progress_update(struct progress* progress, uint64_t done);

/* Takes the bar away. */
void progress_end(struct progress* progress);

#endif /* TRACE_PROGRESS_H */
