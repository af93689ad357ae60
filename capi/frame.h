/* The C side of core/state.go: what the driver and the parser share during one batch, and the parser's entry.
 * Sizes and offsets are asserted against the Go types in main.go, those of llhttp_t here. */
#ifndef LLHTTP_FRAME_H_
#define LLHTTP_FRAME_H_

#include <stddef.h>
#include <stdint.h>

#include "llhttp_compat.h"

/* llhttp_t from content_length to before settings: what its users read and change. It is handled as three words. */
struct llhttp_public {
  uint64_t content_length;
  uint8_t type;
  uint8_t method;
  uint8_t http_major;
  uint8_t http_minor;
  uint8_t header_state;
  uint8_t unused;
  uint16_t lenient_flags;
  uint8_t upgrade;
  uint8_t finish;
  uint16_t flags;
  uint16_t status_code;
  uint8_t initial_message_completed;
  uint8_t unused2;
};

/* The machine's own state between two calls; it lives in llhttp_t's _current. */
struct llhttp_private {
  uint8_t state;
  uint8_t field;
  uint8_t open;
  uint8_t aux;
  uint16_t node;
  uint8_t line;
  uint8_t seen;
};

struct llhttp_frame {
  const char* buf;
  const char* pos;
  const char* end;
  const char* span;
  struct llhttp_private priv;
  uint64_t pub[3]; /* a struct llhttp_public */
  struct llhttp_event* top;
  struct llhttp_event* room;
  uint32_t limit;
  uint8_t status;
  uint8_t reason;
  uint8_t changed;
  uint8_t few; /* 0 at the beginning of a piece */
  uint32_t rules; /* llhttp_ext_t's; 0 with LLHTTP_FRAME_UNLIMITED */
  uint32_t at_headers; /* 1: the batch ends with the callback at the end of a header section */
};

/* Values of llhttp_frame.limit and .status. LINES and BY_UNITS are no limits for a batch either, but less is taken as
 * a whole: see core/state.go. */
#define LLHTTP_FRAME_UNLIMITED UINT32_MAX
#define LLHTTP_FRAME_LINES (1u << 31)
#define LLHTTP_FRAME_BY_UNITS (1u << 30)
enum { LLHTTP_FRAME_MORE, LLHTTP_FRAME_EXHAUSTED, LLHTTP_FRAME_STOPPED };

/* The first word's lowest byte is the kind; core/state.go says what the rest is. */
struct llhttp_event {
  uint64_t head;
  uint64_t length;
};

enum {
  LLHTTP_EVENT_NOTIFY = 1,
  LLHTTP_EVENT_SPAN,
  LLHTTP_EVENT_SPAN_SKIP,
  LLHTTP_EVENT_PUBLIC,
  LLHTTP_EVENT_REQUEST,
  LLHTTP_EVENT_STATUS,
  LLHTTP_EVENT_FIELDS,
  LLHTTP_EVENT_CHUNK,
  LLHTTP_EVENT_LAST_CHUNK,
  LLHTTP_EVENT_NAME,
  LLHTTP_EVENT_VALUE,
  LLHTTP_EVENT_MESSAGE
};

struct llhttp_request_event {
  uint64_t head;
  uint32_t method_offset;
  uint32_t target_offset;
  uint32_t target_length;
  uint32_t protocol_offset;
  uint64_t unused;
};

struct llhttp_status_event {
  uint64_t head;
  uint32_t protocol_offset;
  uint32_t reason_offset;
  uint32_t reason_length;
  uint32_t unused;
  uint64_t unused2;
};

struct llhttp_message_event {
  uint64_t head;
  uint64_t length;
  struct llhttp_private after_headers;
  struct llhttp_private after_complete;
};

struct llhttp_field_line {
  uint32_t name_offset;
  uint32_t name_length;
  uint32_t value_offset;
  uint32_t value_length;
};

struct llhttp_effect {
  uint16_t line;
  uint16_t before;
  uint16_t after;
  uint16_t has_length;
  uint64_t length;
};

/* The state that only repeats its error. */
enum { LLHTTP_STATE_ERROR = 0xff };

#define LLHTTP_PUBLIC_OFFSET offsetof(llhttp_t, content_length)
#define LLHTTP_SAME_PLACE(member) \
  (offsetof(llhttp_t, member) == LLHTTP_PUBLIC_OFFSET + offsetof(struct llhttp_public, member))
typedef char llhttp_public_is_part_of_the_parser[offsetof(llhttp_t, settings) ==
                                                             LLHTTP_PUBLIC_OFFSET + sizeof(struct llhttp_public) &&
                                                         LLHTTP_SAME_PLACE(type) && LLHTTP_SAME_PLACE(lenient_flags) &&
                                                         LLHTTP_SAME_PLACE(finish) && LLHTTP_SAME_PLACE(status_code) &&
                                                         LLHTTP_SAME_PLACE(initial_message_completed)
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
