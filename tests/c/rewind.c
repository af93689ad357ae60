/* Callbacks that interfere in the middle of a long run of events: they stop it, change lenient flags, fields or
 * settings, pause, reset or initialise the parser, or parse with another one. What was already parsed ahead, if
 * anything was, must never show.
 *
 *   rewind                       all checks
 *   rewind --record              the table of rewind_expect.h, as this library behaves
 *   rewind --dump MESSAGE MEDDLE the logs behind one line of that table, to compare two libraries */
#include "check.h"
#include "recorder.h"

/* ---- a header section of 200 lines, stopped anywhere ---- */

enum { LINES = 200 };

struct line {
  size_t name, name_len, value, value_len;
};

struct section {
  char* input;
  size_t len;
  struct line lines[LINES];
  size_t bad[4], bads; /* lines whose value holds a byte that only lenient parsers take */
};

static void section_make(struct section* s) {
  struct rec_buf b = {NULL, 0, 0};
  size_t k, i;
  rec_printf(&b, "GET /long HTTP/1.1\r\n");
  for (k = 0; k < LINES; k++) {
    int bad = 0;
    for (i = 0; i < s->bads; i++) bad |= s->bad[i] == k;
    s->lines[k].name = b.len;
    s->lines[k].name_len = (size_t)snprintf(NULL, 0, "N%zu%.*s", k, (int)(k % 13), "-abcdefghijkl");
    rec_printf(&b, "N%zu%.*s: ", k, (int)(k % 13), "-abcdefghijkl");
    s->lines[k].value = b.len;
    rec_printf(&b, "v%zu%s%.*s\r\n", k, bad ? "\1" : "", (int)(k % 29), "/0123456789012345678901234567");
    s->lines[k].value_len = b.len - 2 - s->lines[k].value;
  }
  rec_printf(&b, "\r\n");
  s->input = b.s;
  s->len = b.len;
}

static size_t bad_offset(const struct section* s, size_t k) {
  return (size_t)((char*)memchr(s->input + s->lines[k].value, 1, s->lines[k].value_len) - s->input);
}

/* Error position when the callback of that kind stops the parse in line k. */
static size_t stop_offset(const struct section* s, enum rec_kind kind, size_t k) {
  switch (kind) {
    case REC_on_header_field:
    case REC_on_header_field_complete: return s->lines[k].name + s->lines[k].name_len + 1;
    case REC_on_header_value: return s->lines[k].value + s->lines[k].value_len + 1;
    default: return s->lines[k].value + s->lines[k].value_len + 2;
  }
}

static const enum rec_kind line_kinds[] = {REC_on_header_field, REC_on_header_field_complete, REC_on_header_value,
                                           REC_on_header_value_complete};

struct at_line {
  enum rec_kind kind;
  size_t line;
  int value;
  void (*act)(struct rec* r);
};

struct plan {
  struct at_line at[2];
  size_t seen[REC_KINDS];
  int fired;
};

/* Pieces of a span count as one invocation, the first. */
static int plan_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  struct plan* p = r->hook_data;
  const struct rec_event* e = &r->events[r->count - 1];
  int value = 0;
  size_t i;
  (void)at, (void)len;
  if (rec_is_span(kind) && r->count > 1 && e[-1].kind == kind) return 0;
  for (i = 0; i < 2; i++) {
    if ((p->at[i].act != NULL || p->at[i].value != 0) && p->at[i].kind == kind && p->at[i].line == p->seen[kind]) {
      if (p->at[i].act != NULL) p->at[i].act(r);
      value = p->at[i].value;
      p->fired++;
    }
  }
  p->seen[kind]++;
  return value;
}

static char about[160];
static void busy(const char* what, size_t k, size_t kind) {
  snprintf(about, sizeof about, "%s, line %zu, %s", what, k, rec_names[kind]);
  check_about = about;
}

static size_t events_before(enum rec_kind kind, size_t k) {
  size_t i = 0;
  while (line_kinds[i] != kind) i++;
  return 9 + 4 * k + i; /* message_begin, method, url, protocol, version with their completions; then four a line */
}

static void stops(void) {
  static const int values[] = {HPE_PAUSED, HPE_USER};
  static struct section s;
  struct rec calm;
  size_t k, n, v, i;
  section_make(&s);
  rec_init(&calm, HTTP_REQUEST);
  CHECK_INT(rec_execute(&calm, s.input, s.len, 0), HPE_OK);
  CHECK_INT(calm.count, 9 + 4 * LINES + 2);
  for (k = 0; k < LINES; k++) {
    const struct rec_event* e = &calm.events[9 + 4 * k];
    CHECK(e[0].off == s.lines[k].name && e[0].len == s.lines[k].name_len);
    CHECK(e[2].off == s.lines[k].value && e[2].len == s.lines[k].value_len);
  }
  for (k = 0; k < LINES; k++) {
    for (n = 0; n < 4; n++) {
      for (v = 0; v < 2; v++) {
        struct plan p = {{{line_kinds[n], k, values[v], NULL}, {REC_on_reset, 0, 0, NULL}}, {0}, 0};
        size_t count = events_before(line_kinds[n], k) + 1, pos = stop_offset(&s, line_kinds[n], k);
        struct rec r;
        int err = values[v];
        busy("stop", k, line_kinds[n]);
        if (err == HPE_USER && line_kinds[n] == REC_on_header_field_complete) err = HPE_CB_HEADER_FIELD_COMPLETE;
        if (err == HPE_USER && line_kinds[n] == REC_on_header_value_complete) err = HPE_CB_HEADER_VALUE_COMPLETE;
        rec_init(&r, HTTP_REQUEST);
        r.hook = plan_hook;
        r.hook_data = &p;
        CHECK_INT((int)rec_execute(&r, s.input, s.len, 0), err);
        CHECK_INT(r.count, count);
        CHECK_INT(llhttp_get_error_pos(&r.parser) - s.input, pos);
        for (i = 0; i < count; i++)
          if (!CHECK(rec_same(&r.events[i], &calm.events[i]))) break;
        if (err == HPE_PAUSED) {
          llhttp_resume(&r.parser);
          CHECK_INT((int)rec_execute(&r, s.input + pos, s.len - pos, pos), HPE_OK);
          CHECK_INT(r.count, calm.count);
          for (i = 0; i < r.count && i < calm.count; i++)
            if (!CHECK(rec_same(&r.events[i], &calm.events[i]))) break;
        } else {
          CHECK_INT((int)rec_execute(&r, s.input + pos, s.len - pos, pos), err);
          CHECK_INT(r.count, count);
        }
        rec_free(&r);
      }
    }
  }
  rec_free(&calm);
  free(s.input);
}

static void lenient_on(struct rec* r) { llhttp_set_lenient_headers(&r->parser, 1); }
static void lenient_off(struct rec* r) { llhttp_set_lenient_headers(&r->parser, 0); }
static void relaxed_on(struct rec* r) { r->parser.lenient_flags |= LENIENT_HEADER_VALUE_RELAXED; }
static void relaxed_off(struct rec* r) { r->parser.lenient_flags &= (uint16_t)~LENIENT_HEADER_VALUE_RELAXED; }

/* Line k + 1 needs the lenient flag, line k + 3 meets the parser without it again: an error at its odd byte. */
static void toggles(void) {
  size_t k, n, size, way;
  for (k = 0; k + 3 < LINES; k += k < 20 ? 1 : 7) {
    static struct section s;
    s.bad[0] = k + 1;
    s.bad[1] = k + 3;
    s.bads = 2;
    section_make(&s);
    for (way = 0; way < 2; way++) {
      for (n = 0; n < 6; n++) {
        enum rec_kind on_kind = line_kinds[n % 4];
        size_t on_line = n < 4 ? k : k + 1;
        enum rec_kind off_kind = n % 2 ? REC_on_header_value : REC_on_header_value_complete;
        for (size = 1; size <= s.len; size = size == 1 ? 61 : size == 61 ? s.len : s.len + 1) {
          struct plan p = {{{on_kind, on_line, 0, way ? relaxed_on : lenient_on},
                            {off_kind, k + 1 + n % 2, 0, way ? relaxed_off : lenient_off}},
                           {0},
                           0};
          size_t off, odd = bad_offset(&s, k + 3), count, i;
          int err = HPE_OK;
          struct rec r;
          busy("lenient on and off", k, on_kind);
          rec_init(&r, HTTP_REQUEST);
          r.hook = plan_hook;
          r.hook_data = &p;
          for (off = 0; off < s.len && err == HPE_OK; off += size)
            err = rec_execute(&r, s.input + off, s.len - off < size ? s.len - off : size, off);
          CHECK_INT(err, HPE_INVALID_HEADER_TOKEN);
          CHECK_STR(llhttp_get_error_reason(&r.parser), "Invalid header value char");
          CHECK_INT(llhttp_get_error_pos(&r.parser) - s.input, odd);
          CHECK_INT(p.fired, 2);
          count = rec_merge(r.events, r.count);
          /* The value up to the odd byte is delivered. */
          CHECK_INT(count, events_before(REC_on_header_value, k + 3) + 1);
          for (i = 0; i + 1 < k + 3 && count == events_before(REC_on_header_value, k + 3) + 1; i++) {
            const struct rec_event* e = &r.events[9 + 4 * i];
            if (!CHECK(e[0].off == s.lines[i].name && e[0].len == s.lines[i].name_len) ||
                !CHECK(e[2].off == s.lines[i].value && e[2].len == s.lines[i].value_len))
              break;
          }
          CHECK_INT(r.events[count - 1].off, s.lines[k + 3].value);
          CHECK_INT(r.events[count - 1].len, odd - s.lines[k + 3].value);
          rec_free(&r);
        }
      }
    }
    free(s.input);
  }
}

/* ---- meddling at one event ---- */

#define FLAGS_ALL 0x7ff

static void do_nothing(struct rec* r) { (void)r; }
static void do_reset(struct rec* r) { llhttp_reset(&r->parser); }
static void do_init(struct rec* r) { llhttp_init(&r->parser, (llhttp_type_t)r->parser.type, &r->settings); }
static void do_init_request(struct rec* r) { llhttp_init(&r->parser, HTTP_REQUEST, &r->settings); }
static void do_init_response(struct rec* r) { llhttp_init(&r->parser, HTTP_RESPONSE, &r->settings); }
static void do_init_both(struct rec* r) { llhttp_init(&r->parser, HTTP_BOTH, &r->settings); }
static void do_pause(struct rec* r) { llhttp_pause(&r->parser); }
static void do_pause_resume(struct rec* r) {
  llhttp_pause(&r->parser);
  llhttp_resume(&r->parser);
}
static void do_reason(struct rec* r) { llhttp_set_error_reason(&r->parser, "meddled"); }
static void do_settings_null(struct rec* r) { r->parser.settings = NULL; }
static void do_settings_clear(struct rec* r) { llhttp_settings_init(&r->settings); }
static void do_lenient_all(struct rec* r) { r->parser.lenient_flags = FLAGS_ALL; }
static void do_lenient_none(struct rec* r) { r->parser.lenient_flags = 0; }
static void do_lenient_cr(struct rec* r) { llhttp_set_lenient_optional_cr_before_lf(&r->parser, 1); }
static void do_lenient_lf(struct rec* r) { llhttp_set_lenient_optional_lf_after_cr(&r->parser, 1); }
static void do_lenient_version(struct rec* r) { llhttp_set_lenient_version(&r->parser, 1); }
static void do_lenient_keep_alive(struct rec* r) { llhttp_set_lenient_keep_alive(&r->parser, 1); }
static void do_lenient_after_close(struct rec* r) { llhttp_set_lenient_data_after_close(&r->parser, 1); }
static void do_lenient_after_chunk(struct rec* r) { llhttp_set_lenient_optional_crlf_after_chunk(&r->parser, 1); }
static void do_lenient_chunk_spaces(struct rec* r) { llhttp_set_lenient_spaces_after_chunk_size(&r->parser, 1); }
static void do_lenient_length(struct rec* r) { llhttp_set_lenient_chunked_length(&r->parser, 1); }
static void do_lenient_coding(struct rec* r) { llhttp_set_lenient_transfer_encoding(&r->parser, 1); }
static void do_upgrade_0(struct rec* r) { r->parser.upgrade = 0; }
static void do_upgrade_1(struct rec* r) { r->parser.upgrade = 1; }
static void do_upgrade_2(struct rec* r) { r->parser.upgrade = 2; }
static void do_length_0(struct rec* r) { r->parser.content_length = 0; }
static void do_length_1(struct rec* r) { r->parser.content_length = 1; }
static void do_length_2(struct rec* r) { r->parser.content_length = 2; }
static void do_flags_0(struct rec* r) { r->parser.flags = 0; }
static void do_flags_close(struct rec* r) { r->parser.flags |= F_CONNECTION_CLOSE; }
static void do_flags_keep(struct rec* r) { r->parser.flags |= F_CONNECTION_KEEP_ALIVE; }
static void do_flags_skip(struct rec* r) { r->parser.flags |= F_SKIPBODY; }
static void do_flags_chunked(struct rec* r) { r->parser.flags |= F_CHUNKED; }
static void do_flags_length(struct rec* r) { r->parser.flags |= F_CONTENT_LENGTH; }
static void do_flags_upgrade(struct rec* r) { r->parser.flags |= F_UPGRADE | F_CONNECTION_UPGRADE; }
static void do_method_connect(struct rec* r) { r->parser.method = HTTP_CONNECT; }
static void do_method_get(struct rec* r) { r->parser.method = HTTP_GET; }
static void do_status_204(struct rec* r) { r->parser.status_code = 204; }
static void do_status_101(struct rec* r) { r->parser.status_code = 101; }
static void do_status_200(struct rec* r) { r->parser.status_code = 200; }
static void do_type_request(struct rec* r) { r->parser.type = HTTP_REQUEST; }
static void do_type_response(struct rec* r) { r->parser.type = HTTP_RESPONSE; }
static void do_version_10(struct rec* r) { r->parser.http_minor = 0; }
static void do_version_11(struct rec* r) { r->parser.http_major = r->parser.http_minor = 1; }

/* One parse with meddling as the caller sees it: pauses are resumed; what llhttp_execute returns is kept among the events. */
struct script {
  size_t at, calls; /* meddle at this invocation, from 0; SIZE_MAX: at the one of a kind */
  enum rec_kind kind;
  size_t nth, kind_calls;
  void (*act)(struct rec* r);
  int value;
  int clears; /* resets or initialises the parser */
};

static int script_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  struct script* s = r->hook_data;
  const struct rec_event* e = &r->events[r->count - 1];
  int hit;
  (void)at, (void)len;
  if (s->at != SIZE_MAX) hit = s->calls++ == s->at;
  else if (kind != s->kind || (rec_is_span(kind) && r->count > 1 && e[-1].kind == kind))
    hit = 0; /* a later piece of a span is no invocation of its own */
  else hit = s->kind_calls++ == s->nth;
  if (!hit) return 0;
  /* llhttp opens the span of the value before this callback; its llhttp_reset there loses the span's beginning. */
  if (kind == REC_on_chunk_extension_name_complete && s->clears) return s->value;
  if (s->act != NULL) s->act(r);
  return s->value;
}

/* Code, position and reason: an event of kind REC_PAUSE. */
static void note_return(struct rec* r, int err, const char* input, size_t len) {
  const char* pos = llhttp_get_error_pos(&r->parser);
  struct rec_event* e = rec_add(r, REC_PAUSE);
  e->off = (size_t)err;
  e->len = pos == NULL ? SIZE_MAX : pos >= input && pos <= input + len ? (size_t)(pos - input) : SIZE_MAX - 1;
  e->reason = llhttp_get_error_reason(&r->parser);
}

/* Executes in pieces of `size`. Returns how much was used. */
static size_t perform(struct rec* r, const char* input, size_t len, size_t size) {
  size_t off = 0, resumes = 0;
  for (;;) {
    size_t end = len - off > size ? off + size : len;
    int err = rec_execute(r, input + off, end - off, off);
    const char* pos;
    if (err == HPE_OK) {
      off = end;
      if (off == len) return off;
      continue;
    }
    note_return(r, err, input, len);
    if ((err != HPE_PAUSED && err != HPE_PAUSED_UPGRADE) || ++resumes > 20) return off;
    /* A pause by llhttp_pause leaves the position where it was: nothing of this piece was used. */
    pos = llhttp_get_error_pos(&r->parser);
    if (pos != NULL && pos >= input + off && pos <= input + end) off = (size_t)(pos - input);
    llhttp_resume(&r->parser);
    llhttp_resume_after_upgrade(&r->parser);
  }
}

/* The events from `first` on, spans joined; with fields and offsets if `full`. */
static void render(struct rec_buf* b, struct rec* r, size_t first, const char* input, int full) {
  size_t i, f;
  for (i = first; i < r->count; i++) {
    const struct rec_event* e = &r->events[i];
    if (e->kind == REC_PAUSE) {
      rec_printf(b, "%s=> %d@", b->len > 0 ? " " : "", (int)e->off);
      if (e->len == SIZE_MAX) rec_printf(b, "-");
      else if (e->len == SIZE_MAX - 1) rec_printf(b, "elsewhere");
      else rec_printf(b, "%zu", e->len);
      if (e->reason != NULL) rec_printf(b, " (%s)", e->reason);
      continue;
    }
    rec_event_text(b, e, input);
    if (!full) continue;
    if (rec_is_span(e->kind)) {
      rec_printf(b, "@%zu", e->off);
    } else {
      for (f = 0; f < REC_FIELDS; f++) rec_printf(b, "%c%" PRIu64, f > 0 ? ',' : '{', e->fields[f]);
      rec_printf(b, "}");
    }
  }
}

struct scenario {
  const char* name;
  llhttp_type_t type;
  const char* input;
  enum rec_kind kind;
  size_t nth;
  void (*act)(struct rec* r);
  int value;
  const char* want;       /* the log from that event on, then the end */
  const char* want_bytes; /* byte by byte, if that differs */
};

#define GET "GET / HTTP/1.1\r\n"
#define RES "HTTP/1.1 200 OK\r\n"
#define NL "\r\n"
#define OK "\r\n\r\n"

static const struct scenario scenarios[] = {
#include "rewind_scenarios.h"
};

static char* play(const struct scenario* s, size_t size) {
  struct script script = {SIZE_MAX, 0, s->kind, s->nth, 0, s->act, s->value, 0};
  struct rec_buf b = {NULL, 0, 0};
  size_t off, i, nth = 0;
  struct rec r;
  rec_init(&r, s->type);
  r.hook = script_hook;
  r.hook_data = &script;
  off = perform(&r, s->input, strlen(s->input), size);
  r.count = rec_merge(r.events, r.count);
  for (i = 0; i < r.count && (r.events[i].kind != s->kind || nth++ < s->nth); i++) continue;
  render(&b, &r, i, s->input, 0);
  /* Once more without bytes, then the end of the connection: both tell in what state the parser is. */
  if (llhttp_get_errno(&r.parser) != HPE_OK)
    rec_printf(&b, " again %d", (int)llhttp_execute(&r.parser, s->input + off, 0));
  rec_printf(&b, " end %d %d", (int)llhttp_get_errno(&r.parser), (int)llhttp_finish(&r.parser));
  CHECK_INT(r.strays, 0);
  rec_free(&r);
  return b.s;
}

static void play_all(void) {
  size_t i;
  for (i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
    const struct scenario* s = &scenarios[i];
    char* log = play(s, SIZE_MAX);
    check_about = s->name;
    CHECK_STR(log, s->want);
    free(log);
    log = play(s, 1);
    snprintf(about, sizeof about, "%s, byte by byte", s->name);
    check_about = about;
    CHECK_STR(log, s->want_bytes ? s->want_bytes : s->want);
    free(log);
  }
}

/* ---- every meddling at every event ---- */

static const struct {
  const char* name;
  llhttp_type_t type;
  unsigned lenient;
  const char* input;
} tales[] = {
    {"request", HTTP_REQUEST, 0,
     "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4;n=v;q=\"s\"\r\nbody\r\n2\r\nxy\r\n0\r\nT: v\r\n\r\n"
     "GET /b HTTP/1.1\r\nConnection: close\r\n\r\n"},
    {"length", HTTP_REQUEST, 0,
     "PUT /a HTTP/1.1\r\nContent-Length: 12\r\nConnection: keep-alive, upgrade\r\nUpgrade: u\r\n\r\nhello, world"
     "GET /b HTTP/1.0\r\n\r\n"},
    {"response", HTTP_RESPONSE, 0,
     "HTTP/1.1 200 Fine\r\nContent-Length: 3\r\nA: b\r\n\r\nabcHTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n"
     "2;a=b\r\nhi\r\n0\r\n\r\nHTTP/1.0 200 Last\r\n\r\nto the end"},
    {"both", HTTP_BOTH, 0,
     "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\nContent-Length: 4\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"},
    {"lenient", HTTP_REQUEST, FLAGS_ALL,
     "GET /x HTTP/3.7\nA: \1b\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n3 \r\nabc2\r\nde\n0\n\n\n"
     "GET /y HTTP/1.0\r\n\r\nGET /z HTTP/1.1\r\n\r\n"},
    {"lenient response", HTTP_RESPONSE, FLAGS_ALL & ~LENIENT_KEEP_ALIVE,
     "HTTP/1.1 200 OK\nConnection: close\nTransfer-Encoding: chunked\n\n3;a\nabc2\r\nde0\n\n\nHTTP/1.1 200 OK\r\n\r\n"},
};
enum { TALES = sizeof tales / sizeof *tales };

static const struct {
  const char* name;
  void (*act)(struct rec* r);
  int value;
  int clears;
} meddles[] = {
    {"nothing", do_nothing, 0, 0},
    {"return 21", NULL, HPE_PAUSED, 0},
    {"return 22", NULL, HPE_PAUSED_UPGRADE, 0},
    {"return -1", NULL, -1, 0},
    {"return 1", NULL, 1, 0},
    {"return 2", NULL, 2, 0},
    {"reason", do_reason, 0, 0},
    {"pause", do_pause, 0, 0},
    {"pause, return 21", do_pause, HPE_PAUSED, 0},
    {"pause and resume", do_pause_resume, 0, 0},
    {"reset", do_reset, 0, 1},
    {"reset, return 21", do_reset, HPE_PAUSED, 1},
    {"init", do_init, 0, 1},
    {"init, return 21", do_init, HPE_PAUSED, 1},
    {"init as request", do_init_request, 0, 1},
    {"init as response", do_init_response, 0, 1},
    {"init as both", do_init_both, 0, 1},
    {"settings NULL", do_settings_null, 0, 0},
    {"settings cleared", do_settings_clear, 0, 0},
    {"lenient all", do_lenient_all, 0, 0},
    {"lenient none", do_lenient_none, 0, 0},
    {"upgrade 0", do_upgrade_0, 0, 0},
    {"upgrade 1", do_upgrade_1, 0, 0},
    {"upgrade 1, return 21", do_upgrade_1, HPE_PAUSED, 0},
    {"content_length 0", do_length_0, 0, 0},
    {"content_length 1", do_length_1, 0, 0},
    {"flags 0", do_flags_0, 0, 0},
    {"flags close", do_flags_close, 0, 0},
    {"flags keep-alive", do_flags_keep, 0, 0},
    {"flags skipbody", do_flags_skip, 0, 0},
    {"flags chunked", do_flags_chunked, 0, 0},
    {"flags content-length", do_flags_length, 0, 0},
    {"flags upgrade", do_flags_upgrade, 0, 0},
    {"method CONNECT", do_method_connect, 0, 0},
    {"method GET", do_method_get, 0, 0},
    {"status 204", do_status_204, 0, 0},
    {"status 101", do_status_101, 0, 0},
    {"status 200", do_status_200, 0, 0},
    {"type request", do_type_request, 0, 0},
    {"type response", do_type_response, 0, 0},
    {"http_minor 0", do_version_10, 0, 0},
    {"version 1.1", do_version_11, 0, 0},
};
enum { MEDDLES = sizeof meddles / sizeof *meddles };

static const size_t matrix_sizes[] = {SIZE_MAX, 1, 11};
enum { SIZES = sizeof matrix_sizes / sizeof *matrix_sizes };

static void hash_bytes(uint64_t* h, const void* data, size_t len) {
  const unsigned char* s = data;
  for (; len > 0; len--) *h = (*h ^ *s++) * 0x100000001b3u;
}

static void hash_number(uint64_t* h, uint64_t n) {
  unsigned char bytes[8];
  int i;
  for (i = 0; i < 8; i++) bytes[i] = (unsigned char)(n >> 8 * i);
  hash_bytes(h, bytes, 8);
}

static void hash_events(uint64_t* h, const struct rec* r) {
  size_t i, f;
  for (i = 0; i < r->count; i++) {
    const struct rec_event* e = &r->events[i];
    const char* name = rec_names[e->kind];
    hash_bytes(h, name, strlen(name));
    if (e->kind == REC_PAUSE || rec_is_span(e->kind)) {
      hash_number(h, e->off);
      hash_number(h, e->len);
      if (e->reason != NULL) hash_bytes(h, e->reason, strlen(e->reason));
    } else {
      for (f = 0; f < REC_FIELDS; f++) hash_number(h, e->fields[f]);
    }
  }
}

/* One run after the other, with the meddling one event later each time, until there is no such event. The hash covers what
 * the text, written only if asked for, shows. */
static uint64_t matrix_run(size_t tale, size_t meddle, size_t size, struct rec_buf* text) {
  const char* input = tales[tale].input;
  size_t at, len = strlen(input);
  uint64_t h = 0xcbf29ce484222325u;
  int more = 1;
  for (at = 0; more; at++) {
    struct script script = {
        at, 0, REC_on_reset, 0, 0, meddles[meddle].act, meddles[meddle].value, meddles[meddle].clears};
    struct rec r;
    int finish;
    rec_init(&r, tales[tale].type);
    r.parser.lenient_flags = (uint16_t)tales[tale].lenient;
    r.hook = script_hook;
    r.hook_data = &script;
    perform(&r, input, len, size);
    note_return(&r, (int)rec_execute(&r, input + len, 0, len), input, len);
    more = script.calls > at;
    r.count = rec_merge(r.events, r.count);
    finish = (int)llhttp_finish(&r.parser);
    hash_events(&h, &r);
    hash_number(&h, (uint64_t)finish);
    hash_number(&h, r.parser.lenient_flags);
    hash_number(&h, r.parser.finish);
    if (text != NULL) {
      struct rec_buf one = {NULL, 0, 0};
      render(&one, &r, 0, input, 1);
      rec_printf(text, "%zu: %s, finish returned %d, lenient %u, finish state %u\n", at, one.s, finish,
                 r.parser.lenient_flags, r.parser.finish);
      free(one.s);
    }
    CHECK_INT(r.strays, 0);
    rec_free(&r);
  }
  return h;
}

static const struct {
  const char *tale, *meddle;
  uint64_t hash[SIZES];
} matrix[] = {
#include "rewind_expect.h"
};

static void matrix_record(void) {
  size_t t, m, s;
  printf("// Code generated by rewind --record, linked with llhttp 9.4.3. DO NOT EDIT.\n");
  for (t = 0; t < TALES; t++) {
    for (m = 0; m < MEDDLES; m++) {
      printf("{\"%s\", \"%s\", {", tales[t].name, meddles[m].name);
      for (s = 0; s < SIZES; s++) printf("%s0x%016" PRIx64, s > 0 ? ", " : "", matrix_run(t, m, matrix_sizes[s], NULL));
      printf("}},\n");
    }
  }
}

static void matrix_dump(const char* tale, const char* meddle) {
  size_t t, m, s;
  for (t = 0; t < TALES; t++) {
    for (m = 0; m < MEDDLES; m++) {
      if (strcmp(tale, tales[t].name) != 0 || strcmp(meddle, meddles[m].name) != 0) continue;
      for (s = 0; s < SIZES; s++) {
        struct rec_buf text = {NULL, 0, 0};
        matrix_run(t, m, matrix_sizes[s], &text);
        printf("pieces of %zd\n%s", (ssize_t)matrix_sizes[s], text.s);
        free(text.s);
      }
    }
  }
}

/* With LLHTTP_TEST_SAMPLE=N, for tools under which this takes long, one of N pairs, such that each message and each
 * meddling has its turn. */
static void matrix_check(void) {
  const char* sample = getenv("LLHTTP_TEST_SAMPLE");
  size_t t, m, s, i = 0, count = sizeof matrix / sizeof *matrix, each = sample != NULL ? (size_t)atoi(sample) : 1;
  check_about = "rewind_expect.h";
  CHECK_INT(count, TALES * MEDDLES);
  for (t = 0; t < TALES; t++) {
    for (m = 0; m < MEDDLES && i < count; m++, i++) {
      snprintf(about, sizeof about, "--dump \"%s\" \"%s\"", tales[t].name, meddles[m].name);
      check_about = about;
      CHECK_STR(tales[t].name, matrix[i].tale);
      CHECK_STR(meddles[m].name, matrix[i].meddle);
      if ((t + m) % each != 0) continue;
      for (s = 0; s < SIZES; s++) {
        uint64_t hash = matrix_run(t, m, matrix_sizes[s], NULL);
        check_that(hash == matrix[i].hash[s], __FILE__, __LINE__,
                   "pieces of %zd: the events differ from the recorded ones", (ssize_t)matrix_sizes[s]);
      }
    }
  }
}

/* ---- settings ---- */

static int other_calls;
static int other_span(llhttp_t* p, const char* at, size_t len) {
  (void)p, (void)at, (void)len;
  other_calls++;
  return 0;
}
static int other_notify(llhttp_t* p) {
  (void)p;
  other_calls++;
  return 0;
}

static llhttp_settings_t other_settings;
static void act_swap_settings(struct rec* r) { r->parser.settings = &other_settings; }
static void act_swap_member(struct rec* r) { r->settings.on_header_value = other_span; }
static void act_drop_member(struct rec* r) { r->settings.on_header_field = NULL; }

static void settings_changed(void) {
  static const char input[] = GET "A: b\r\nC: d\r\nE: f" OK;
  static const struct {
    void (*act)(struct rec* r);
    const char* log;
    int other;
  } cases[] = {
      {act_swap_settings, "header_field=C header_field_complete", 8},
      {act_swap_member,
       "header_field=C header_field_complete header_value_complete header_field=E header_field_complete "
       "header_value_complete headers_complete message_complete",
       2},
      {act_drop_member,
       "header_field=C header_field_complete header_value=d header_value_complete header_field_complete header_value=f "
       "header_value_complete headers_complete message_complete",
       0},
      {do_settings_null, "header_field=C header_field_complete", 0},
      {do_settings_clear, "header_field=C header_field_complete", 0},
  };
  size_t i;
  llhttp_settings_init(&other_settings);
#define OTHER(name) other_settings.name = other_span;
  REC_SPANS(OTHER)
#undef OTHER
#define OTHER(name) other_settings.name = other_notify;
  REC_NOTIFIES(OTHER)
#undef OTHER
  check_about = "settings changed in a callback";
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct script script = {SIZE_MAX, 0, REC_on_header_field_complete, 1, 0, cases[i].act, 0, 0};
    struct rec r;
    size_t n = 0;
    char* log;
    rec_init(&r, HTTP_REQUEST);
    r.hook = script_hook;
    r.hook_data = &script;
    other_calls = 0;
    CHECK_INT((int)rec_execute(&r, input, sizeof input - 1, 0), HPE_OK);
    while (n < r.count && (r.events[n].kind != REC_on_header_field || input[r.events[n].off] != 'C')) n++;
    log = rec_log(r.events + n, r.count - n, input);
    CHECK_STR(log, cases[i].log);
    CHECK_INT(other_calls, cases[i].other);
    free(log);
    rec_free(&r);
  }
}

/* ---- llhttp_pause in a callback ---- */

/* The piece is parsed to its end all the same, with HPE_OK; only the next call says HPE_PAUSED. */
static void pause_takes_effect_later(void) {
  static const char one[] = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\nx\r\n0\r\nT: v\r\n\r\n";
  static const char two[] = GET "\r\n";
  struct rec calm;
  size_t at;
  check_about = "llhttp_pause in a callback";
  rec_init(&calm, HTTP_REQUEST);
  CHECK_INT((int)rec_execute(&calm, one, sizeof one - 1, 0), HPE_OK);
  CHECK_INT(calm.count, 28);
  for (at = 0; at < calm.count; at++) {
    struct script script = {at, 0, REC_on_reset, 0, 0, do_pause, 0, 0};
    struct rec r;
    size_t i;
    char* log;
    rec_init(&r, HTTP_REQUEST);
    r.hook = script_hook;
    r.hook_data = &script;
    CHECK_INT((int)rec_execute(&r, one, sizeof one - 1, 0), HPE_OK);
    CHECK_INT(r.count, calm.count);
    for (i = 0; i < r.count && i < calm.count; i++)
      if (!CHECK(rec_same(&r.events[i], &calm.events[i]))) break;
    CHECK_INT((int)llhttp_get_errno(&r.parser), HPE_PAUSED);
    CHECK_STR(llhttp_get_error_reason(&r.parser), "Paused");
    CHECK_PTR(llhttp_get_error_pos(&r.parser), NULL);
    CHECK_INT((int)rec_execute(&r, two, sizeof two - 1, 0), HPE_PAUSED);
    CHECK_INT(r.count, calm.count);
    llhttp_resume(&r.parser);
    r.count = 0;
    CHECK_INT((int)rec_execute(&r, two, sizeof two - 1, 0), HPE_OK);
    log = rec_log(r.events, r.count, two);
    CHECK_STR(log,
              "reset message_begin method=GET method_complete url=/ url_complete protocol=HTTP protocol_complete "
              "version=1.1 version_complete headers_complete message_complete");
    free(log);
    rec_free(&r);
  }
  rec_free(&calm);
}

/* ---- another parser inside of a callback ---- */

enum { DEPTH = 3 };
static const char nested_input[] = "GET /n HTTP/1.1\r\nA: b\r\nC: d\r\n\r\n";
static char* nested_want;
static int nested_runs;

static int nested_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  size_t depth = *(size_t*)r->hook_data, next = depth + 1;
  struct rec inner;
  char* log;
  (void)at, (void)len;
  /* All events at the first level, some deeper. */
  if (depth >= DEPTH || (depth > 0 && kind != REC_on_header_value && kind != REC_on_url_complete)) return 0;
  rec_init(&inner, HTTP_REQUEST);
  inner.hook = nested_hook;
  inner.hook_data = &next;
  CHECK_INT((int)rec_execute(&inner, nested_input, sizeof nested_input - 1, 0), HPE_OK);
  log = rec_log(inner.events, inner.count, nested_input);
  CHECK_STR(log, nested_want);
  free(log);
  rec_free(&inner);
  nested_runs++;
  return 0;
}

static void nested(void) {
  size_t depth = DEPTH, off;
  struct rec r;
  char* log;
  check_about = "a parser inside of a callback";
  rec_init(&r, HTTP_REQUEST);
  CHECK_INT((int)rec_execute(&r, nested_input, sizeof nested_input - 1, 0), HPE_OK);
  nested_want = rec_log(r.events, r.count, nested_input);
  CHECK_STR(nested_want,
            "message_begin method=GET method_complete url=/n url_complete protocol=HTTP protocol_complete version=1.1 "
            "version_complete header_field=A header_field_complete header_value=b header_value_complete header_field=C "
            "header_field_complete header_value=d header_value_complete headers_complete message_complete");
  rec_free(&r);
  depth = 0;
  rec_init(&r, HTTP_REQUEST);
  r.hook = nested_hook;
  r.hook_data = &depth;
  CHECK_INT((int)rec_execute(&r, nested_input, sizeof nested_input - 1, 0), HPE_OK);
  log = rec_log(r.events, r.count, nested_input);
  CHECK_STR(log, nested_want);
  CHECK_INT(nested_runs, 19 + 19 * 3 + 19 * 3 * 3);
  free(log);
  rec_free(&r);
  rec_init(&r, HTTP_REQUEST);
  r.hook = nested_hook;
  r.hook_data = &depth;
  for (off = 0; off < sizeof nested_input - 1; off++)
    CHECK_INT((int)rec_execute(&r, nested_input + off, 1, off), HPE_OK);
  r.count = rec_merge(r.events, r.count);
  log = rec_log(r.events, r.count, nested_input);
  CHECK_STR(log, nested_want);
  free(log);
  free(nested_want);
  rec_free(&r);
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--record") == 0) {
    matrix_record();
    return check_failed != 0;
  }
  if (argc == 4 && strcmp(argv[1], "--dump") == 0) {
    matrix_dump(argv[2], argv[3]);
    return 0;
  }
  stops();
  toggles();
  play_all();
  settings_changed();
  pause_takes_effect_later();
  nested();
  matrix_check();
  check_about = "";
  return check_done();
}
