/* What libtape.so (tape.c) offers to peer_heads.c. `events` is `room` bytes of memory for the events. */
#ifndef BENCH_TAPE_H_
#define BENCH_TAPE_H_

#include <stddef.h>

#include "bench.h"

#define TAPE_EXPORT __attribute__((visibility("default")))

/* Parses a whole message; 1 if it was one. */
TAPE_EXPORT int bench_tape(const char* data, size_t size, int response, void* events, size_t room);

/* The same, and gives the spans of the head; 0, or -1. */
TAPE_EXPORT int bench_tape_spans(const char* data, size_t size, int response, void* events, size_t room, emit_fn emit,
                                 void* context);

#endif
