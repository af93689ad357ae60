/* What a callback sees of the parser: the members that llhttp.h lists, at every callback, spans included, and at any split.
 * A log names each callback and, in braces, the members that have changed since the callback before. */
#include "check.h"
#include "recorder.h"

enum { SEEN = REC_FIELDS + 1 }; /* and the finish state */

struct seen {
  struct rec_buf log;
  uint64_t last[SEEN];
};

static int see(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  struct seen* s = r->hook_data;
  uint64_t now[SEEN];
  int i, changed = 0;
  rec_fields(&r->parser, now);
  now[REC_FIELDS] = r->parser.finish;
  rec_printf(&s->log, "%s%s", s->log.len > 0 ? " " : "", rec_names[kind] + 3);
  if (rec_is_span(kind)) {
    rec_printf(&s->log, "=");
    rec_bytes(&s->log, at, len);
  }
  for (i = 0; i < SEEN; i++) {
    if (now[i] == s->last[i]) continue;
    rec_printf(&s->log, "%c%s:%" PRIu64, changed++ ? ',' : '{', i < REC_FIELDS ? rec_field_names[i] : "finish", now[i]);
  }
  if (changed) rec_printf(&s->log, "}");
  memcpy(s->last, now, sizeof now);
  return 0;
}

static const struct {
  const char* name;
  llhttp_type_t type;
  const char* input;
  size_t size; /* of the pieces */
  const char* log;
} cases[] = {
#include "fields_expect.h"
};

static char* watch(size_t i) {
  const char* input = cases[i].input;
  size_t len = strlen(input), off, size = cases[i].size ? cases[i].size : len;
  struct seen s = {{NULL, 0, 0}, {0}};
  struct rec r;
  rec_init(&r, cases[i].type);
  r.hook = see;
  r.hook_data = &s;
  for (off = 0; off < len; off += size) {
    size_t n = len - off < size ? len - off : size;
    if (rec_execute(&r, input + off, n, off) != HPE_OK) break;
  }
  rec_printf(&s.log, " end %d", (int)llhttp_get_errno(&r.parser));
  rec_free(&r);
  return s.log.s;
}

int main(void) {
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    char* log = watch(i);
    check_about = cases[i].name;
    CHECK_STR(log, cases[i].log);
    free(log);
  }
  check_about = "";
  return check_done();
}
