/* What a parse brings to light, one struct for each: a callback, or how the parse ended. */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "llhttp.h"
#include "tables_gen.h"

enum event_id {
#define X(NAME) EVENT_##NAME,
  SPANS(X) NOTIFICATIONS(X) EXT_SPANS(X) EXT_NOTIFICATIONS(X)
#undef X
      EVENT_upgrade, /* the parser stops in front of another protocol */
  EVENT_error,
  EVENT_finish   /* llhttp_finish has returned HPE_OK */
};

/* The fields of the parser at a notification. */
struct fields {
  unsigned type, method, status, major, minor, flags;
  uint64_t content_length;
  bool upgrade, keep_alive;
};

struct event {
  enum event_id id;
  bool known;            /* whether offset is known; always, save with parse_options.no_pause */
  size_t offset;         /* from the start of the whole input */
  const char* at;        /* of a span; points into the input */
  size_t length;         /* of a span, or of what follows an upgrade */
  struct fields fields;  /* of a notification */
  llhttp_errno_t error;  /* of an upgrade, error or finish */
  const char* reason;    /* likewise; never NULL there */
};

/* What is shown of an event's fields. */
static inline bool event_is_span(const struct event* e) { return e->at != NULL; }
static inline bool event_has_head(const struct event* e) { return e->id == EVENT_headers_complete; }
static inline bool event_has_length(const struct event* e) {
  return e->id == EVENT_headers_complete || e->id == EVENT_chunk_header;
}
static inline bool event_has_connection(const struct event* e) {
  return e->id == EVENT_headers_complete || e->id == EVENT_message_complete;
}
static inline bool event_has_fields(const struct event* e) { return event_has_length(e) || event_has_connection(e); }
static inline bool event_is_end(const struct event* e) { return e->id >= EVENT_upgrade; }

/* "on_url" and the like; "upgrade", "error", "finish". */
const char* event_name(enum event_id id);

/* "request", "response" or "both". */
const char* type_name(unsigned type);

/* Whether two events show the same. */
bool events_equal(const struct event* a, const struct event* b);

/* The name of the bit 1 << index of the member flags, or NULL. */
const char* flag_name(unsigned index);

#endif /* TRACE_EVENT_H */
