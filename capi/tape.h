/* The C side of core/tape.go. Sizes and offsets are asserted against the Go type in main.go. */
#ifndef LLHTTP_TAPE_H_
#define LLHTTP_TAPE_H_

#include "entry.h"
#include "frame.h"
#include "llhttp_ext.h"

struct llhttp_tape {
  struct llhttp_frame frame;
  llhttp_ext_event_t* top;
  llhttp_ext_event_t* end;
  struct llhttp_event* batch;
  struct llhttp_event* room;
  uint32_t mask;
  uint8_t result;
  uint8_t cut;
  uint8_t headers;
  uint8_t unused;
  uint64_t pub[3];
};

/* Values of llhttp_tape.result. */
enum { LLHTTP_TAPE_EXHAUSTED, LLHTTP_TAPE_STOPPED, LLHTTP_TAPE_FULL, LLHTTP_TAPE_HEADERS };

#endif
