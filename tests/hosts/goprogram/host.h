/* The C side of main.go: a parser, and a number that its callbacks make of what they see. */
#ifndef TESTS_HOSTS_GOPROGRAM_HOST_H_
#define TESTS_HOSTS_GOPROGRAM_HOST_H_

#include <stdint.h>

#include "llhttp.h"

struct host {
  llhttp_t parser;
  uint64_t hash;
};

/* Parses the input in pieces, with callbacks in C or in Go. Returns the number. */
uint64_t host_parse(struct host* h, int in_go, const char* input, size_t len, size_t piece);

/* The number so far, with one more event. */
uint64_t host_mix(uint64_t hash, int kind, const char* at, size_t len);

#endif
