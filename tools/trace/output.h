/* What the tool prints about parses, as text for people or as JSON, an object per line, for programs. */
#ifndef TRACE_OUTPUT_H
#define TRACE_OUTPUT_H

#include "event.h"
#include "style.h"

/* How and about what is printed. */
struct output {
  bool json;
  struct style style;
  const char* data; /* the input */
  size_t size;
  int width;        /* columns of an offset; output_for sets it */
};

struct output output_for(bool json, struct style style, const char* data, size_t size);

/* A line or more for an event. An event_sink with a struct output as its context. */
void print_event(void* output, const struct event* event);

/* Text: one line, without what print_event shows below an error. JSON: the object without the line end. */
void print_event_line(const struct output* output, const struct event* event);

/* Text alone: the line of the input that has the byte at offset, and a caret under the byte. */
void print_caret(const struct output* output, size_t offset);

/* Where an offset is in the input, in lines and columns from 1 on. */
struct position {
  size_t line, column;
};
struct position position_of(const struct output* output, size_t offset);

/* Text alone: the columns in front of what stands below an error. */
int output_indent(const struct output* output);

/* The two forms of print_event_line; a file for each. */
void print_text_line(const struct output* output, const struct event* event);
void print_json_object(const struct output* output, const struct event* event);

#endif /* TRACE_OUTPUT_H */
