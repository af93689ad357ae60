/* The eight basic colours alone: every terminal has them, on light ground and dark. */
#include "style.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wanted(enum color color) {
  if (color != COLOR_AUTO) return color == COLOR_ALWAYS;
  const char* no = getenv("NO_COLOR");
  const char* term = getenv("TERM");
  return (no == NULL || *no == '\0') && term != NULL && strcmp(term, "dumb") != 0 && isatty(STDOUT_FILENO);
}

struct style style_for(enum color color) {
  static const struct style plain = {"", "", "", "", "", "", ""};
  static const struct style colored = {
      .dim = "\033[2m",
      .name = "\033[36m",
      .text = "\033[32m",
      .good = "\033[1;32m",
      .warn = "\033[1;33m",
      .bad = "\033[1;31m",
      .off = "\033[0m",
  };
  return wanted(color) ? colored : plain;
}
