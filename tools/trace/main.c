/* llhttp-trace: shows how llhttp parses files, callback by callback. See --help and llhttp-trace(1).
 *
 * options -> input -> parse, with a library, into events -> output; or diff, explain, stats in the place of output.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "diff.h"
#include "escape.h"
#include "explain.h"
#include "input.h"
#include "options.h"
#include "output.h"
#include "stats.h"

/* One parse, or one comparison. */
static int trace(const struct options* o, const struct parse_options* how, struct output* output,
                 const struct library* other) {
  if (other != NULL) return diff(output, how, other);
  if (!output->json) {
    printf("%s%*s  %*s  callback%s\n", output->style.dim, output->width, "offset", output->width, "length",
           output->style.off);
  }
  struct result result = parse(&linked_library, how, output->data, output->size, print_event, output);
  if (!result_is_error(&result)) return EXIT_PARSED;
  if (o->explain) explain(output, how, &result);
  return EXIT_PARSE_ERROR;
}

/* One for each way to cut the input in two. All should show the same, save for the pieces of the span that is cut. */
static int trace_each_cut(const struct options* o, struct output* output, const struct library* other) {
  struct parse_options how = o->parse;
  int status = EXIT_PARSED;
  for (size_t cut = 1; cut < output->size; cut++) {
    if (output->json) {
      printf("{\"event\":\"split\",\"offset\":%zu}\n", cut);
    } else {
      printf("%scut at %zu\n", cut == 1 ? "" : "\n", cut);
    }
    how.cuts = &cut;
    how.cut_count = 1;
    status = worse_status(status, trace(o, &how, output, other));
  }
  return status;
}

/* Says which of several inputs follows. */
static void announce(const struct options* o, struct style style, size_t index) {
  if (o->path_count == 1) return;
  const char* name = input_name(o->paths[index]);
  if (o->json) {
    fputs("{\"event\":\"input\",\"name\":", stdout);
    print_quoted_string(name, true);
    puts("}");
  } else {
    printf("%s%s==> ", index == 0 ? "" : "\n", style.name);
    print_quoted_string(name, false);
    printf(" <==%s\n", style.off);
  }
}

static int trace_input(const struct options* o, struct style style, size_t index, const struct library* other) {
  size_t size;
  char* data = input_read(o->paths[index], &size);
  if (data == NULL) return EXIT_TROUBLE;
  announce(o, style, index);
  struct output output = output_for(o->json, style, data, size);
  int status = o->split_each ? trace_each_cut(o, &output, other) : trace(o, &o->parse, &output, other);
  free(data);
  return status;
}

static int run(const struct options* o) {
  struct style style = style_for(o->color);
  struct library opened;
  const struct library* other = NULL;
  int status = EXIT_PARSED;
  if (o->other != NULL) {
    if (library_open(o->other, &opened) != 0) return EXIT_TROUBLE;
    if (o->parse.extended && !library_has_extensions(&opened)) {
      complain("'%s' has no llhttp_ext_init: rules and limits need a library that has it", o->other);
      return EXIT_TROUBLE;
    }
    other = &opened;
  }
  static struct stats stats;
  for (size_t i = 0; i < o->path_count; i++) {
    int each = o->stats ? stats_add(&stats, &o->parse, o->paths[i]) : trace_input(o, style, i, other);
    status = worse_status(status, each);
  }
  if (o->stats && stats.inputs != 0) stats_print(&stats, o->json, style);
  return status;
}

int main(int argc, char** argv) {
  struct options options;
  int status;
  if (library_simd_error() != NULL) {
    complain("%s", library_simd_error());
    return EXIT_TROUBLE;
  }
  if (options_parse(argc, argv, &options, &status)) status = run(&options);
  options_free(&options);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    complain("cannot write: %s", strerror(errno));
    status = EXIT_TROUBLE;
  }
  return status;
}
