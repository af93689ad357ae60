/* Events as objects of JSON, valid whatever bytes the input has. */
#include <inttypes.h>
#include <stdio.h>

#include "escape.h"
#include "output.h"

static const char* true_false(bool value) { return value ? "true" : "false"; }

static void string_member(const char* key, const char* value) {
  printf(",\"%s\":", key);
  print_quoted_string(value, true);
}

static void print_flags(unsigned flags) {
  const char* separator = "";
  fputs(",\"flags\":[", stdout);
  for (unsigned i = 0; i < 16; i++) {
    const char* name = flags >> i & 1 ? flag_name(i) : NULL;
    if (name == NULL) continue;
    printf("%s\"%s\"", separator, name);
    separator = ",";
  }
  putchar(']');
}

static void print_fields(const struct event* e) {
  const struct fields* f = &e->fields;
  if (event_has_head(e)) {
    printf(",\"type\":\"%s\"", type_name(f->type));
    if (f->type == HTTP_RESPONSE) {
      printf(",\"status\":%u", f->status);
    } else {
      string_member("method", llhttp_method_name((llhttp_method_t)f->method));
    }
    printf(",\"version\":\"%u.%u\"", f->major, f->minor);
    print_flags(f->flags);
  }
  if (event_has_length(e)) printf(",\"content_length\":%" PRIu64, f->content_length);
  if (event_has_connection(e)) {
    printf(",\"upgrade\":%s,\"keep_alive\":%s", true_false(f->upgrade), true_false(f->keep_alive));
  }
}

void print_json_object(const struct output* o, const struct event* e) {
  printf("{\"event\":\"%s\"", event_name(e->id));
  if (e->known) printf(",\"offset\":%zu", e->offset);
  if (event_is_span(e)) {
    printf(",\"length\":%zu,\"text\":", e->length);
    print_quoted(e->at, e->length, true);
  }
  if (event_is_end(e)) {
    printf(",\"errno\":\"%s\"", llhttp_errno_name(e->error));
    if (e->error != HPE_OK) string_member("reason", e->reason);
  }
  if (e->id == EVENT_error) {
    struct position at = position_of(o, e->offset);
    printf(",\"line\":%zu,\"column\":%zu", at.line, at.column);
  }
  if (e->id == EVENT_upgrade) printf(",\"rest\":%zu", e->length);
  print_fields(e);
  putchar('}');
}
