/* Every option is checked before anything is read: a complaint comes with exit status 2 and no output. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"

static const char* const lenient_names[LENIENT_COUNT] = {
#define X(NAME, SETTER, RULE, RISK) #NAME,
    LENIENT_FLAGS(X)
#undef X
};

static const struct {
  uint32_t bits;
  const char* name;
} rules[] = {
#define X(VALUE, NAME, WORD) {VALUE, #WORD},
    LLHTTP_EXT_RULE_MAP(X)
#undef X
        {LLHTTP_EXT_STRICT_ALL, "strict_all"},
};

static const char* const limit_names[LIMIT_COUNT] = {
#define X(NAME, MEMBER) #NAME,
    LLHTTP_EXT_LIMIT_MAP(X)
#undef X
};

static void help(void) {
  puts("Usage: " PROGRAM
       " [OPTION]... [FILE]...\n"
       "Parse each FILE (standard input if there is none, or for -) as the bytes of one\n"
       "direction of an HTTP/1 connection, and print one line per callback.\n"
       "\n"
       "The input:\n"
       "  --type TYPE         request, response or both (the default: decided by the\n"
       "                      first bytes)\n"
       "  --lenient NAME      set the lenient flag NAME; may be repeated; all sets every\n"
       "                      one:");
  for (size_t i = 0; i < LENIENT_COUNT; i++) printf("                        %s\n", lenient_names[i]);
  puts("  --rule NAME         set the rule NAME of llhttp_ext.h; may be repeated:");
  for (size_t i = 0; i < COUNT(rules); i++) printf("                        %s\n", rules[i].name);
  puts("  --limit NAME=N      set the limit NAME of llhttp_ext.h; may be repeated:");
  for (size_t i = 0; i < LIMIT_COUNT; i++) printf("                        %s\n", limit_names[i]);
  puts(
      "  --pieces N          feed N bytes per llhttp_execute; a span is then printed\n"
      "                      piece by piece (--chunk N is the same)\n"
      "  --split OFFSETS     cut the input at these offsets (ascending, separated by\n"
      "                      commas)\n"
      "  --split each        parse the input once for every cut in two\n"
      "  --finish            call llhttp_finish at the end of the input\n"
      "  --skip-body         no message has a body, as in answers to HEAD:\n"
      "                      on_headers_complete returns 1\n"
      "  --upgrade           take every message as an upgrade: on_headers_complete\n"
      "                      returns 2\n"
      "  --ignore-upgrade    go on with llhttp_resume_after_upgrade where the parser\n"
      "                      stops for an upgrade\n"
      "  --no-pause          print no offset at notifications; it is found by pausing\n"
      "                      there\n"
      "\n"
      "What is printed:\n"
      "  --explain           below an error: the rule that is broken and its section,\n"
      "                      what to answer, and the lenient flags that would accept\n"
      "                      the input, found by trying them\n"
      "  --diff LIB.so       instead of events: parse with the llhttp 9.4 library\n"
      "                      LIB.so, too, and show the first difference\n"
      "  --stats             instead of events: counts and throughput of all inputs,\n"
      "                      which may be of any size; a progress bar on standard error\n"
      "                      if that is a terminal and a file is large\n"
      "  --json              print JSON, one object per line\n"
      "  --color WHEN        auto (the default: on a terminal, unless NO_COLOR is set),\n"
      "                      always or never\n"
      "  --help              print this and exit\n"
      "  --version           print the version and exit\n"
      "\n"
      "Offsets count from the start of the input. Bytes that are not printable ASCII\n"
      "are shown as \\r, \\n, \\t, \\xNN; in JSON as \\u00NN, so that one code unit stands\n"
      "for one byte and text is never decoded.\n"
      "\n"
      "Exit status: 0 parsed, or stopped at an upgrade; 1 parse error; 2 usage or\n"
      "input/output error; 3 the libraries differ. With --diff a parse error that both\n"
      "libraries have alike is 0. From several inputs 2 counts first, then the greatest.");
}

static int usage(void) {
  fprintf(stderr, "Try '%s --help'.\n", PROGRAM);
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
  *number = (size_t)value;
  return true;
}

static bool parse_type(const char* text, llhttp_type_t* type) {
  if (strcmp(text, "request") == 0) {
    *type = HTTP_REQUEST;
  } else if (strcmp(text, "response") == 0) {
    *type = HTTP_RESPONSE;
  } else if (strcmp(text, "both") == 0) {
    *type = HTTP_BOTH;
  } else {
    complain("unknown type '%s'; known: request, response, both", text);
    return false;
  }
  return true;
}

static bool parse_color(const char* text, enum color* color) {
  static const char* const names[] = {[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};
  for (size_t i = 0; i < COUNT(names); i++) {
    if (strcmp(text, names[i]) != 0) continue;
    *color = (enum color)i;
    return true;
  }
  complain("--color needs auto, always or never, not '%s'", text);
  return false;
}

static bool parse_lenient(const char* name, struct parse_options* o) {
  bool all = strcmp(name, "all") == 0, found = all;
  for (size_t i = 0; i < LENIENT_COUNT; i++) {
    if (!all && strcmp(name, lenient_names[i]) != 0) continue;
    o->lenient[i] = true;
    found = true;
  }
  if (!found) {
    complain("unknown lenient flag '%s'; known:", name);
    for (size_t i = 0; i < LENIENT_COUNT; i++) fprintf(stderr, "  %s\n", lenient_names[i]);
    fputs("  all\n", stderr);
  }
  return found;
}

/* Without a library that has extensions there are no rules and limits. */
static bool extend(struct parse_options* o) {
  o->extended = library_has_extensions(&linked_library);
  if (!o->extended) complain("this library has no llhttp_ext_init: rules and limits need one that has");
  return o->extended;
}

static bool parse_rule(const char* name, struct parse_options* o) {
  for (size_t i = 0; i < COUNT(rules); i++) {
    if (strcmp(name, rules[i].name) != 0) continue;
    o->rules |= rules[i].bits;
    return extend(o);
  }
  complain("unknown rule '%s'; known:", name);
  for (size_t i = 0; i < COUNT(rules); i++) fprintf(stderr, "  %s\n", rules[i].name);
  return false;
}

static bool parse_limit(const char* text, struct parse_options* o) {
  for (size_t i = 0; i < LIMIT_COUNT; i++) {
    size_t length = strlen(limit_names[i]), number;
    if (strncmp(text, limit_names[i], length) != 0 || text[length] != '=') continue;
    const char* value = text + length + 1;
    if (!parse_number(&value, &number) || *value != '\0') break;
    o->limits[i] = number;
    return extend(o);
  }
  complain("--limit needs NAME=N, N being 1 or more, not '%s'; known names:", text);
  for (size_t i = 0; i < LIMIT_COUNT; i++) fprintf(stderr, "  %s\n", limit_names[i]);
  return false;
}

static bool parse_pieces(const char* text, struct parse_options* o) {
  if (parse_number(&text, &o->piece) && *text == '\0') return true;
  complain("--pieces needs a number of bytes, 1 or more");
  return false;
}

static bool parse_split(const char* text, struct options* o) {
  size_t count = 1;
  for (const char* p = text; *p != '\0'; p++) count += *p == ',';
  free(o->cuts);
  o->cuts = NULL;
  o->parse.cut_count = 0;
  o->split_each = strcmp(text, "each") == 0;
  if (o->split_each) return true;
  o->cuts = malloc(count * sizeof(*o->cuts));
  if (o->cuts == NULL) {
    complain("out of memory");
    return false;
  }
  for (;;) {
    size_t* cut = &o->cuts[o->parse.cut_count];
    if (!parse_number(&text, cut) || (o->parse.cut_count > 0 && cut[0] <= cut[-1])) break;
    o->parse.cut_count++;
    if (*text == '\0') return true;
    if (*text++ != ',') break;
  }
  complain("--split needs each, or offsets, 1 or more, ascending, separated by commas");
  return false;
}

/* Options that have no sense together. */
static bool agree(const struct options* o) {
  bool split = o->parse.cut_count != 0 || o->split_each;
  const char* pair = NULL;
  if (o->parse.piece != 0 && split) pair = "--pieces and --split";
  if (o->stats && split) pair = "--stats and --split";
  if (o->stats && o->explain) pair = "--stats and --explain";
  if (o->stats && o->other != NULL) pair = "--stats and --diff";
  if (o->explain && o->other != NULL) pair = "--explain and --diff";
  if (pair != NULL) complain("%s exclude each other", pair);
  return pair == NULL;
}

bool options_parse(int argc, char** argv, struct options* o, int* status) {
  enum {
    TYPE,
    LENIENT,
    RULE,
    LIMIT,
    PIECES,
    SPLIT,
    FINISH,
    SKIP_BODY,
    UPGRADE,
    IGNORE_UPGRADE,
    NO_PAUSE,
    EXPLAIN,
    DIFF,
    STATS,
    JSON,
    COLOR,
    VERSION
  };
  static const struct option known[] = {
      {"type", required_argument, NULL, TYPE},
      {"lenient", required_argument, NULL, LENIENT},
      {"rule", required_argument, NULL, RULE},
      {"limit", required_argument, NULL, LIMIT},
      {"pieces", required_argument, NULL, PIECES},
      {"chunk", required_argument, NULL, PIECES},
      {"split", required_argument, NULL, SPLIT},
      {"finish", no_argument, NULL, FINISH},
      {"skip-body", no_argument, NULL, SKIP_BODY},
      {"upgrade", no_argument, NULL, UPGRADE},
      {"ignore-upgrade", no_argument, NULL, IGNORE_UPGRADE},
      {"no-pause", no_argument, NULL, NO_PAUSE},
      {"explain", no_argument, NULL, EXPLAIN},
      {"diff", required_argument, NULL, DIFF},
      {"stats", no_argument, NULL, STATS},
      {"json", no_argument, NULL, JSON},
      {"color", required_argument, NULL, COLOR},
      {"help", no_argument, NULL, 'h'},
      {"version", no_argument, NULL, VERSION},
      {NULL, 0, NULL, 0},
  };
  static const char* const standard_input[] = {"-"};
  *o = (struct options){.parse = {.type = HTTP_BOTH}, .color = COLOR_AUTO};
  *status = EXIT_TROUBLE;
  for (int option; (option = getopt_long(argc, argv, "h", known, NULL)) != -1;) {
    bool good = true;
    switch (option) {
      case TYPE: good = parse_type(optarg, &o->parse.type); break;
      case LENIENT: good = parse_lenient(optarg, &o->parse); break;
      case RULE: good = parse_rule(optarg, &o->parse); break;
      case LIMIT: good = parse_limit(optarg, &o->parse); break;
      case PIECES: good = parse_pieces(optarg, &o->parse); break;
      case SPLIT: good = parse_split(optarg, o); break;
      case FINISH: o->parse.finish = true; break;
      case SKIP_BODY: o->parse.headers_result = 1; break;
      case UPGRADE: o->parse.headers_result = 2; break;
      case IGNORE_UPGRADE: o->parse.ignore_upgrade = true; break;
      case NO_PAUSE: o->parse.no_pause = true; break;
      case EXPLAIN: o->explain = true; break;
      case DIFF: o->other = optarg; break;
      case STATS: o->stats = true; break;
      case JSON: o->json = true; break;
      case COLOR: good = parse_color(optarg, &o->color); break;
      case 'h':
        help();
        *status = EXIT_PARSED;
        return false;
      case VERSION:
        printf("%s %d.%d.%d\n", PROGRAM, LLHTTP_VERSION_MAJOR, LLHTTP_VERSION_MINOR, LLHTTP_VERSION_PATCH);
        *status = EXIT_PARSED;
        return false;
      default: *status = usage(); return false;
    }
    if (!good) return false;
  }
  if (!agree(o)) return false;
  o->parse.cuts = o->cuts;
  o->paths = optind < argc ? (const char* const*)argv + optind : standard_input;
  o->path_count = optind < argc ? (size_t)(argc - optind) : 1;
  return true;
}

void options_free(struct options* o) {
  free(o->cuts);
  o->cuts = NULL;
}
