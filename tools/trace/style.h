/* Colours of the text output: escape sequences for a terminal, or nothing. */
#ifndef TRACE_STYLE_H
#define TRACE_STYLE_H

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct style {
  const char *dim, *name, *text, *good, *warn, *bad, *off;
};

/* Automatic is: on a terminal, unless NO_COLOR is set and not empty (no-color.org), or TERM is dumb. */
struct style style_for(enum color color);

#endif /* TRACE_STYLE_H */
