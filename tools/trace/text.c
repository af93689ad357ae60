/* Events as lines of text: offset, length, name, and what else there is, in columns. No line has blanks at its end. */
#include <inttypes.h>
#include <stdio.h>

#include "escape.h"
#include "output.h"

/* Columns of a name that text or fields follow: on_chunk_extension_value is the longest. */
enum { NAME_WIDTH = 24 };

static const char* yes_no(bool value) { return value ? "yes" : "no"; }

static void print_flags(unsigned flags) {
  const char* separator = "";
  for (unsigned i = 0; i < 16; i++) {
    const char* name = flags >> i & 1 ? flag_name(i) : NULL;
    if (name == NULL) continue;
    printf("%s%s", separator, name);
    separator = "|";
  }
  if (*separator == '\0') putchar('-');
}

static void print_fields(const struct event* e) {
  const struct fields* f = &e->fields;
  if (event_has_head(e)) {
    printf(" type=%s", type_name(f->type));
    if (f->type == HTTP_RESPONSE) {
      printf(" status=%u", f->status);
    } else {
      printf(" method=%s", llhttp_method_name((llhttp_method_t)f->method));
    }
    printf(" version=%u.%u flags=", f->major, f->minor);
    print_flags(f->flags);
  }
  if (event_has_length(e)) printf(" content_length=%" PRIu64, f->content_length);
  if (event_has_connection(e)) printf(" upgrade=%s keep_alive=%s", yes_no(f->upgrade), yes_no(f->keep_alive));
}

void print_text_line(const struct output* o, const struct event* e) {
  const struct style* s = &o->style;
  fputs(s->dim, stdout);
  if (e->known) {
    printf("%*zu", o->width, e->offset);
  } else {
    printf("%*s", o->width, "-");
  }
  if (event_is_span(e)) {
    printf("  %*zu", o->width, e->length);
  } else {
    printf("  %*s", o->width, "");
  }
  printf("%s  ", s->off);

  switch (e->id) {
    case EVENT_upgrade:
      printf("%supgrade%s  %s: %s, %zu bytes follow", s->warn, s->off, llhttp_errno_name(e->error), e->reason,
             e->length);
      break;
    case EVENT_error:
      printf("%serror%s  %s%s%s: %s", s->bad, s->off, s->bad, llhttp_errno_name(e->error), s->off, e->reason);
      break;
    case EVENT_finish: printf("%sfinish%s  %s", s->good, s->off, llhttp_errno_name(e->error)); break;
    default:
      printf("%s%-*s%s", s->name, event_is_span(e) || event_has_fields(e) ? NAME_WIDTH : 0, event_name(e->id), s->off);
      if (event_is_span(e)) {
        printf(" %s", s->text);
        print_quoted(e->at, e->length, false);
        fputs(s->off, stdout);
      }
      print_fields(e);
  }
  putchar('\n');
}
