/* What both forms of the output have in common. */
#include "output.h"

#include <stdio.h>

struct output output_for(bool json, struct style style, const char* data, size_t size) {
  struct output o = {json, style, data, size, snprintf(NULL, 0, "%zu", size)};
  if (o.width < 6) o.width = 6; /* as wide as the headings */
  return o;
}

int output_indent(const struct output* o) { return o->width * 2 + 4; }

struct position position_of(const struct output* o, size_t offset) {
  size_t line = 1, start = 0;
  for (size_t i = 0; i < offset; i++) {
    if (o->data[i] == '\n') {
      line++;
      start = i + 1;
    }
  }
  return (struct position){line, offset - start + 1};
}

void print_event_line(const struct output* o, const struct event* e) {
  if (o->json) {
    print_json_object(o, e);
  } else {
    print_text_line(o, e);
  }
}

void print_event(void* output, const struct event* e) {
  const struct output* o = output;
  print_event_line(o, e);
  if (o->json) {
    putchar('\n');
  } else if (e->id == EVENT_error) {
    struct position at = position_of(o, e->offset);
    printf("%*sline %zu, column %zu\n\n", output_indent(o), "", at.line, at.column);
    print_caret(o, e->offset);
  }
}
