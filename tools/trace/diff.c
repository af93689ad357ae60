/* The events of one library are kept; those of the other are held against them one by one as they come. */
#include "diff.h"

#include <stdio.h>
#include <stdlib.h>

#include "complain.h"

enum { CONTEXT = 3 }; /* events that are shown before the difference */

struct log {
  struct event* events;
  size_t count, capacity;
  bool out_of_memory;
};

static void keep(void* context, const struct event* e) {
  struct log* log = context;
  if (log->out_of_memory) return;
  if (log->count == log->capacity) {
    size_t capacity = log->capacity == 0 ? 64 : log->capacity * 2;
    struct event* larger = realloc(log->events, capacity * sizeof(*larger));
    if (larger == NULL) {
      log->out_of_memory = true;
      return;
    }
    log->events = larger;
    log->capacity = capacity;
  }
  log->events[log->count++] = *e;
}

struct comparison {
  const struct log* log;
  size_t index;        /* events that are the same so far */
  bool differs;
  bool has_other;      /* the other library has an event there: `other` */
  struct event other;
};

static void compare(void* context, const struct event* e) {
  struct comparison* c = context;
  if (c->differs) return;
  if (c->index < c->log->count && events_equal(&c->log->events[c->index], e)) {
    c->index++;
    return;
  }
  c->differs = c->has_other = true;
  c->other = *e;
}

static void print_side(const struct output* o, const char* color, char sign, const struct event* e) {
  printf("%s%c%s ", color, sign, o->style.off);
  if (e != NULL) {
    print_event_line(o, e);
  } else {
    puts("(no further event)");
  }
}

static void print_difference_text(const struct output* o, const struct comparison* c, const struct event* own) {
  const struct log* log = c->log;
  printf("%sdifference%s at event %zu: - this library, + the other\n", o->style.bad, o->style.off, c->index + 1);
  for (size_t i = c->index > CONTEXT ? c->index - CONTEXT : 0; i < c->index; i++) {
    fputs("  ", stdout);
    print_event_line(o, &log->events[i]);
  }
  print_side(o, o->style.bad, '-', own);
  print_side(o, o->style.good, '+', c->has_other ? &c->other : NULL);
  const struct event* where = own != NULL ? own : &c->other;
  putchar('\n');
  if (where->known) print_caret(o, where->offset);
}

static void print_difference_json(const struct output* o, const struct comparison* c, const struct event* own) {
  printf("{\"event\":\"difference\",\"index\":%zu,\"this\":", c->index);
  if (own != NULL) {
    print_json_object(o, own);
  } else {
    fputs("null", stdout);
  }
  fputs(",\"other\":", stdout);
  if (c->has_other) {
    print_json_object(o, &c->other);
  } else {
    fputs("null", stdout);
  }
  puts("}");
}

int diff(const struct output* o, const struct parse_options* options, const struct library* other) {
  struct log log = {0};
  parse(&linked_library, options, o->data, o->size, keep, &log);
  if (log.out_of_memory) {
    complain("out of memory");
    free(log.events);
    return EXIT_TROUBLE;
  }
  struct comparison c = {.log = &log};
  parse(other, options, o->data, o->size, compare, &c);
  if (c.index < log.count) c.differs = true;
  const struct event* own = c.index < log.count ? &log.events[c.index] : NULL;
  if (!c.differs) {
    printf(o->json ? "{\"event\":\"same\",\"events\":%zu}\n" : "no difference in %zu events\n", log.count);
  } else if (o->json) {
    print_difference_json(o, &c, own);
  } else {
    print_difference_text(o, &c, own);
  }
  free(log.events);
  return c.differs ? EXIT_DIFFERENT : EXIT_PARSED;
}
