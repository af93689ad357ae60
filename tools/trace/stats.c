/* The callbacks only count, and nothing pauses: the throughput is the library's with callbacks that do next to nothing.
 */
#include "stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "complain.h"
#include "escape.h"
#include "input.h"
#include "progress.h"

enum { BLOCK = 1 << 18 };

struct counting {
  struct stats* stats;
  int headers_result;
};

static int on_headers_complete(llhttp_t* parser) {
  const struct counting* c = parser->data;
  struct stats* s = c->stats;
  if (parser->type == HTTP_RESPONSE) {
    s->responses++;
    s->classes[parser->status_code / 100 % 10]++;
  } else {
    s->requests++;
    s->methods[parser->method]++;
  }
  return c->headers_result;
}

static int on_message_complete(llhttp_t* parser) {
  const struct counting* c = parser->data;
  c->stats->messages++;
  return HPE_OK;
}

static int on_header_value_complete(llhttp_t* parser) {
  const struct counting* c = parser->data;
  c->stats->fields++;
  return HPE_OK;
}

static int on_chunk_header(llhttp_t* parser) {
  const struct counting* c = parser->data;
  c->stats->chunks += parser->content_length != 0;
  return HPE_OK;
}

static int on_body(llhttp_t* parser, const char* at, size_t length) {
  const struct counting* c = parser->data;
  (void)at;
  c->stats->body_bytes += length;
  return HPE_OK;
}

/* One block. Returns what llhttp_execute said last; *stopped is where. */
static llhttp_errno_t feed(llhttp_t* parser, const struct parse_options* o, const char* at, const char* end,
                           const char** stopped) {
  struct counting* c = parser->data;
  while (at < end) {
    size_t length = (size_t)(end - at);
    if (o->piece != 0 && o->piece < length) length = o->piece;
    llhttp_errno_t error = llhttp_execute(parser, at, length);
    at += length;
    if (error == HPE_OK) continue;
    at = *stopped = llhttp_get_error_pos(parser);
    if (error == HPE_PAUSED_UPGRADE || error == HPE_PAUSED_H2_UPGRADE) c->stats->upgrades++;
    if (error != HPE_PAUSED_UPGRADE || !o->ignore_upgrade) return error;
    llhttp_resume_after_upgrade(parser);
  }
  return HPE_OK;
}

/* What is left of an input counts, too. */
static uint64_t count_rest(FILE* file, char* block) {
  uint64_t rest = 0;
  for (size_t n; (n = fread(block, 1, BLOCK, file)) != 0;) rest += n;
  return rest;
}

static int count_file(struct stats* s, const struct parse_options* o, const char* path, FILE* file, char* block) {
  struct counting counting = {s, o->headers_result};
  llhttp_settings_t settings;
  llhttp_t parser;
  llhttp_ext_t ext;
  llhttp_settings_init(&settings);
  settings.on_headers_complete = on_headers_complete;
  settings.on_message_complete = on_message_complete;
  settings.on_header_value_complete = on_header_value_complete;
  settings.on_chunk_header = on_chunk_header;
  settings.on_body = on_body;
  llhttp_init(&parser, o->type, &settings);
  parser.data = &counting;
  for (size_t i = 0; i < LENIENT_COUNT; i++) {
    if (o->lenient[i]) linked_library.set_lenient[i](&parser, 1);
  }

  if (o->extended) {
    parse_extensions(&linked_library, o, &ext);
    linked_library.ext_attach(&parser, &ext);
  }

  struct progress progress = progress_begin(file);
  llhttp_errno_t error = HPE_OK;
  uint64_t offset = 0;
  for (size_t n; error == HPE_OK && (n = fread(block, 1, BLOCK, file)) != 0;) {
    const char* stopped = block;
    double before = seconds_now();
    error = feed(&parser, o, block, block + n, &stopped);
    s->parse_seconds += seconds_now() - before;
    s->bytes += n;
    if (error == HPE_PAUSED_UPGRADE || error == HPE_PAUSED_H2_UPGRADE) {
      uint64_t rest = count_rest(file, block);
      s->bytes += rest;
      s->bytes_after_upgrade += rest + (n - (size_t)(stopped - block));
    }
    offset += error == HPE_OK ? n : (size_t)(stopped - block);
    progress_update(&progress, offset);
  }
  if (error == HPE_OK && o->finish) error = llhttp_finish(&parser);
  progress_end(&progress);
  struct result result = {.error = error};
  if (!result_is_error(&result)) return EXIT_PARSED;
  s->errors++;
  s->bytes += count_rest(file, block);
  complain("%s: %s at %" PRIu64 ": %s", input_name(path), llhttp_errno_name(error), offset,
           llhttp_get_error_reason(&parser));
  return EXIT_PARSE_ERROR;
}

int stats_add(struct stats* s, const struct parse_options* o, const char* path) {
  char* block = malloc(BLOCK);
  if (block == NULL) {
    complain("out of memory");
    return EXIT_TROUBLE;
  }
  int status = EXIT_TROUBLE;
  FILE* file = input_open(path);
  if (file != NULL) {
    double start = seconds_now();
    status = count_file(s, o, path, file, block);
    s->inputs++;
    s->seconds += seconds_now() - start;
    if (input_close(path, file) != 0) status = EXIT_TROUBLE;
  }
  free(block);
  return status;
}

static double per_second(uint64_t count, double seconds) { return seconds > 0 ? (double)count / seconds : 0; }

/* The counts in the order in which both forms show them. */
#define COUNTS(X)                                                                                  \
  X(inputs) X(bytes) X(messages) X(requests) X(responses) X(fields) X(body_bytes) X(chunks)        \
  X(upgrades) X(bytes_after_upgrade) X(errors)

static void print_json(const struct stats* s) {
  const char* separator = "";
  fputs("{\"event\":\"stats\"", stdout);
#define X(NAME) printf(",\"" #NAME "\":%" PRIu64, s->NAME);
  COUNTS(X)
#undef X
  fputs(",\"methods\":{", stdout);
  for (int i = 0; i < 256; i++) {
    if (s->methods[i] == 0) continue;
    fputs(separator, stdout);
    print_quoted_string(llhttp_method_name((llhttp_method_t)i), true);
    printf(":%" PRIu64, s->methods[i]);
    separator = ",";
  }
  fputs("},\"statuses\":{", stdout);
  separator = "";
  for (int i = 0; i < 10; i++) {
    if (s->classes[i] == 0) continue;
    printf("%s\"%dxx\":%" PRIu64, separator, i, s->classes[i]);
    separator = ",";
  }
  printf("},\"parse_seconds\":%.6f,\"seconds\":%.6f,\"bytes_per_second\":%.0f,\"messages_per_second\":%.0f}\n",
         s->parse_seconds, s->seconds, per_second(s->bytes, s->parse_seconds),
         per_second(s->messages, s->parse_seconds));
}

static void print_text(const struct stats* s, struct style style) {
  enum { NAME = 20 };
#define X(WHAT) printf("%s%-*s%s %" PRIu64 "\n", style.name, NAME, #WHAT, style.off, s->WHAT);
  COUNTS(X)
#undef X
  for (int i = 0; i < 256; i++) {
    if (s->methods[i] == 0) continue;
    printf("%smethod%s %-*s %" PRIu64 "\n", style.name, style.off, NAME - 7, llhttp_method_name((llhttp_method_t)i),
           s->methods[i]);
  }
  for (int i = 0; i < 10; i++) {
    if (s->classes[i] != 0) {
      printf("%sstatus%s %dxx%*s %" PRIu64 "\n", style.name, style.off, i, NAME - 10, "", s->classes[i]);
    }
  }
  printf("%s%-*s%s %.3f s in the parser, %.3f s with reading\n", style.name, NAME, "time", style.off, s->parse_seconds,
         s->seconds);
  printf("%s%-*s%s %.0f MB/s, %.0f messages/s\n", style.name, NAME, "throughput", style.off,
         per_second(s->bytes, s->parse_seconds) / 1e6, per_second(s->messages, s->parse_seconds));
}

void stats_print(const struct stats* s, bool json, struct style style) {
  if (json) {
    print_json(s);
  } else {
    print_text(s, style);
  }
}
