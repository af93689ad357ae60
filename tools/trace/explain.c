/* Which flags would let an input pass is not looked up but tried: the input is parsed again, without callbacks, with
 * each set of flags, the small ones first. A set is not tried on top of a smaller one that does, so all that is told is
 * needed. If none takes the whole input, those are told that take it past this error, with what stops it then, maybe at
 * the same byte.
 */
#include "explain.h"

#include <stdio.h>
#include <string.h>

#include "complain.h"
#include "escape.h"
#include "wrap.h"

/* More flags than these at once are no explanation. */
enum { MAX_FLAGS = 3, MAX_SETS = 16 };

static const struct {
  const char *name, *rule, *risk;
} flags[LENIENT_COUNT] = {
#define X(NAME, SETTER, RULE, RISK) {#NAME, RULE, RISK},
    LENIENT_FLAGS(X)
#undef X
};

struct rule {
  llhttp_errno_t error;
  const char* reason; /* NULL: whatever it is */
  int status;
  const char *section, *text;
};

static const struct rule rules[] = {
#define X(ERRNO, REASON, STATUS, SECTION, RULE) {ERRNO, REASON, STATUS, SECTION, RULE},
    REASONS(X)
#undef X
#define X(ERRNO, STATUS, RULE, ADVICE) {ERRNO, NULL, STATUS, NULL, RULE},
        ERRNOS(X)
#undef X
};

static const struct rule* rule_of(const struct result* r) {
  for (size_t i = 0; i < COUNT(rules); i++) {
    if (rules[i].error != r->error) continue;
    if (rules[i].reason == NULL || strcmp(rules[i].reason, r->reason) == 0) return &rules[i];
  }
  return NULL;
}

static const char* advice_of(llhttp_errno_t error) {
  switch ((int)error) {
#define X(ERRNO, STATUS, RULE, ADVICE) case ERRNO: return ADVICE;
    ERRNOS(X)
#undef X
    default: return "";
  }
}

/* Sets of flags, as bits, that are told, and what a parse with each ends in. */
struct found {
  bool whole; /* the whole input is taken */
  unsigned sets[MAX_SETS];
  struct result results[MAX_SETS];
  size_t count;
};

static int size_of(unsigned set) {
  int size = 0;
  for (; set != 0; set &= set - 1) size++;
  return size;
}

static bool has_part(const struct found* f, unsigned set) {
  for (size_t i = 0; i < f->count; i++) {
    if ((f->sets[i] & set) == f->sets[i]) return true;
  }
  return false;
}

static void add(struct found* f, unsigned set, const struct result* r) {
  if (f->count == MAX_SETS || has_part(f, set)) return;
  f->sets[f->count] = set;
  f->results[f->count++] = *r;
}

/* The smallest sets with which the whole input is taken; else the smallest that take it past the error. */
static struct found try_flags(const struct output* o, const struct parse_options* options,
                              const struct result* failed) {
  struct found whole = {.whole = true}, further = {.whole = false};
  unsigned given = 0;
  for (size_t i = 0; i < LENIENT_COUNT; i++) given |= (unsigned)options->lenient[i] << i;
  for (int size = 1; size <= MAX_FLAGS && whole.count == 0; size++) {
    for (unsigned set = 1; set < 1u << LENIENT_COUNT; set++) {
      if ((set & given) != 0 || size_of(set) != size) continue;
      struct parse_options trial = *options;
      for (size_t i = 0; i < LENIENT_COUNT; i++) {
        if ((set >> i & 1) != 0) trial.lenient[i] = true;
      }
      struct result r = parse(&linked_library, &trial, o->data, o->size, NULL, NULL);
      if (!result_is_error(&r)) {
        add(&whole, set, &r);
      } else if (r.offset > failed->offset ||
                 (r.offset == failed->offset && (r.error != failed->error || strcmp(r.reason, failed->reason) != 0))) {
        add(&further, set, &r);
      }
    }
  }
  return whole.count != 0 ? whole : further;
}

static void name_set(unsigned set, char names[256]) {
  *names = '\0';
  for (size_t i = 0; i < LENIENT_COUNT; i++) {
    if ((set >> i & 1) == 0) continue;
    if (*names != '\0') strcat(names, " + ");
    strcat(names, flags[i].name);
  }
}

static void explain_text(const struct output* o, const struct result* failed, const struct rule* rule,
                         const struct found* found) {
  int indent = output_indent(o);
  char text[512], names[256];
  putchar('\n');
  if (rule->section != NULL) {
    snprintf(text, sizeof(text), "%s. %s", rule->section, rule->text);
    print_wrapped(indent, "rule", text);
  } else {
    print_wrapped(indent, "meaning", rule->text);
  }
  if (rule->status != 0) {
    /* What refuses a response is no answer to it. */
    snprintf(text, sizeof(text), "%d %s, if this is a request", rule->status,
             llhttp_status_name((llhttp_status_t)rule->status));
    print_wrapped(indent, "answer", text);
  }
  print_wrapped(indent, "advice", advice_of(failed->error));
  if (found->count == 0) print_wrapped(indent, "lenient", "no lenient flag accepts this");
  for (size_t i = 0; i < found->count; i++) {
    const struct result* r = &found->results[i];
    name_set(found->sets[i], names);
    if (found->whole) {
      snprintf(text, sizeof(text), "%s accepts the input", names);
    } else {
      snprintf(text, sizeof(text), "%s gets past this; then, at %zu, %s: %s", names, r->offset,
               llhttp_errno_name(r->error), r->reason);
    }
    print_wrapped(indent, i == 0 ? "lenient" : "", text);
  }
  unsigned named = 0;
  for (size_t i = 0; i < found->count; i++) named |= found->sets[i];
  for (size_t i = 0; i < LENIENT_COUNT; i++) {
    if ((named >> i & 1) == 0) continue;
    print_wrapped(indent, "flag", flags[i].name);
    print_wrapped(indent, "accepts", flags[i].rule);
    print_wrapped(indent, "risk", flags[i].risk);
  }
}

static void explain_json(const struct result* failed, const struct rule* rule, const struct found* found) {
  printf("{\"event\":\"explanation\",\"offset\":%zu,\"errno\":\"%s\",\"section\":", failed->offset,
         llhttp_errno_name(failed->error));
  if (rule->section != NULL) {
    print_quoted_string(rule->section, true);
  } else {
    fputs("null", stdout);
  }
  fputs(",\"rule\":", stdout);
  print_quoted_string(rule->text, true);
  if (rule->status != 0) {
    printf(",\"status\":%d", rule->status);
  } else {
    fputs(",\"status\":null", stdout);
  }
  fputs(",\"advice\":", stdout);
  print_quoted_string(advice_of(failed->error), true);
  printf(",\"accepts\":%s,\"lenient\":[", found->count != 0 && found->whole ? "true" : "false");
  for (size_t i = 0; i < found->count; i++) {
    const char* separator = "";
    fputs(i == 0 ? "[" : ",[", stdout);
    for (size_t j = 0; j < LENIENT_COUNT; j++) {
      if ((found->sets[i] >> j & 1) == 0) continue;
      printf("%s\"%s\"", separator, flags[j].name);
      separator = ",";
    }
    putchar(']');
  }
  puts("]}");
}

void explain(const struct output* o, const struct parse_options* options, const struct result* failed) {
  /* A callback that refuses has an errno; one of another library may have none here. */
  static const struct rule unknown = {HPE_OK, NULL, 0, NULL, "an error that llhttp does not have"};
  const struct rule* rule = rule_of(failed);
  if (rule == NULL) rule = &unknown;
  struct found found = try_flags(o, options, failed);
  if (o->json) {
    explain_json(failed, rule, &found);
  } else {
    explain_text(o, failed, rule, &found);
  }
}
