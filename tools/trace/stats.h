/* Counts and throughput in place of events: for inputs of any size, which are never in memory as a whole. */
#ifndef TRACE_STATS_H
#define TRACE_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "parse.h"
#include "style.h"

struct stats {
  uint64_t inputs, bytes, messages, requests, responses, fields, body_bytes, chunks, upgrades, errors;
  uint64_t bytes_after_upgrade;
  uint64_t methods[256];   /* requests by llhttp_method_t */
  uint64_t classes[10];    /* responses by the first digit of the status code */
  double parse_seconds;    /* inside the library */
  double seconds;          /* reading included */
};

/* Parses an input and adds what is in it. An error is said on standard error. Returns an exit status. */
int stats_add(struct stats* stats, const struct parse_options* options, const char* path);

void stats_print(const struct stats* stats, bool json, struct style style);

#endif /* TRACE_STATS_H */
