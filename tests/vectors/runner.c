/* Replays the conformance vectors against the library it is linked with.
 *
 *   runner VECTORS.txt [--whole | --split | --bytes | --sizes | --pauses] [--list] [--only TEXT]
 *
 * VECTORS.txt is made by tests/vectors/convert, whose opening comment describes it. Modes, all of them by default:
 *   --whole   in one piece: events exactly as recorded, span by span
 *   --split   every cut into two pieces
 *   --bytes   byte by byte
 *   --sizes   in pieces of 2, 3, 7 and 16 bytes
 *   --pauses  each notify callback in turn returns HPE_PAUSED: the error position
 * A vector passes when it passes in every mode. --list prints the names only; --only keeps the names that hold TEXT.
 *
 * Each piece lies against an inaccessible page and is overwritten when llhttp_execute has returned, so pointers are
 * translated to offsets at once. */
#include "../c/recorder.h"

#include "../c/guard.h"

#include <errno.h>

enum { MAX_LIST = 64, MAX_INPUT = 1 << 16 };

enum { MODE_WHOLE = 1, MODE_SPLIT = 2, MODE_BYTES = 4, MODE_SIZES = 8, MODE_PAUSES = 16, MODE_ALL = 31 };

/* ---- the vectors ---- */

struct action {
  int set, each;
  size_t count;
  int values[MAX_LIST];
};

struct result {
  int errnum;
  int has_off;
  size_t off;
  char* reason;
};

struct events {
  struct rec_event* e;
  size_t count, room;
};

struct vector {
  char* name;
  int type;
  void (*lenient[16])(llhttp_t*, int);
  size_t lenients;
  struct action actions[REC_KINDS];
  int resume_upgrade;
  int tail;       /* callback of the span that may be delivered before the error, or -1 */
  int whole_only;
  char* input;
  size_t len;
  struct events expect, merged;
  struct result result;
  uint64_t fields[REC_FIELDS + 1];
  int finish, finish_return;
  struct events finish_expect;
  struct result finish_result;
  size_t* pos;
  size_t positions;
};

static const struct {
  const char* name;
  void (*set)(llhttp_t*, int);
} lenient_names[] = {
    {"headers", llhttp_set_lenient_headers},
    {"chunked_length", llhttp_set_lenient_chunked_length},
    {"keep_alive", llhttp_set_lenient_keep_alive},
    {"transfer_encoding", llhttp_set_lenient_transfer_encoding},
    {"version", llhttp_set_lenient_version},
    {"data_after_close", llhttp_set_lenient_data_after_close},
    {"optional_lf_after_cr", llhttp_set_lenient_optional_lf_after_cr},
    {"optional_cr_before_lf", llhttp_set_lenient_optional_cr_before_lf},
    {"optional_crlf_after_chunk", llhttp_set_lenient_optional_crlf_after_chunk},
    {"spaces_after_chunk_size", llhttp_set_lenient_spaces_after_chunk_size},
    {"header_value_relaxed", llhttp_set_lenient_header_value_relaxed},
};

static const struct {
  const char* name;
  int value;
} errno_names[] = {
#define NAME(number, name, text) {"HPE_" #name, number},
    HTTP_ERRNO_MAP(NAME)
#undef NAME
};

static const char* file_name;
static long file_line;

static _Noreturn void broken(const char* what) {
  fprintf(stderr, "%s:%ld: %s\n", file_name, file_line, what);
  exit(2);
}

/* The next word of the line, cut off in place. */
static char* word(char** line) {
  char *s = *line, *end;
  if (s == NULL || *s == '\0') broken("a field is missing");
  end = strchr(s, ' ');
  if (end != NULL) {
    *end = '\0';
    *line = end + 1;
  } else {
    *line = NULL;
  }
  return s;
}

static uint64_t number(const char* s) {
  char* end;
  uint64_t n;
  errno = 0;
  n = strtoull(s, &end, 10);
  if (errno != 0 || *end != '\0' || end == s) broken("not a number");
  return n;
}

static int integer(const char* s) {
  char* end;
  long n = strtol(s, &end, 10);
  if (*end != '\0' || end == s) broken("not a number");
  return (int)n;
}

static int errnum(const char* s) {
  size_t i;
  for (i = 0; i < sizeof errno_names / sizeof *errno_names; i++)
    if (strcmp(errno_names[i].name, s) == 0) return errno_names[i].value;
  return integer(s);
}

static enum rec_kind callback(const char* s) {
  int i;
  for (i = 0; i < REC_KINDS; i++)
    if (strcmp(rec_names[i], s) == 0) return (enum rec_kind)i;
  broken("unknown callback");
}

static char* reason(char* s) {
  if (s != NULL && *s == '=') return strdup(s + 1);
  if (s == NULL || strcmp(s, "-") != 0) broken("not a reason");
  return NULL;
}

static void read_result(struct result* r, char* line) {
  char* off;
  r->errnum = errnum(word(&line));
  off = word(&line);
  r->has_off = strcmp(off, "-") != 0;
  r->off = r->has_off ? (size_t)number(off) : 0;
  r->reason = reason(line);
}

static struct rec_event* add(struct events* list, enum rec_kind kind) {
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 32;
    list->e = realloc(list->e, list->room * sizeof *list->e);
    if (list->e == NULL) abort();
  }
  memset(&list->e[list->count], 0, sizeof *list->e);
  list->e[list->count].kind = kind;
  return &list->e[list->count++];
}

static void read_event(struct events* list, const char* what, char* line) {
  struct rec_event* e;
  size_t i;
  if (strcmp(what, "span") == 0) {
    e = add(list, callback(word(&line)));
    e->off = (size_t)number(word(&line));
    e->len = (size_t)number(word(&line));
  } else if (strcmp(what, "notify") == 0) {
    e = add(list, callback(word(&line)));
    for (i = 0; i < REC_FIELDS; i++) e->fields[i] = number(word(&line));
  } else if (strcmp(what, "pause") == 0 || strcmp(what, "upgrade") == 0) {
    e = add(list, *what == 'p' ? REC_PAUSE : REC_UPGRADE);
    e->off = (size_t)number(word(&line));
    e->reason = reason(line);
  } else {
    broken("unknown record");
  }
}

static int nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  broken("not hexadecimal");
}

static void read_line(struct vector* v, char* line) {
  char* what = word(&line);
  size_t i;
  if (strcmp(what, "type") == 0) {
    v->type = integer(word(&line));
  } else if (strcmp(what, "lenient") == 0) {
    char* name = word(&line);
    for (i = 0; i < sizeof lenient_names / sizeof *lenient_names; i++)
      if (strcmp(lenient_names[i].name, name) == 0) v->lenient[v->lenients++] = lenient_names[i].set;
  } else if (strcmp(what, "action") == 0) {
    struct action* a = &v->actions[callback(word(&line))];
    a->set = 1;
    a->each = strcmp(word(&line), "each") == 0;
    while (line != NULL && a->count < MAX_LIST) a->values[a->count++] = integer(word(&line));
    if (a->count == 0) broken("no value");
  } else if (strcmp(what, "resume-upgrade") == 0) {
    v->resume_upgrade = 1;
  } else if (strcmp(what, "except") == 0) {
    if (strcmp(word(&line), "whole") == 0) v->whole_only = 1;
    else v->tail = (int)callback(word(&line));
  } else if (strcmp(what, "input") == 0) {
    const char* hex = word(&line);
    v->len = strcmp(hex, "-") == 0 ? 0 : strlen(hex) / 2;
    v->input = malloc(v->len + 1);
    if (v->input == NULL || v->len > MAX_INPUT) abort();
    for (i = 0; i < v->len; i++) v->input[i] = (char)(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
    v->input[v->len] = '\0';
  } else if (strcmp(what, "result") == 0) {
    read_result(&v->result, line);
  } else if (strcmp(what, "fields") == 0) {
    for (i = 0; i <= REC_FIELDS; i++) v->fields[i] = number(word(&line));
  } else if (strcmp(what, "finish") == 0) {
    v->finish = 1;
  } else if (strcmp(what, "finished") == 0) {
    v->finish_return = errnum(word(&line));
    read_result(&v->finish_result, line);
  } else if (strcmp(what, "pos") == 0) {
    v->pos = malloc(v->expect.count * sizeof *v->pos + 1);
    if (v->pos == NULL) abort();
    while (line != NULL && v->positions < v->expect.count) v->pos[v->positions++] = (size_t)number(word(&line));
  } else {
    read_event(v->finish ? &v->finish_expect : &v->expect, what, line);
  }
}

static struct vector* read_vectors(const char* path, size_t* count) {
  FILE* f = fopen(path, "r");
  struct vector *list = NULL, *v = NULL;
  char* line = NULL;
  size_t room = 0, n = 0, i, notifies;
  ssize_t len;
  if (f == NULL) {
    perror(path);
    exit(2);
  }
  file_name = path;
  while ((len = getline(&line, &room, f)) >= 0) {
    file_line++;
    if (len > 0 && line[len - 1] == '\n') line[len - 1] = '\0';
    if (strncmp(line, "vector ", 7) == 0) {
      if (v != NULL) broken("the vector before has no end");
      list = realloc(list, (n + 1) * sizeof *list);
      if (list == NULL) abort();
      v = &list[n++];
      memset(v, 0, sizeof *v);
      v->name = strdup(line + 7);
      v->tail = -1;
    } else if (v == NULL) {
      broken("outside of a vector");
    } else if (strcmp(line, "end") == 0) {
      if (v->input == NULL) broken("no input");
      for (notifies = i = 0; i < v->expect.count; i++)
        notifies += v->expect.e[i].kind >= REC_FIRST_NOTIFY && v->expect.e[i].kind < REC_KINDS;
      if (notifies != v->positions) broken("positions and notify events differ in number");
      for (i = 0; i < v->expect.count; i++) *add(&v->merged, REC_PAUSE) = v->expect.e[i];
      v->merged.count = rec_merge(v->merged.e, v->merged.count);
      v = NULL;
    } else {
      read_line(v, line);
    }
  }
  if (v != NULL) broken("the last vector has no end");
  free(line);
  fclose(f);
  *count = n;
  return list;
}

/* ---- one replay ---- */

struct replay {
  struct rec r;
  const struct vector* v;
  size_t calls[REC_KINDS];
  size_t notifies, pause_at; /* the notify invocation, from 1, that returns HPE_PAUSED instead */
  int stop;
  struct result result;
  const char* stale; /* error position as a pointer, to see that it stays */
  struct rec_event* finish_events;
  size_t execute_events; /* events up to here come from execute, the others from finish */
  int finish_return;
  struct result finish_result;
  uint64_t fields[REC_FIELDS + 1];
  const char* complaint;
};

static struct guard guard;

static int action_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  struct replay* p = r->hook_data;
  const struct action* a = &p->v->actions[kind];
  size_t n;
  (void)at;
  if (rec_is_span(kind)) {
    if (len == 0) return 0;
  } else if (++p->notifies == p->pause_at) {
    p->stop = 1;
    return HPE_PAUSED;
  }
  n = p->calls[kind]++;
  if (!a->set) return 0;
  if (a->each) return a->values[0];
  return n < a->count ? a->values[n] : 0;
}

/* Executes input[off, end) to its end, resuming pauses; returns 0 when the parse is over. */
static int drive(struct replay* p, size_t off, size_t end) {
  struct rec* r = &p->r;
  char* piece = guard_at_end(&guard, p->v->input + off, end - off);
  for (;;) {
    size_t from = off;
    const char* pos;
    llhttp_errno_t err = rec_execute(r, piece, end - off, off);
    struct rec_event* e;
    if (err != llhttp_get_errno(&r->parser)) p->complaint = "llhttp_execute and llhttp_get_errno differ";
    pos = llhttp_get_error_pos(&r->parser);
    if (err == HPE_OK) {
      if (pos != p->stale) p->complaint = "error position changed without an error";
      break;
    }
    p->stale = pos;
    p->result.has_off = pos != NULL;
    if (pos == NULL || pos < piece || pos > piece + (end - off)) {
      p->complaint = "error position outside of the data";
      return 0;
    }
    off += (size_t)(pos - piece);
    p->result.off = off;
    if (p->stop) return 0;
    if (err == HPE_PAUSED) {
      e = rec_add(r, REC_PAUSE);
      e->off = off;
      e->reason = llhttp_get_error_reason(&r->parser);
      llhttp_resume(&r->parser);
    } else if (err == HPE_PAUSED_UPGRADE && p->v->resume_upgrade) {
      e = rec_add(r, REC_UPGRADE);
      e->off = off;
      e->reason = llhttp_get_error_reason(&r->parser);
      llhttp_resume_after_upgrade(&r->parser);
    } else {
      return 0;
    }
    piece += off - from;
  }
  memset(guard.end - (end - off), 0xee, end - off);
  return 1;
}

/* cuts: ascending offsets inside of the input. */
static void replay(struct replay* p, const struct vector* v, const size_t* cuts, size_t count, size_t pause_at) {
  size_t i, off = 0;
  memset(p, 0, sizeof *p);
  rec_init(&p->r, (llhttp_type_t)v->type);
  for (i = 0; i < v->lenients; i++) v->lenient[i](&p->r.parser, 1);
  p->v = v;
  p->pause_at = pause_at;
  p->r.hook = action_hook;
  p->r.hook_data = p;
  for (i = 0; i <= count; i++) {
    size_t end = i < count ? cuts[i] : v->len;
    if (!drive(p, off, end)) break;
    off = end;
  }
  p->result.errnum = llhttp_get_errno(&p->r.parser);
  p->result.reason = (char*)llhttp_get_error_reason(&p->r.parser);
  rec_fields(&p->r.parser, p->fields);
  p->fields[REC_FIELDS] = p->r.parser.finish;
  p->execute_events = p->r.count;
  if (v->finish && pause_at == 0) {
    p->finish_return = llhttp_finish(&p->r.parser);
    p->finish_result = p->result;
    p->finish_result.errnum = llhttp_get_errno(&p->r.parser);
    p->finish_result.reason = (char*)llhttp_get_error_reason(&p->r.parser);
    if (llhttp_get_error_pos(&p->r.parser) != p->stale) p->complaint = "llhttp_finish changed the error position";
  }
  if (p->r.strays > 0) p->complaint = "a span lies outside of the data";
}

/* ---- comparison ---- */

static void describe(struct rec_buf* b, const struct rec_event* e) {
  int i;
  rec_printf(b, "%s", rec_names[e->kind]);
  if (rec_is_span(e->kind)) {
    rec_printf(b, " %zu+%zu", e->off, e->len);
  } else if (e->kind >= REC_KINDS) {
    rec_printf(b, " %zu %s", e->off, e->reason ? e->reason : "(null)");
  } else {
    for (i = 0; i < REC_FIELDS; i++) rec_printf(b, " %s=%" PRIu64, rec_field_names[i], e->fields[i]);
  }
}

static int differ_events(struct rec_buf* b, const char* what, const struct rec_event* got, size_t n,
                         const struct rec_event* want, size_t m) {
  size_t i = 0;
  while (i < n && i < m && rec_same(&got[i], &want[i])) i++;
  if (i == n && i == m) return 0;
  rec_printf(b, "%s %zu is ", what, i);
  if (i < n) describe(b, &got[i]);
  else rec_printf(b, "missing");
  rec_printf(b, "\n    want ");
  if (i < m) describe(b, &want[i]);
  else rec_printf(b, "the end");
  return 1;
}

static int differ_result(struct rec_buf* b, const char* what, const struct result* got, const struct result* want) {
  if (got->errnum == want->errnum && got->has_off == want->has_off && (!got->has_off || got->off == want->off) &&
      rec_same_text(got->reason, want->reason))
    return 0;
  rec_printf(b, "%s is %d at %lld, %s\n    want %d at %lld, %s", what, got->errnum,
             got->has_off ? (long long)got->off : -1LL, got->reason ? got->reason : "(null)", want->errnum,
             want->has_off ? (long long)want->off : -1LL, want->reason ? want->reason : "(null)");
  return 1;
}

/* Where the undelivered span of a tail exception begins: found by the replay byte by byte, then the same at any cut.
 * Any cut inside of the span must deliver what lies before it; no other cut may. */
static size_t tail_start;
static int tail_known;

static int take_tail(struct rec_buf* b, const struct vector* v, const struct rec_event* e, size_t* n,
                     const size_t* cuts, size_t count) {
  size_t last = 0, i; /* the last cut before the error position; a cut at that position may come too late */
  int at_error;
  int extra = *n == v->merged.count + 1 && (int)e[*n - 1].kind == v->tail;
  for (i = 0; i < count && cuts[i] < v->result.off; i++) last = cuts[i];
  at_error = i < count && cuts[i] == v->result.off;
  if (extra) {
    const struct rec_event* t = &e[*n - 1];
    size_t end = t->off + t->len;
    if (t->len == 0 || (end != last && !(at_error && end == v->result.off)) || (tail_known && t->off != tail_start)) {
      rec_printf(b, "the open span %zu+%zu does not end at the cut before the error, or begins elsewhere", t->off,
                 t->len);
      return 1;
    }
    if (!tail_known) tail_start = t->off;
    tail_known = 1;
    (*n)--;
  } else if (tail_known && tail_start < last) {
    rec_printf(b, "the open span at %zu was not delivered at the cut", tail_start);
    return 1;
  }
  return 0;
}

/* The first difference, as text in b. */
static int differ(struct rec_buf* b, struct replay* p, const size_t* cuts, size_t count) {
  const struct vector* v = p->v;
  struct rec_event *e = p->r.events, *f = e + p->execute_events;
  size_t n = p->execute_events, m = p->r.count - p->execute_events, i;
  if (p->complaint != NULL) {
    rec_printf(b, "%s", p->complaint);
    return 1;
  }
  if (count == 0) {
    if (differ_events(b, "event", e, n, v->expect.e, v->expect.count)) return 1;
  } else {
    n = rec_merge(e, n);
    if (v->tail >= 0 && take_tail(b, v, e, &n, cuts, count)) return 1;
    if (differ_events(b, "event", e, n, v->merged.e, v->merged.count)) return 1;
  }
  if (differ_result(b, "result", &p->result, &v->result)) return 1;
  for (i = 0; i <= REC_FIELDS; i++) {
    if (p->fields[i] != v->fields[i]) {
      rec_printf(b, "at the end %s is %" PRIu64 ", want %" PRIu64, i < REC_FIELDS ? rec_field_names[i] : "finish",
                 p->fields[i], v->fields[i]);
      return 1;
    }
  }
  if (!v->finish) return 0;
  if (differ_events(b, "finish event", f, m, v->finish_expect.e, v->finish_expect.count)) return 1;
  if (p->finish_return != v->finish_return) {
    rec_printf(b, "llhttp_finish returned %d, want %d", p->finish_return, v->finish_return);
    return 1;
  }
  return differ_result(b, "after llhttp_finish: result", &p->finish_result, &v->finish_result);
}

static int run(const struct vector* v, const size_t* cuts, size_t count, const char* how) {
  struct replay p;
  struct rec_buf b = {NULL, 0, 0};
  int bad;
  replay(&p, v, cuts, count, 0);
  bad = differ(&b, &p, cuts, count);
  if (bad) fprintf(stderr, "%s\n  %s: %s\n", v->name, how, b.s);
  free(b.s);
  rec_free(&p.r);
  return !bad;
}

static int run_sizes(const struct vector* v, size_t size) {
  static size_t cuts[MAX_INPUT];
  size_t count = 0, at;
  char how[40];
  for (at = size; at < v->len; at += size) cuts[count++] = at;
  snprintf(how, sizeof how, "pieces of %zu", size);
  return run(v, cuts, count, how);
}

static int run_pauses(const struct vector* v) {
  size_t i;
  int ok = 1;
  for (i = 0; i < v->positions; i++) {
    struct replay p;
    replay(&p, v, NULL, 0, i + 1);
    if (p.complaint != NULL || p.result.errnum != HPE_PAUSED || !p.result.has_off || p.result.off != v->pos[i]) {
      fprintf(stderr, "%s\n  notify event %zu pauses: %s, error %d at %zu, want 21 at %zu\n", v->name, i,
              p.complaint ? p.complaint : "no complaint", p.result.errnum, p.result.off, v->pos[i]);
      ok = 0;
    }
    rec_free(&p.r);
  }
  return ok;
}

static int run_vector(const struct vector* v, int modes) {
  static const size_t sizes[] = {2, 3, 7, 16};
  size_t i;
  int ok = 1;
  tail_known = 0;
  if (modes & MODE_WHOLE) ok &= run(v, NULL, 0, "whole");
  if (modes & MODE_PAUSES) ok &= run_pauses(v);
  if (v->whole_only) return ok;
  if ((modes & MODE_BYTES) || v->tail >= 0) ok &= run_sizes(v, 1);
  if (modes & MODE_SPLIT) {
    for (i = 1; i < v->len; i++) {
      char how[40];
      snprintf(how, sizeof how, "cut at %zu", i);
      ok &= run(v, &i, 1, how);
    }
  }
  if (modes & MODE_SIZES)
    for (i = 0; i < sizeof sizes / sizeof *sizes; i++) ok &= run_sizes(v, sizes[i]);
  return ok;
}

int main(int argc, char** argv) {
  const char *path = NULL, *only = "";
  int modes = 0, list = 0, i;
  size_t count, n, passed = 0, failed = 0;
  struct vector* v;
  for (i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--whole") == 0) modes |= MODE_WHOLE;
    else if (strcmp(argv[i], "--split") == 0) modes |= MODE_SPLIT;
    else if (strcmp(argv[i], "--bytes") == 0) modes |= MODE_BYTES;
    else if (strcmp(argv[i], "--sizes") == 0) modes |= MODE_SIZES;
    else if (strcmp(argv[i], "--pauses") == 0) modes |= MODE_PAUSES;
    else if (strcmp(argv[i], "--list") == 0) list = 1;
    else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) only = argv[++i];
    else path = argv[i];
  }
  if (path == NULL) {
    fprintf(stderr, "usage: runner VECTORS.txt [--whole|--split|--bytes|--sizes|--pauses] [--list] [--only TEXT]\n");
    return 2;
  }
  if (modes == 0) modes = MODE_ALL;
  v = read_vectors(path, &count);
  guard = guard_new(MAX_INPUT);
  for (n = 0; n < count; n++) {
    if (strstr(v[n].name, only) == NULL) continue;
    if (list) printf("%s\n", v[n].name);
    else if (run_vector(&v[n], modes)) passed++;
    else failed++;
  }
  if (list) return 0;
  printf("%zu passed, %zu failed\n", passed, failed);
  return failed != 0 || passed == 0;
}
