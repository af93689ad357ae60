/* Names of events and of what they carry, and when two of them show the same. */
#include "event.h"

#include <string.h>

const char* event_name(enum event_id id) {
  static const char* const names[] = {
#define X(NAME) "on_" #NAME,
      SPANS(X) NOTIFICATIONS(X) EXT_SPANS(X) EXT_NOTIFICATIONS(X)
#undef X
          "upgrade",
      "error",
      "finish",
  };
  return names[id];
}

const char* type_name(unsigned type) {
  return type == HTTP_REQUEST ? "request" : type == HTTP_RESPONSE ? "response" : "both";
}

const char* flag_name(unsigned index) {
  switch (1u << index) {
#define X(NAME) case F_##NAME: return #NAME;
    FLAGS(X)
#undef X
    default: return NULL;
  }
}

bool events_equal(const struct event* a, const struct event* b) {
  const struct fields *f = &a->fields, *g = &b->fields;
  if (a->id != b->id || a->known != b->known || a->offset != b->offset || a->length != b->length) return false;
  if (event_has_head(a)) {
    if (f->type != g->type || f->major != g->major || f->minor != g->minor || f->flags != g->flags) return false;
    if (f->type == HTTP_RESPONSE ? f->status != g->status : f->method != g->method) return false;
  }
  if (event_has_length(a) && f->content_length != g->content_length) return false;
  if (event_has_connection(a) && (f->upgrade != g->upgrade || f->keep_alive != g->keep_alive)) return false;
  return !event_is_end(a) || (a->error == b->error && strcmp(a->reason, b->reason) == 0);
}
