/* What llhttp_ext.h promises of a struct that is attached to a parser: when it is, when it is not any more, and that
 * the library never touches one that is not. */
#include "check.h"
#include "recorder.h"

#include "llhttp_ext.h"

static const char message[] =
    "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n3;a=b\r\nabc\r\n0\r\nT: u\r\n\r\n";
enum { LENGTH = sizeof message - 1 };

static char expected[2000];

static void attached(void) {
  llhttp_t parser;
  llhttp_settings_t settings;
  llhttp_ext_t ext, other, raw;
  check_about = "attached";
  memset(&ext, 0xa5, sizeof ext);
  memset(&other, 0xa5, sizeof other);
  memset(&raw, 0xa5, sizeof raw);
  llhttp_ext_init(&ext);
  llhttp_ext_init(&other);
  CHECK_INT(sizeof ext, 256);
  CHECK_INT(ext.version, LLHTTP_EXT_VERSION);
  CHECK_INT(ext.rules, 0);
  llhttp_settings_init(&settings);
  memset(&parser, 0xa5, sizeof parser);
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  CHECK_PTR(llhttp_ext_attached(&parser), NULL);
  CHECK_INT(llhttp_ext_attach(&parser, &ext), 0);
  CHECK_PTR(llhttp_ext_attached(&parser), &ext);
  CHECK_INT(llhttp_ext_attach(&parser, &raw), -1);
  CHECK_PTR(llhttp_ext_attached(&parser), &ext);
  CHECK_INT(llhttp_ext_attach(&parser, &other), 0);
  CHECK_PTR(llhttp_ext_attached(&parser), &other);
  CHECK_INT((int)llhttp_execute(&parser, message, LENGTH), HPE_OK);
  CHECK_PTR(llhttp_ext_attached(&parser), &other);
  llhttp_reset(&parser);
  CHECK_PTR(llhttp_ext_attached(&parser), &other);
  CHECK_INT(llhttp_ext_attach(&parser, NULL), 0);
  CHECK_PTR(llhttp_ext_attached(&parser), NULL);
  CHECK_INT(llhttp_ext_attach(&parser, &ext), 0);
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  CHECK_PTR(llhttp_ext_attached(&parser), NULL);
}

/* In the k-th callback the struct is detached or another is attached, and its bytes are spoilt at once. */
enum act { NOTHING, DETACH, REPLACE, INIT, ATTACH };

struct plan {
  size_t at;
  enum act act;
  llhttp_ext_t ext, other;
};

static int plan_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  struct plan* p = r->hook_data;
  (void)kind, (void)at, (void)len;
  if (r->count - 1 != p->at) return 0;
  switch (p->act) {
    case DETACH: CHECK_INT(llhttp_ext_attach(&r->parser, NULL), 0); break;
    case REPLACE: CHECK_INT(llhttp_ext_attach(&r->parser, &p->other), 0); break;
    case ATTACH: CHECK_INT(llhttp_ext_attach(&r->parser, &p->ext), 0); return 0;
    case INIT: {
      /* llhttp_init clears the fields under way, too: only what is attached counts here. */
      llhttp_t now = r->parser;
      llhttp_init(&r->parser, HTTP_REQUEST, &r->settings);
      CHECK_PTR(llhttp_ext_attached(&r->parser), NULL);
      r->parser = now;
      CHECK_INT(llhttp_ext_attach(&r->parser, NULL), 0);
      break;
    }
    default: return 0;
  }
  memset(&p->ext, 0xff, sizeof p->ext);
  return 0;
}

static void changed_in_callbacks(void) {
  static const enum act acts[] = {NOTHING, DETACH, REPLACE, INIT, ATTACH};
  size_t a, k, size, count = 1;
  for (a = 0; a < sizeof acts / sizeof *acts; a++) {
    for (k = 0; k < count; k++) {
      for (size = 1; size <= LENGTH; size = size < 4 ? size + 1 : size == LENGTH ? size + 1 : LENGTH) {
        struct plan p;
        struct rec r;
        size_t off;
        char* log;
        check_about = "changed in callbacks";
        p.at = k;
        p.act = acts[a];
        llhttp_ext_init(&p.ext);
        llhttp_ext_init(&p.other);
        rec_init(&r, HTTP_REQUEST);
        r.hook = plan_hook;
        r.hook_data = &p;
        if (p.act != ATTACH) CHECK_INT(llhttp_ext_attach(&r.parser, &p.ext), 0);
        for (off = 0; off < LENGTH; off += size)
          CHECK_INT((int)rec_execute(&r, message + off, LENGTH - off < size ? LENGTH - off : size, off), HPE_OK);
        if (p.act == NOTHING && size == LENGTH) count = r.count;
        r.count = rec_merge(r.events, r.count);
        log = rec_log(r.events, r.count, message);
        CHECK_STR(log, expected);
        CHECK_PTR(llhttp_ext_attached(&r.parser), p.act == NOTHING || p.act == ATTACH ? &p.ext
                                                  : p.act == REPLACE                  ? &p.other
                                                                                      : NULL);
        free(log);
        rec_free(&r);
      }
    }
  }
  CHECK(count > 20);
}

/* What a callback attaches counts from there on, in the same buffer, though its rules are those that were set. */
static int replace_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  (void)at, (void)len;
  if (kind == REC_on_url_complete) CHECK_INT(llhttp_ext_attach(&r->parser, r->hook_data), 0);
  return 0;
}

static void limits_of_another(void) {
  static const char input[] = "GET / HTTP/1.1\r\nAa: bb\r\n\r\n";
  size_t size;
  int limited; /* which of the two has a limit */
  for (limited = 0; limited < 2; limited++) {
    for (size = 1; size <= sizeof input; size++) {
      struct rec r;
      llhttp_ext_t ext[2];
      llhttp_errno_t err = HPE_OK;
      size_t off;
      check_about = "limits of another";
      llhttp_ext_init(&ext[0]);
      llhttp_ext_init(&ext[1]);
      ext[limited].max_field_line_length = 5;
      rec_init(&r, HTTP_REQUEST);
      r.hook = replace_hook;
      r.hook_data = &ext[1];
      CHECK_INT(llhttp_ext_attach(&r.parser, &ext[0]), 0);
      for (off = 0; off < sizeof input - 1 && err == HPE_OK; off += size)
        err = rec_execute(&r, input + off, sizeof input - 1 - off < size ? sizeof input - 1 - off : size, off);
      CHECK_INT((int)err, limited ? HPE_USER : HPE_OK);
      if (limited) CHECK_INT(llhttp_get_error_pos(&r.parser) - input, 16 + 5);
      rec_free(&r);
    }
  }
}

/* ---- rules that change ---- */

/* Between two calls as well: a line that began without the rule, behind one that began with it, is not skipped. */
static int pause_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  (void)r, (void)at, (void)len;
  return kind == REC_on_header_value_complete ? HPE_PAUSED : 0;
}

static void rules_changed_between_calls(void) {
  static const char first[] = "GET / HTTP/1.1\r\nA: b\r\nC", rest[] = "onn: c\x01\r\n\r\n";
  struct rec r;
  llhttp_ext_t ext;
  check_about = "rules changed between calls";
  rec_init(&r, HTTP_REQUEST);
  llhttp_ext_init(&ext);
  ext.rules = LLHTTP_EXT_TOLERATE_BAD_FIELD_LINES;
  llhttp_ext_attach(&r.parser, &ext);
  r.hook = pause_hook;
  CHECK_INT((int)rec_execute(&r, first, sizeof first - 1, 0), HPE_PAUSED);
  CHECK_INT(llhttp_get_error_pos(&r.parser) - first, (long)sizeof first - 2);
  llhttp_resume(&r.parser);
  ext.rules = 0;
  CHECK_INT((int)rec_execute(&r, first + sizeof first - 2, 1, sizeof first - 2), HPE_OK);
  ext.rules = LLHTTP_EXT_TOLERATE_BAD_FIELD_LINES;
  CHECK_INT((int)rec_execute(&r, rest, sizeof rest - 1, sizeof first - 1), HPE_INVALID_HEADER_TOKEN);
  CHECK_INT(ext.skipped_lines, 0);
  rec_free(&r);
}

static int rules_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  llhttp_ext_t* ext = r->hook_data;
  (void)at, (void)len;
  if (kind == REC_on_header_value_complete) ext->rules = 0;
  if (kind == REC_on_header_field_complete) ext->rules = LLHTTP_EXT_TOLERATE_BAD_FIELD_LINES;
  return 0;
}

/* A rule counts from the next byte on. A line is skipped only if the rule was set when it began: else its name is not
 * known. */
static void rules_changed_in_callbacks(void) {
  static const char input[] = "GET / HTTP/1.1\r\nA: b\r\nConnection: close\x01\r\n\r\n";
  static const char skipped[] = "GET / HTTP/1.1\r\nA: b\x01\r\nB: c\x01\r\n\r\n";
  size_t size;
  for (size = 1; size <= sizeof input; size++) {
    struct rec r;
    llhttp_ext_t ext;
    llhttp_errno_t err = HPE_OK;
    size_t off;
    check_about = "rules changed in callbacks";
    rec_init(&r, HTTP_REQUEST);
    llhttp_ext_init(&ext);
    ext.rules = LLHTTP_EXT_TOLERATE_BAD_FIELD_LINES;
    llhttp_ext_attach(&r.parser, &ext);
    r.hook = rules_hook;
    r.hook_data = &ext;
    for (off = 0; off < sizeof input - 1 && err == HPE_OK; off += size)
      err = rec_execute(&r, input + off, sizeof input - 1 - off < size ? sizeof input - 1 - off : size, off);
    CHECK_INT((int)err, HPE_INVALID_HEADER_TOKEN);
    CHECK_INT(llhttp_get_error_pos(&r.parser) - input, strchr(input, 1) - input);
    CHECK_INT(ext.skipped_lines, 0);
    /* No value is complete here, so the rule stays. */
    llhttp_reset(&r.parser);
    ext.rules = LLHTTP_EXT_TOLERATE_BAD_FIELD_LINES;
    for (off = 0; off < sizeof skipped - 1; off += size) {
      const size_t n = sizeof skipped - 1 - off < size ? sizeof skipped - 1 - off : size;
      CHECK_INT((int)rec_execute(&r, skipped + off, n, off), HPE_OK);
    }
    CHECK_INT(ext.skipped_lines, 2);
    llhttp_reset(&r.parser);
    CHECK_INT(ext.skipped_lines, 0);
    rec_free(&r);
  }
}

/* ---- callbacks of the struct: results, pauses, the bytes ---- */

static const char bad_lines[] = "GET / HTTP/1.1\r\nX Y: abc\r\nZ: d\r\n: e\r\n\r\n";

struct skips {
  llhttp_ext_t ext;
  char text[100];
  size_t length;
  int lines, result_span, result_complete;
};

static int on_skipped_line(struct llhttp__internal_s* parser, const char* at, size_t length) {
  struct skips* s = parser->data;
  CHECK(s->length + length < sizeof s->text);
  memcpy(s->text + s->length, at, length);
  s->length += length;
  return s->result_span == HPE_PAUSED && length == 0 ? 0 : s->result_span;
}

static int on_skipped_line_complete(struct llhttp__internal_s* parser) {
  struct skips* s = parser->data;
  s->text[s->length++] = '|';
  s->lines++;
  return s->result_complete;
}

static llhttp_errno_t skip(struct skips* s, llhttp_t* parser, size_t size) {
  static llhttp_settings_t none;
  llhttp_errno_t err = HPE_OK;
  size_t at = 0;
  llhttp_init(parser, HTTP_REQUEST, &none);
  llhttp_ext_init(&s->ext);
  s->ext.rules = LLHTTP_EXT_TOLERATE_BAD_FIELD_LINES;
  s->ext.on_skipped_line = on_skipped_line;
  s->ext.on_skipped_line_complete = on_skipped_line_complete;
  llhttp_ext_attach(parser, &s->ext);
  parser->data = s;
  while (at < sizeof bad_lines - 1) {
    const size_t end = sizeof bad_lines - 1 - at < size ? sizeof bad_lines - 1 : at + size;
    err = llhttp_execute(parser, bad_lines + at, end - at);
    while (err == HPE_PAUSED) {
      at = (size_t)(llhttp_get_error_pos(parser) - bad_lines);
      llhttp_resume(parser);
      err = llhttp_execute(parser, bad_lines + at, end - at);
    }
    if (err != HPE_OK) return err;
    at = end;
  }
  return err;
}

static void skipped_lines(void) {
  static const struct {
    int span, complete;
    llhttp_errno_t err;
    const char* reason;
    long long at;
  } cases[] = {
      {0, 0, HPE_OK, NULL, 0},
      {HPE_PAUSED, HPE_PAUSED, HPE_OK, "on_skipped_line_complete pause", 0},
      {-1, 0, HPE_USER, "Span callback error in on_skipped_line", 25},
      {0, -1, HPE_USER, "`on_skipped_line_complete` callback error", 26},
      {0, 1, HPE_USER, "`on_skipped_line_complete` callback error", 26},
  };
  size_t i, size;
  check_about = "skipped lines";
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (size = 1; size <= sizeof bad_lines; size++) {
      struct skips s;
      llhttp_t parser;
      memset(&s, 0, sizeof s);
      s.result_span = cases[i].span;
      s.result_complete = cases[i].complete;
      CHECK_INT((int)skip(&s, &parser, size), (int)cases[i].err);
      CHECK_STR(llhttp_get_error_reason(&parser), cases[i].reason);
      if (cases[i].err == HPE_OK) {
        CHECK_INT(s.ext.skipped_lines, 2);
        CHECK_INT(s.lines, 2);
        s.text[s.length] = 0;
        CHECK_STR(s.text, " Y: abc|: e|");
      } else {
        CHECK_INT((int)llhttp_get_errno(&parser), (int)cases[i].err);
        if (size > 30) CHECK_INT(llhttp_get_error_pos(&parser) - bad_lines, cases[i].at);
        CHECK_INT(llhttp_ext_error_status(&parser), 500);
      }
    }
  }
}

/* A method without a number has a name that can be asked for. */
static void unknown_method(void) {
  static const char input[] = "BREW / HTTP/1.1\r\n\r\n";
  llhttp_settings_t settings;
  llhttp_t parser;
  llhttp_ext_t ext;
  check_about = "unknown method";
  llhttp_settings_init(&settings);
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  llhttp_ext_init(&ext);
  ext.rules = LLHTTP_EXT_TOLERATE_UNKNOWN_METHODS;
  llhttp_ext_attach(&parser, &ext);
  CHECK_INT((int)llhttp_execute(&parser, input, sizeof input - 1), HPE_OK);
  CHECK_INT(llhttp_get_method(&parser), LLHTTP_EXT_METHOD_UNKNOWN);
  CHECK_STR(llhttp_method_name((llhttp_method_t)llhttp_get_method(&parser)), "<unknown>");
}

int main(void) {
  struct rec r;
  char* log;
  rec_init(&r, HTTP_REQUEST);
  CHECK_INT((int)rec_execute(&r, message, LENGTH, 0), HPE_OK);
  log = rec_log(r.events, r.count, message);
  CHECK(strlen(log) < sizeof expected);
  strcpy(expected, log);
  free(log);
  rec_free(&r);
  attached();
  changed_in_callbacks();
  limits_of_another();
  rules_changed_between_calls();
  rules_changed_in_callbacks();
  skipped_lines();
  unknown_method();
  return check_done();
}
