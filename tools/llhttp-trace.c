/* llhttp-trace: parses a file or standard input with llhttp's API and prints one line per callback.
 *
 * A callback for a span gets a pointer and so has an offset; a notification has none. To learn it, the tool returns
 * HPE_PAUSED there, reads llhttp_get_error_pos and resumes at that byte; --no-pause turns this off. Pauses change
 * nothing else: the callbacks, their order and their bytes are those of a program that never pauses.
 * Every offset counts from the start of the whole input, however it is cut into pieces.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llhttp.h"
#include "llhttp_ext.h"

/* llhttp itself, on which this program runs as well, has no extensions. */
#pragma weak llhttp_ext_init
#pragma weak llhttp_ext_attach

/* Columns of a name that text or fields follow: on_chunk_extension_value is the longest. */
enum { NAME_WIDTH = 24 };

enum { EXIT_OK = 0, EXIT_PARSE_ERROR = 1, EXIT_TROUBLE = 2 };

static const char program[] = "llhttp-trace";

/* ---- the callbacks and flags of the API, by name ---- */

#define SPANS(X)                                                                                   \
  X(protocol) X(method) X(url) X(version) X(status) X(header_field) X(header_value)                \
  X(chunk_extension_name) X(chunk_extension_value) X(body)

#define NOTIFICATIONS(X)                                                                           \
  X(reset) X(message_begin) X(protocol_complete) X(method_complete) X(url_complete)                \
  X(version_complete) X(status_complete) X(header_field_complete) X(header_value_complete)         \
  X(headers_complete) X(chunk_header) X(chunk_extension_name_complete)                             \
  X(chunk_extension_value_complete) X(chunk_complete) X(message_complete)

#define LENIENT(X)                                                                                 \
  X(headers) X(chunked_length) X(keep_alive) X(transfer_encoding) X(version)                       \
  X(data_after_close) X(optional_lf_after_cr) X(optional_cr_before_lf)                             \
  X(optional_crlf_after_chunk) X(spaces_after_chunk_size) X(header_value_relaxed)

#define FLAGS(X)                                                                                   \
  X(CONNECTION_KEEP_ALIVE) X(CONNECTION_CLOSE) X(CONNECTION_UPGRADE) X(CHUNKED) X(UPGRADE)         \
  X(CONTENT_LENGTH) X(SKIPBODY) X(TRAILING) X(TRANSFER_ENCODING)

enum event {
#define X(NAME) EVENT_##NAME,
  SPANS(X) NOTIFICATIONS(X)
#undef X
  EVENT_skipped_line, EVENT_skipped_line_complete,
};

static const char* const event_names[] = {
#define X(NAME) "on_" #NAME,
  SPANS(X) NOTIFICATIONS(X)
#undef X
  "on_skipped_line", "on_skipped_line_complete",
};

static const struct lenient {
  const char* name;
  void (*set)(llhttp_t*, int);
} lenient_flags[] = {
#define X(NAME) {#NAME, llhttp_set_lenient_##NAME},
  LENIENT(X)
#undef X
};

static const struct {
  unsigned bit;
  const char* name;
} flag_names[] = {
#define X(NAME) {F_##NAME, #NAME},
  FLAGS(X)
#undef X
};

static const struct {
  uint32_t bit;
  const char* name;
} rules[] = {
#define X(VALUE, NAME, WORD) {VALUE, #WORD},
  LLHTTP_EXT_RULE_MAP(X)
#undef X
  {LLHTTP_EXT_STRICT_ALL, "strict_all"},
};

static const struct {
  size_t member;
  const char* name;
} limits[] = {
#define X(NAME, MEMBER) {offsetof(llhttp_ext_t, MEMBER), #NAME},
  LLHTTP_EXT_LIMIT_MAP(X)
#undef X
};

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

/* ---- state ---- */

/* What a notification sees of the parser. */
struct fields {
  unsigned type, method, status, major, minor, flags;
  uint64_t content_length;
  bool upgrade, keep_alive;
};

/* A notification whose offset is not known yet. */
struct pending {
  enum event event;
  struct fields fields;
};

struct options {
  llhttp_type_t type;
  bool lenient[COUNT(lenient_flags)];
  bool extended;       /* a rule or a limit is set */
  uint32_t rules;
  uint64_t limits[COUNT(limits)];
  size_t chunk;        /* bytes per llhttp_execute; 0: all */
  size_t* cuts;        /* offsets at which the input is cut, ascending */
  size_t cut_count;
  bool split_each;     /* one parse for every cut in two */
  bool finish, json, no_pause, ignore_upgrade;
  int headers_result;  /* what on_headers_complete returns: 0, 1 (no body) or 2 (upgrade) */
};

struct trace {
  struct options options;
  const char* data;
  size_t size;
  int width;           /* columns of an offset */
  bool finishing;      /* inside llhttp_finish: a pause would become its result */
  /* At most two wait: on_headers_complete, which cannot pause when it has to return 1 or 2, and the on_message_complete
   * that then follows at the same byte. */
  struct pending pending[2];
  size_t pending_count;
};

/* ---- output ---- */

/* The text of one byte as it is shown; returns its length. */
static size_t escape(unsigned char byte, bool json, char out[8]) {
  switch (byte) {
    case '\r': strcpy(out, "\\r"); return 2;
    case '\n': strcpy(out, "\\n"); return 2;
    case '\t': strcpy(out, "\\t"); return 2;
    case '\\': strcpy(out, "\\\\"); return 2;
    case '"': strcpy(out, "\\\""); return 2;
    default: break;
  }
  if (byte >= 0x20 && byte < 0x7f) {
    out[0] = (char) byte;
    out[1] = '\0';
    return 1;
  }
  return (size_t) snprintf(out, 8, json ? "\\u%04x" : "\\x%02x", byte);
}

static void print_quoted(const char* text, size_t length, bool json) {
  char cell[8];
  putchar('"');
  for (size_t i = 0; i < length; i++) {
    escape((unsigned char) text[i], json, cell);
    fputs(cell, stdout);
  }
  putchar('"');
}

static void json_string(const char* key, const char* value) {
  printf(",\"%s\":", key);
  print_quoted(value, strlen(value), true);
}

static const char* yes_no(bool value) { return value ? "yes" : "no"; }
static const char* true_false(bool value) { return value ? "true" : "false"; }

static const char* type_name(unsigned type) {
  return type == HTTP_REQUEST ? "request" : type == HTTP_RESPONSE ? "response" : "both";
}

static void print_flags(unsigned flags, bool json) {
  bool first = true;
  if (json) fputs(",\"flags\":[", stdout);
  for (size_t i = 0; i < COUNT(flag_names); i++) {
    if ((flags & flag_names[i].bit) == 0) continue;
    if (json) {
      printf("%s\"%s\"", first ? "" : ",", flag_names[i].name);
    } else {
      printf("%s%s", first ? "" : "|", flag_names[i].name);
    }
    first = false;
  }
  if (json) {
    putchar(']');
  } else if (first) {
    putchar('-');
  }
}

static void print_span(struct trace* t, enum event event, const char* at, size_t length) {
  size_t offset = (size_t) (at - t->data);
  if (t->options.json) {
    printf("{\"event\":\"%s\",\"offset\":%zu,\"length\":%zu,\"text\":", event_names[event], offset, length);
    print_quoted(at, length, true);
    puts("}");
  } else {
    printf("%*zu  %*zu  %-*s ", t->width, offset, t->width, length, NAME_WIDTH, event_names[event]);
    print_quoted(at, length, false);
    putchar('\n');
  }
}

static void print_fields_text(enum event event, const struct fields* f) {
  if (event == EVENT_headers_complete) {
    printf(" type=%s", type_name(f->type));
    if (f->type == HTTP_RESPONSE) {
      printf(" status=%u", f->status);
    } else {
      printf(" method=%s", llhttp_method_name((llhttp_method_t) f->method));
    }
    printf(" version=%u.%u flags=", f->major, f->minor);
    print_flags(f->flags, false);
  }
  if (event == EVENT_headers_complete || event == EVENT_chunk_header) {
    printf(" content_length=%" PRIu64, f->content_length);
  }
  if (event == EVENT_headers_complete || event == EVENT_message_complete) {
    printf(" upgrade=%s keep_alive=%s", yes_no(f->upgrade), yes_no(f->keep_alive));
  }
}

static void print_fields_json(enum event event, const struct fields* f) {
  if (event == EVENT_headers_complete) {
    printf(",\"type\":\"%s\"", type_name(f->type));
    if (f->type == HTTP_RESPONSE) {
      printf(",\"status\":%u", f->status);
    } else {
      json_string("method", llhttp_method_name((llhttp_method_t) f->method));
    }
    printf(",\"version\":\"%u.%u\"", f->major, f->minor);
    print_flags(f->flags, true);
  }
  if (event == EVENT_headers_complete || event == EVENT_chunk_header) {
    printf(",\"content_length\":%" PRIu64, f->content_length);
  }
  if (event == EVENT_headers_complete || event == EVENT_message_complete) {
    printf(",\"upgrade\":%s,\"keep_alive\":%s", true_false(f->upgrade), true_false(f->keep_alive));
  }
}

static void print_notification(const struct trace* t, const struct pending* p, bool known, size_t offset) {
  if (t->options.json) {
    printf("{\"event\":\"%s\"", event_names[p->event]);
    if (known) printf(",\"offset\":%zu", offset);
    print_fields_json(p->event, &p->fields);
    puts("}");
    return;
  }
  if (known) {
    printf("%*zu", t->width, offset);
  } else {
    printf("%*s", t->width, "-");
  }
  /* No trailing blanks where nothing follows the name. */
  bool has_fields = p->event == EVENT_headers_complete || p->event == EVENT_chunk_header ||
                    p->event == EVENT_message_complete;
  printf("  %*s  %-*s", t->width, "", has_fields ? NAME_WIDTH : 0, event_names[p->event]);
  print_fields_text(p->event, &p->fields);
  putchar('\n');
}

static void flush_pending(struct trace* t, bool known, size_t offset) {
  for (size_t i = 0; i < t->pending_count; i++) print_notification(t, &t->pending[i], known, offset);
  t->pending_count = 0;
}

/* The line that holds `offset`, in a window of at most `limit` columns, and a caret under that byte. */
static void print_line_with_caret(const struct trace* t, size_t offset, int indent, size_t limit) {
  static const char cut[] = "...";
  char cell[8];
  size_t start = offset, end = offset;
  while (start > 0 && t->data[start - 1] != '\n') start--;
  while (end < t->size && t->data[end] != '\n') end++;
  if (end < t->size) end++;
  if (start == end) {
    printf("%*s(end of input)\n%*s^\n", indent, "", indent, "");
    return;
  }

  /* Where the window opens: the whole line if it fits, else some two thirds of the window before the error. */
  size_t total = 0, before = 0, from = offset, column = 0;
  for (size_t i = start; i < end && total <= limit; i++) total += escape((unsigned char) t->data[i], false, cell);
  size_t lead = total <= limit ? total : limit * 2 / 3;
  while (from > start) {
    size_t width = escape((unsigned char) t->data[from - 1], false, cell);
    if (before + width > lead) break;
    before += width;
    from--;
  }

  printf("%*s", indent, "");
  if (from > start) {
    fputs(cut, stdout);
    before += sizeof(cut) - 1;
    column = sizeof(cut) - 1;
  }
  size_t i = from;
  for (; i < end; i++) {
    size_t width = escape((unsigned char) t->data[i], false, cell);
    if (column + width > limit && i > offset) break;
    fputs(cell, stdout);
    column += width;
  }
  if (i < end) fputs(cut, stdout);
  printf("\n%*s^\n", indent + (int) before, "");
}

static const char* reason_of(const llhttp_t* parser) {
  const char* reason = llhttp_get_error_reason(parser);
  return reason == NULL ? "" : reason;
}

static void print_error(const struct trace* t, const llhttp_t* parser, llhttp_errno_t error, size_t offset) {
  size_t line = 1, line_start = 0;
  for (size_t i = 0; i < offset; i++) {
    if (t->data[i] == '\n') {
      line++;
      line_start = i + 1;
    }
  }
  if (t->options.json) {
    printf("{\"event\":\"error\",\"offset\":%zu,\"errno\":\"%s\"", offset, llhttp_errno_name(error));
    json_string("reason", reason_of(parser));
    printf(",\"line\":%zu,\"column\":%zu}\n", line, offset - line_start + 1);
    return;
  }
  int indent = t->width * 2 + 4;
  printf("%*zu  %*s  error  %s: %s\n", t->width, offset, t->width, "", llhttp_errno_name(error), reason_of(parser));
  printf("%*sline %zu, column %zu\n\n", indent, "", line, offset - line_start + 1);
  print_line_with_caret(t, offset, indent, 72);
}

static void print_upgrade(const struct trace* t, const llhttp_t* parser, llhttp_errno_t error, size_t offset) {
  if (t->options.json) {
    printf("{\"event\":\"upgrade\",\"offset\":%zu,\"errno\":\"%s\"", offset, llhttp_errno_name(error));
    json_string("reason", reason_of(parser));
    printf(",\"rest\":%zu}\n", t->size - offset);
  } else {
    printf("%*zu  %*s  upgrade  %s: %s, %zu bytes follow\n", t->width, offset, t->width, "",
           llhttp_errno_name(error), reason_of(parser), t->size - offset);
  }
}

/* ---- callbacks ---- */

static int span(llhttp_t* parser, enum event event, const char* at, size_t length) {
  print_span(parser->data, event, at, length);
  return HPE_OK;
}

static int notification(llhttp_t* parser, enum event event) {
  struct trace* t = parser->data;
  struct pending* p = &t->pending[t->pending_count++];
  p->event = event;
  p->fields = (struct fields) {
    .type = llhttp_get_type(parser),
    .method = llhttp_get_method(parser),
    .status = (unsigned) llhttp_get_status_code(parser),
    .major = llhttp_get_http_major(parser),
    .minor = llhttp_get_http_minor(parser),
    .flags = parser->flags,
    .content_length = parser->content_length,
    .upgrade = llhttp_get_upgrade(parser) != 0,
    .keep_alive = llhttp_should_keep_alive(parser) != 0,
  };
  int result = event == EVENT_headers_complete ? t->options.headers_result : HPE_OK;
  if (t->options.no_pause) {
    flush_pending(t, false, 0);
  } else if (t->finishing) {
    flush_pending(t, true, t->size);
  } else if (result == HPE_OK) {
    return HPE_PAUSED;
  }
  return result;
}

#define X(NAME)                                                                                    \
  static int on_##NAME(llhttp_t* parser, const char* at, size_t length) {                          \
    return span(parser, EVENT_##NAME, at, length);                                                 \
  }
SPANS(X)
#undef X

#define X(NAME)                                                                                    \
  static int on_##NAME(llhttp_t* parser) { return notification(parser, EVENT_##NAME); }
NOTIFICATIONS(X)
#undef X

static int on_skipped_line(llhttp_t* parser, const char* at, size_t length) {
  return span(parser, EVENT_skipped_line, at, length);
}

static int on_skipped_line_complete(llhttp_t* parser) { return notification(parser, EVENT_skipped_line_complete); }

/* ---- the parse ---- */

static size_t piece_end(const struct options* o, size_t start, size_t size) {
  if (o->chunk != 0 && o->chunk < size - start) return start + o->chunk;
  for (size_t i = 0; i < o->cut_count; i++) {
    if (o->cuts[i] > start && o->cuts[i] < size) return o->cuts[i];
  }
  return size;
}

/* One piece, with every pause on the way. Returns what llhttp_execute said last. */
static llhttp_errno_t feed(struct trace* t, llhttp_t* parser, const char* at, const char* end) {
  for (;;) {
    llhttp_errno_t error = llhttp_execute(parser, at, (size_t) (end - at));
    if (error == HPE_PAUSED_UPGRADE && t->options.ignore_upgrade) {
      at = llhttp_get_error_pos(parser);
      print_upgrade(t, parser, error, (size_t) (at - t->data));
      llhttp_resume_after_upgrade(parser);
    } else if (error == HPE_PAUSED) {
      at = llhttp_get_error_pos(parser);
      flush_pending(t, true, (size_t) (at - t->data));
      llhttp_resume(parser);
    } else {
      return error;
    }
    /* Also with nothing left: callbacks can still be due at the end of the piece. */
  }
}

static int run(struct trace* t) {
  llhttp_settings_t settings;
  llhttp_t parser;
  llhttp_ext_t ext;
  llhttp_settings_init(&settings);
#define X(NAME) settings.on_##NAME = on_##NAME;
  SPANS(X) NOTIFICATIONS(X)
#undef X
  llhttp_init(&parser, t->options.type, &settings);
  parser.data = t;
  for (size_t i = 0; i < COUNT(lenient_flags); i++) {
    if (t->options.lenient[i]) lenient_flags[i].set(&parser, 1);
  }
  if (t->options.extended) {
    llhttp_ext_init(&ext);
    ext.rules = t->options.rules;
    ext.on_skipped_line = on_skipped_line;
    ext.on_skipped_line_complete = on_skipped_line_complete;
    for (size_t i = 0; i < COUNT(limits); i++) {
      memcpy((char*) &ext + limits[i].member, &t->options.limits[i], sizeof(t->options.limits[i]));
    }
    llhttp_ext_attach(&parser, &ext);
  }

  t->finishing = false;
  t->pending_count = 0;
  if (!t->options.json) printf("%*s  %*s  callback\n", t->width, "offset", t->width, "length");

  llhttp_errno_t error = HPE_OK;
  for (size_t start = 0, end; start < t->size && error == HPE_OK; start = end) {
    end = piece_end(&t->options, start, t->size);
    error = feed(t, &parser, t->data + start, t->data + end);
  }
  if (error != HPE_OK) {
    size_t offset = (size_t) (llhttp_get_error_pos(&parser) - t->data);
    flush_pending(t, true, offset);
    if (error == HPE_PAUSED_UPGRADE || error == HPE_PAUSED_H2_UPGRADE) {
      print_upgrade(t, &parser, error, offset);
      return EXIT_OK;
    }
    print_error(t, &parser, error, offset);
    return EXIT_PARSE_ERROR;
  }

  if (t->options.finish) {
    t->finishing = true;
    error = llhttp_finish(&parser);
    if (error != HPE_OK) {
      print_error(t, &parser, error, t->size);
      return EXIT_PARSE_ERROR;
    }
    if (t->options.json) {
      printf("{\"event\":\"finish\",\"offset\":%zu,\"errno\":\"HPE_OK\"}\n", t->size);
    } else {
      printf("%*zu  %*s  finish  HPE_OK\n", t->width, t->size, t->width, "");
    }
  }
  return EXIT_OK;
}

/* One parse for each way to cut the input in two. All should show the same, save for the pieces of the span that is cut. */
static int run_each(struct trace* t) {
  int status = EXIT_OK;
  for (size_t cut = 1; cut < t->size; cut++) {
    if (t->options.json) {
      printf("{\"event\":\"split\",\"offset\":%zu}\n", cut);
    } else {
      printf("%scut at %zu\n", cut == 1 ? "" : "\n", cut);
    }
    t->options.cuts = &cut;
    t->options.cut_count = 1;
    int result = run(t);
    if (result > status) status = result;
  }
  t->options.cuts = NULL;
  return status;
}

/* ---- command line ---- */

static void help(void) {
  puts(
      "Usage: llhttp-trace [OPTION]... [FILE]\n"
      "Parse FILE (standard input if it is - or absent) and print one line per callback.\n"
      "\n"
      "  --type TYPE         request, response or both (the default: decided by the first bytes)\n"
      "  --lenient NAME      set the lenient flag NAME; may be repeated; all sets every one:");
  for (size_t i = 0; i < COUNT(lenient_flags); i++) printf("                        %s\n", lenient_flags[i].name);
  puts("  --rule NAME         set the rule NAME of llhttp_ext.h; may be repeated:");
  for (size_t i = 0; i < COUNT(rules); i++) printf("                        %s\n", rules[i].name);
  puts("  --limit NAME=N      set the limit NAME of llhttp_ext.h; may be repeated:");
  for (size_t i = 0; i < COUNT(limits); i++) printf("                        %s\n", limits[i].name);
  puts(
      "  --chunk N           feed N bytes per llhttp_execute; a span is then printed piece by piece\n"
      "  --split OFFSETS     cut the input at these offsets (ascending, separated by commas)\n"
      "  --split each        parse the input once for every cut in two\n"
      "  --finish            call llhttp_finish at the end of the input\n"
      "  --skip-body         no message has a body, as in answers to HEAD:\n"
      "                      on_headers_complete returns 1\n"
      "  --upgrade           take every message as an upgrade: on_headers_complete returns 2\n"
      "  --ignore-upgrade    go on with llhttp_resume_after_upgrade where the parser stops for an upgrade\n"
      "  --no-pause          print no offset at notifications; it is found by pausing there\n"
      "  --json              print JSON, one object per line\n"
      "  --help              print this and exit\n"
      "  --version           print the version and exit\n"
      "\n"
      "Offsets count from the start of the input. Bytes that are not printable ASCII are shown as \\r, \\n, \\t,\n"
      "\\xNN; in JSON as \\u00NN, so that one code unit stands for one byte and text is never decoded.\n"
      "\n"
      "Exit status: 0 parsed, or stopped at an upgrade; 1 parse error; 2 usage or input/output error.");
}

static void complain(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", program);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

static int usage(void) {
  fprintf(stderr, "Try '%s --help'.\n", program);
  return EXIT_TROUBLE;
}

/* A decimal number from 1 on; *text moves behind it. */
static bool parse_number(const char** text, size_t* number) {
  char* end;
  if (**text < '0' || **text > '9') return false;
  errno = 0;
  unsigned long long value = strtoull(*text, &end, 10);
  if (errno != 0 || value == 0 || value > SIZE_MAX) return false;
  *text = end;
  *number = (size_t) value;
  return true;
}

static bool parse_type(const char* text, llhttp_type_t* type) {
  if (strcmp(text, "request") == 0) *type = HTTP_REQUEST;
  else if (strcmp(text, "response") == 0) *type = HTTP_RESPONSE;
  else if (strcmp(text, "both") == 0) *type = HTTP_BOTH;
  else {
    complain("unknown type '%s'; known: request, response, both", text);
    return false;
  }
  return true;
}

static bool parse_lenient(const char* name, struct options* o) {
  bool all = strcmp(name, "all") == 0, found = all;
  for (size_t i = 0; i < COUNT(lenient_flags); i++) {
    if (!all && strcmp(name, lenient_flags[i].name) != 0) continue;
    o->lenient[i] = true;
    found = true;
  }
  if (!found) {
    fprintf(stderr, "%s: unknown lenient flag '%s'; known:\n", program, name);
    for (size_t i = 0; i < COUNT(lenient_flags); i++) fprintf(stderr, "  %s\n", lenient_flags[i].name);
    fputs("  all\n", stderr);
  }
  return found;
}

/* Without a library that has extensions there are no rules and limits. */
static bool extended(struct options* o) {
  o->extended = llhttp_ext_init != NULL && llhttp_ext_attach != NULL;
  if (!o->extended) complain("this library has no llhttp_ext_init: rules and limits need one that has");
  return o->extended;
}

static bool parse_rule(const char* name, struct options* o) {
  for (size_t i = 0; i < COUNT(rules); i++) {
    if (strcmp(name, rules[i].name) != 0) continue;
    o->rules |= rules[i].bit;
    return extended(o);
  }
  fprintf(stderr, "%s: unknown rule '%s'; known:\n", program, name);
  for (size_t i = 0; i < COUNT(rules); i++) fprintf(stderr, "  %s\n", rules[i].name);
  return false;
}

static bool parse_limit(const char* text, struct options* o) {
  for (size_t i = 0; i < COUNT(limits); i++) {
    size_t length = strlen(limits[i].name), number;
    const char* value = text + length + 1;
    if (strncmp(text, limits[i].name, length) != 0 || text[length] != '=') continue;
    if (!parse_number(&value, &number) || *value != '\0') break;
    o->limits[i] = number;
    return extended(o);
  }
  fprintf(stderr, "%s: --limit needs NAME=N, N being 1 or more, not '%s'; known names:\n", program, text);
  for (size_t i = 0; i < COUNT(limits); i++) fprintf(stderr, "  %s\n", limits[i].name);
  return false;
}

static bool parse_chunk(const char* text, struct options* o) {
  if (parse_number(&text, &o->chunk) && *text == '\0') return true;
  complain("--chunk needs a number of bytes, 1 or more");
  return false;
}

static bool parse_split(const char* text, struct options* o) {
  size_t count = 1;
  for (const char* p = text; *p != '\0'; p++) count += *p == ',';
  free(o->cuts);
  o->cuts = NULL;
  o->cut_count = 0;
  o->split_each = strcmp(text, "each") == 0;
  if (o->split_each) return true;
  o->cuts = malloc(count * sizeof(*o->cuts));
  if (o->cuts == NULL) {
    complain("out of memory");
    return false;
  }
  for (;;) {
    size_t* cut = &o->cuts[o->cut_count];
    if (!parse_number(&text, cut) || (o->cut_count > 0 && cut[0] <= cut[-1])) break;
    o->cut_count++;
    if (*text == '\0') return true;
    if (*text++ != ',') break;
  }
  complain("--split needs each, or offsets, 1 or more, ascending, separated by commas");
  return false;
}

/* Fills *o; returns false with *status set if the program is to end here. */
static bool parse_arguments(int argc, char** argv, struct options* o, const char** path, int* status) {
  enum {
    TYPE, LENIENT_FLAG, RULE, LIMIT, CHUNK, SPLIT, FINISH, SKIP_BODY, UPGRADE, IGNORE_UPGRADE, NO_PAUSE, JSON, VERSION
  };
  static const struct option known[] = {
    {"type", required_argument, NULL, TYPE},
    {"lenient", required_argument, NULL, LENIENT_FLAG},
    {"rule", required_argument, NULL, RULE},
    {"limit", required_argument, NULL, LIMIT},
    {"chunk", required_argument, NULL, CHUNK},
    {"split", required_argument, NULL, SPLIT},
    {"finish", no_argument, NULL, FINISH},
    {"skip-body", no_argument, NULL, SKIP_BODY},
    {"upgrade", no_argument, NULL, UPGRADE},
    {"ignore-upgrade", no_argument, NULL, IGNORE_UPGRADE},
    {"no-pause", no_argument, NULL, NO_PAUSE},
    {"json", no_argument, NULL, JSON},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, VERSION},
    {NULL, 0, NULL, 0},
  };
  *status = EXIT_TROUBLE;
  for (int option; (option = getopt_long(argc, argv, "h", known, NULL)) != -1;) {
    bool good = true;
    switch (option) {
      case TYPE: good = parse_type(optarg, &o->type); break;
      case LENIENT_FLAG: good = parse_lenient(optarg, o); break;
      case RULE: good = parse_rule(optarg, o); break;
      case LIMIT: good = parse_limit(optarg, o); break;
      case CHUNK: good = parse_chunk(optarg, o); break;
      case SPLIT: good = parse_split(optarg, o); break;
      case FINISH: o->finish = true; break;
      case SKIP_BODY: o->headers_result = 1; break;
      case UPGRADE: o->headers_result = 2; break;
      case IGNORE_UPGRADE: o->ignore_upgrade = true; break;
      case NO_PAUSE: o->no_pause = true; break;
      case JSON: o->json = true; break;
      case 'h':
        help();
        *status = EXIT_OK;
        return false;
      case VERSION:
        printf("%s %d.%d.%d\n", program, LLHTTP_VERSION_MAJOR, LLHTTP_VERSION_MINOR, LLHTTP_VERSION_PATCH);
        *status = EXIT_OK;
        return false;
      default:
        *status = usage();
        return false;
    }
    if (!good) return false;
  }
  if (o->chunk != 0 && (o->cut_count != 0 || o->split_each)) {
    complain("--chunk and --split exclude each other");
    return false;
  }
  if (argc - optind > 1) {
    complain("more than one file");
    *status = usage();
    return false;
  }
  *path = optind < argc ? argv[optind] : "-";
  return true;
}

/* All of the file, in memory that the caller frees; NULL after a complaint. */
static char* read_all(const char* path, size_t* size) {
  bool standard = strcmp(path, "-") == 0;
  FILE* file = standard ? stdin : fopen(path, "rb");
  if (file == NULL) {
    complain("cannot open '%s': %s", path, strerror(errno));
    return NULL;
  }
  size_t length = 0, capacity = 1 << 16;
  char* data = malloc(capacity);
  while (data != NULL) {
    length += fread(data + length, 1, capacity - length, file);
    if (length < capacity) break;
    char* larger = capacity > SIZE_MAX / 2 ? NULL : realloc(data, capacity * 2);
    if (larger == NULL) free(data);
    data = larger;
    capacity *= 2;
  }
  if (data == NULL) {
    complain("out of memory");
  } else if (ferror(file)) {
    complain("cannot read '%s': %s", standard ? "standard input" : path, strerror(errno));
    free(data);
    data = NULL;
  }
  if (!standard) fclose(file);
  *size = length;
  return data;
}

int main(int argc, char** argv) {
  struct trace t = {.options = {.type = HTTP_BOTH}};
  const char* path = NULL;
  int status;
  if (parse_arguments(argc, argv, &t.options, &path, &status)) {
    char* data = read_all(path, &t.size);
    status = EXIT_TROUBLE;
    if (data != NULL) {
      t.data = data;
      t.width = snprintf(NULL, 0, "%zu", t.size);
      if (t.width < 6) t.width = 6;
      status = t.options.split_each ? run_each(&t) : run(&t);
      free(data);
    }
  }
  free(t.options.cuts);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    complain("cannot write: %s", strerror(errno));
    status = EXIT_TROUBLE;
  }
  return status;
}
