/* The command line. */
#ifndef TRACE_OPTIONS_H
#define TRACE_OPTIONS_H

#include "parse.h"
#include "style.h"

struct options {
  struct parse_options parse;
  size_t* cuts;          /* parse.cuts; freed by options_free */
  bool split_each;       /* one parse for every cut in two */
  bool json, explain, stats;
  const char* other;     /* path of the library to compare with, or NULL */
  enum color color;
  const char* const* paths;
  size_t path_count;     /* at least one */
};

/* Fills *options. Returns false with *status set if the program is to end here. */
bool options_parse(int argc, char** argv, struct options* options, int* status);

void options_free(struct options* options);

#endif /* TRACE_OPTIONS_H */
