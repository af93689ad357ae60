/* The C side of core/state.go: what the driver and the parser share during one batch, and the parser's entry.
 * Sizes and offsets are asserted against the Go types in main.go, those of llhttp_t here. */
#ifndef LLHTTP_FRAME_H_
#define LLHTTP_FRAME_H_

#include <stddef.h>
#include <stdint.h>

#include "llhttp_compat.h"

/* llhttp_t from content_length to before settings: what its users read and change. Compared as three words. */
struct llhttp_public {
  uint64_t words[3];
};

/* The machine's own state between two calls; it lives in llhttp_t's _current. */
struct llhttp_private {
  uint8_t state;
  uint8_t field;
  uint8_t open;
  uint8_t aux;
  uint16_t node;
  uint8_t line;
  uint8_t unused;
};

struct llhttp_frame {
  const char* buf;
  const char* pos;
  const char* end;
  const char* span;
  struct llhttp_private priv;
  struct llhttp_public pub;
  struct llhttp_event* top;
  uint32_t limit;
  uint8_t status;
  uint8_t reason;
  uint8_t changed;
  uint8_t unused;
};

/* Values of llhttp_frame.status. */
enum { LLHTTP_FRAME_MORE, LLHTTP_FRAME_EXHAUSTED, LLHTTP_FRAME_STOPPED };

/* Kind, callback and offset in one word; then a length. A LLHTTP_EVENT_PUBLIC takes up two: its length is the
 * first of the public words, the event behind it holds the other two. */
struct llhttp_event {
  uint64_t head;
  uint64_t length;
};

enum { LLHTTP_EVENT_NOTIFY = 1, LLHTTP_EVENT_SPAN, LLHTTP_EVENT_SPAN_SKIP, LLHTTP_EVENT_PUBLIC };

/* Events that one unit takes up at most. */
#define LLHTTP_UNIT_EVENTS 3

/* The state that only repeats its error. */
enum { LLHTTP_STATE_ERROR = 0xff };

#define LLHTTP_PUBLIC_OFFSET offsetof(llhttp_t, content_length)
typedef char llhttp_public_is_three_words[offsetof(llhttp_t, settings) - LLHTTP_PUBLIC_OFFSET ==
                                                  sizeof(struct llhttp_public)
                                              ? 1
                                              : -1];
typedef char llhttp_private_fits_current[sizeof(struct llhttp_private) == sizeof(((llhttp_t*)0)->_current) ? 1 : -1];

/* Runs a batch. LLHTTP_DIRECT: by the parser's own entry, in a library that has no Go runtime; otherwise by the
 * cgo export. */
#ifdef LLHTTP_DIRECT
extern void llhttp_core_step(struct llhttp_frame* frame) __attribute__((visibility("hidden")));
#else
extern void llhttp_core_step_cgo(struct llhttp_frame* frame);
#define llhttp_core_step llhttp_core_step_cgo
#endif

#endif
