/* What each value that a callback returns does: error code, reason, error position, what still gets called, and that a
 * resumed parse continues with exactly the events that were left. Every callback is tried at every place where it
 * occurs in the messages below. */
#include "check.h"
#include "recorder.h"

#include <limits.h>

/* An event and the error position when its callback stops the parse. */
struct step {
  const char* event;
  size_t pos;
};

struct message {
  const char* name;
  llhttp_type_t type;
  const char* input;
  const struct step* steps;
  size_t count;
};

static const struct step chunked_steps[] = {
    {"message_begin", 0},
    {"method=POST", 4},
    {"method_complete", 4},
    {"url=/a?b", 9},
    {"url_complete", 10},
    {"protocol=HTTP", 14},
    {"protocol_complete", 14},
    {"version=1.1", 18},
    {"version_complete", 18},
    {"header_field=Host", 25},
    {"header_field_complete", 25},
    {"header_value=x", 28},
    {"header_value_complete", 29},
    {"header_field=Transfer-Encoding", 47},
    {"header_field_complete", 47},
    {"header_value=chunked", 56},
    {"header_value_complete", 57},
    {"header_field=Empty", 63},
    {"header_field_complete", 63},
    {"header_value=", 65},
    {"header_value_complete", 65},
    {"headers_complete", 67},
    {"chunk_extension_name=n", 71},
    {"chunk_extension_name_complete", 71},
    {"chunk_extension_value=v", 73},
    {"chunk_extension_value_complete", 73},
    {"chunk_extension_name=q", 75},
    {"chunk_extension_name_complete", 75},
    {"chunk_extension_value=\"s_t\"", 80},
    {"chunk_extension_value_complete", 80},
    {"chunk_extension_name=flag", 86},
    {"chunk_extension_name_complete", 86},
    {"chunk_header", 87},
    {"body=hello", 92},
    {"chunk_complete", 94},
    {"chunk_extension_name=only", 101},
    {"chunk_extension_name_complete", 101},
    {"chunk_header", 102},
    {"body=!", 103},
    {"chunk_complete", 105},
    {"chunk_extension_name=last", 112},
    {"chunk_extension_name_complete", 112},
    {"chunk_extension_value=1", 114},
    {"chunk_extension_value_complete", 114},
    {"chunk_header", 115},
    {"header_field=T1", 118},
    {"header_field_complete", 118},
    {"header_value=v1", 122},
    {"header_value_complete", 123},
    {"header_field=T2", 126},
    {"header_field_complete", 126},
    {"header_value=v_2_", 133},
    {"header_value_complete", 134},
    {"chunk_complete", 136},
    {"message_complete", 136},
    {"reset", 136},
    {"message_begin", 136},
    {"method=PUT", 139},
    {"method_complete", 139},
    {"url=/c", 142},
    {"url_complete", 143},
    {"protocol=HTTP", 147},
    {"protocol_complete", 147},
    {"version=1.1", 151},
    {"version_complete", 151},
    {"header_field=Content-Length", 168},
    {"header_field_complete", 168},
    {"header_value=4", 171},
    {"header_value_complete", 172},
    {"headers_complete", 174},
    {"body=body", 178},
    {"message_complete", 178},
};

static const struct step response_steps[] = {
    {"message_begin", 0},
    {"protocol=HTTP", 4},
    {"protocol_complete", 4},
    {"version=1.1", 8},
    {"version_complete", 8},
    {"status=All_Right", 23},
    {"status_complete", 24},
    {"header_field=Server", 31},
    {"header_field_complete", 31},
    {"header_value=s", 34},
    {"header_value_complete", 35},
    {"header_field=Content-Length", 50},
    {"header_field_complete", 50},
    {"header_value=3", 53},
    {"header_value_complete", 54},
    {"headers_complete", 56},
    {"body=abc", 59},
    {"message_complete", 59},
    {"reset", 59},
    {"message_begin", 59},
    {"protocol=HTTP", 63},
    {"protocol_complete", 63},
    {"version=1.1", 67},
    {"version_complete", 67},
    {"status=Not_Found", 82},
    {"status_complete", 83},
    {"header_field=Transfer-Encoding", 101},
    {"header_field_complete", 101},
    {"header_value=chunked", 110},
    {"header_value_complete", 111},
    {"headers_complete", 113},
    {"chunk_extension_name=a", 117},
    {"chunk_extension_name_complete", 117},
    {"chunk_extension_value=b", 119},
    {"chunk_extension_value_complete", 119},
    {"chunk_header", 120},
    {"body=hi", 122},
    {"chunk_complete", 124},
    {"chunk_header", 127},
    {"chunk_complete", 129},
    {"message_complete", 129},
};

static const struct step eof_steps[] = {
    {"message_begin", 0},    {"protocol=HTTP", 4},    {"protocol_complete", 4}, {"version=1.0", 8},
    {"version_complete", 8}, {"status_complete", 14}, {"headers_complete", 16}, {"body=abc", 19},
};

/* With type HTTP_BOTH the protocol of a response is delivered as a method, slash included. */
static const struct step both_steps[] = {
    {"message_begin", 0},
    {"method=HTTP/", 5},
    {"version=1.1", 8},
    {"version_complete", 8},
    {"status=OK", 16},
    {"status_complete", 17},
    {"header_field=Content-Length", 32},
    {"header_field_complete", 32},
    {"header_value=0", 35},
    {"header_value_complete", 36},
    {"headers_complete", 38},
    {"message_complete", 38},
};

static const struct step old_steps[] = {
    {"message_begin", 0}, {"method=GET", 3},        {"method_complete", 3},   {"url=http://h/", 13},
    {"url_complete", 15}, {"headers_complete", 17}, {"message_complete", 17},
};

#define STEPS(list) list, sizeof list / sizeof *list
static const struct message messages[] = {
    {"chunked request, then one with a length", HTTP_REQUEST,
     "POST /a?b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nEmpty:\r\n\r\n"
     "5;n=v;q=\"s t\";flag\r\nhello\r\n1;only\r\n!\r\n0;last=1\r\nT1: v1\r\nT2:  v 2 \r\n\r\n"
     "PUT /c HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody",
     STEPS(chunked_steps)},
    {"two responses", HTTP_RESPONSE,
     "HTTP/1.1 200 All Right\r\nServer: s\r\nContent-Length: 3\r\n\r\nabc"
     "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\n\r\n",
     STEPS(response_steps)},
    {"response up to the end of the connection", HTTP_RESPONSE, "HTTP/1.0 200\r\n\r\nabc", STEPS(eof_steps)},
    {"type found out from the first bytes", HTTP_BOTH, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
     STEPS(both_steps)},
    {"request without version", HTTP_REQUEST, "GET http://h/\r\n\r\n", STEPS(old_steps)},
};
enum { MESSAGES = sizeof messages / sizeof *messages };

/* Error code and reasons of the callbacks without bytes. */
static const struct {
  enum rec_kind kind;
  llhttp_errno_t error;
  const char *error_reason, *pause_reason;
} outcomes[] = {
    {REC_on_message_begin, HPE_CB_MESSAGE_BEGIN, "`on_message_begin` callback error", "on_message_begin pause"},
    {REC_on_headers_complete, HPE_CB_HEADERS_COMPLETE, "User callback error", "Paused by on_headers_complete"},
    {REC_on_message_complete, HPE_CB_MESSAGE_COMPLETE, "`on_message_complete` callback error",
     "on_message_complete pause"},
    {REC_on_protocol_complete, HPE_CB_PROTOCOL_COMPLETE, "`on_protocol_complete` callback error",
     "on_protocol_complete pause"},
    {REC_on_url_complete, HPE_CB_URL_COMPLETE, "`on_url_complete` callback error", "on_url_complete pause"},
    {REC_on_status_complete, HPE_CB_STATUS_COMPLETE, "`on_status_complete` callback error", "on_status_complete pause"},
    {REC_on_method_complete, HPE_CB_METHOD_COMPLETE, "`on_method_complete` callback error", "on_method_complete pause"},
    {REC_on_version_complete, HPE_CB_VERSION_COMPLETE, "`on_version_complete` callback error",
     "on_version_complete pause"},
    {REC_on_header_field_complete, HPE_CB_HEADER_FIELD_COMPLETE, "`on_header_field_complete` callback error",
     "on_header_field_complete pause"},
    {REC_on_header_value_complete, HPE_CB_HEADER_VALUE_COMPLETE, "`on_header_value_complete` callback error",
     "on_header_value_complete pause"},
    {REC_on_chunk_extension_name_complete, HPE_CB_CHUNK_EXTENSION_NAME_COMPLETE,
     "`on_chunk_extension_name` callback error", "on_chunk_extension_name pause"},
    {REC_on_chunk_extension_value_complete, HPE_CB_CHUNK_EXTENSION_VALUE_COMPLETE,
     "`on_chunk_extension_value` callback error", "on_chunk_extension_value pause"},
    {REC_on_chunk_header, HPE_CB_CHUNK_HEADER, "`on_chunk_header` callback error", "on_chunk_header pause"},
    {REC_on_chunk_complete, HPE_CB_CHUNK_COMPLETE, "`on_chunk_complete` callback error", "on_chunk_complete pause"},
    {REC_on_reset, HPE_CB_RESET, "`on_reset` callback error", "on_reset pause"},
};

static size_t outcome_of(enum rec_kind kind) {
  size_t i = 0;
  while (outcomes[i].kind != kind) i++;
  return i;
}

static char about[200];
static void busy(const char* what, const char* message, size_t step, int value) {
  snprintf(about, sizeof about, "%s, %s, event %zu, value %d", what, message, step, value);
  check_about = about;
}

/* ---- the undisturbed run of each message ---- */

static struct rec calm[MESSAGES];

/* Equal events, and equal fields at spans too when `all`. */
static int same_events(const struct rec_event* a, size_t n, const struct rec_event* b, size_t m, int all) {
  size_t i;
  if (n != m) return 0;
  for (i = 0; i < n; i++)
    if (!rec_same(&a[i], &b[i]) || (all && memcmp(a[i].fields, b[i].fields, sizeof a[i].fields) != 0)) return 0;
  return 1;
}

static void check_end(struct rec* r, size_t m) {
  uint64_t want[REC_FIELDS], got[REC_FIELDS];
  rec_fields(&calm[m].parser, want);
  rec_fields(&r->parser, got);
  CHECK(memcmp(got, want, sizeof want) == 0);
  CHECK_INT(r->parser.finish, calm[m].parser.finish);
  CHECK_INT(r->strays, 0);
}

static void undisturbed(void) {
  size_t m, i;
  for (m = 0; m < MESSAGES; m++) {
    const struct message* msg = &messages[m];
    struct rec_buf want = {NULL, 0, 0};
    char* log;
    check_about = msg->name;
    rec_init(&calm[m], msg->type);
    CHECK_INT((int)rec_execute(&calm[m], msg->input, strlen(msg->input), 0), HPE_OK);
    CHECK_STR(llhttp_get_error_reason(&calm[m].parser), NULL);
    CHECK_PTR(llhttp_get_error_pos(&calm[m].parser), NULL);
    for (i = 0; i < msg->count; i++) rec_printf(&want, "%s%s", i > 0 ? " " : "", msg->steps[i].event);
    log = rec_log(calm[m].events, calm[m].count, msg->input);
    if (!CHECK_STR(log, want.s) || !CHECK_INT(calm[m].count, msg->count)) exit(check_done());
    free(log);
    free(want.s);
  }
}

/* ---- one invocation returns a value ---- */

struct once {
  size_t at, calls; /* invocation, from 0 */
  int value;
  const char* set_reason;
};

static int once_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  struct once* o = r->hook_data;
  (void)kind, (void)at, (void)len;
  if (o->calls++ != o->at) return 0;
  if (o->set_reason != NULL) llhttp_set_error_reason(&r->parser, o->set_reason);
  return o->value;
}

static void once_init(struct rec* r, struct once* o, size_t m, size_t step, int value) {
  memset(o, 0, sizeof *o);
  o->at = step;
  o->value = value;
  rec_init(r, messages[m].type);
  r->hook = once_hook;
  r->hook_data = o;
}

/* The parse has stopped with `err` at step; a further call does nothing but say so again. */
static void check_stopped(struct rec* r, size_t m, size_t step, int err, const char* reason) {
  const struct message* msg = &messages[m];
  const char* pos = msg->input + msg->steps[step].pos;
  size_t count = r->count;
  int turn;
  CHECK(same_events(r->events, r->count, calm[m].events, step + 1, 1));
  for (turn = 0; turn < 2; turn++) {
    CHECK_INT((int)llhttp_get_errno(&r->parser), err);
    CHECK_STR(llhttp_get_error_reason(&r->parser), reason);
    CHECK_INT(llhttp_get_error_pos(&r->parser) - msg->input, pos - msg->input);
    CHECK_INT((int)rec_execute(r, pos, strlen(pos), 0), err);
    CHECK_INT(r->count, count);
  }
}

static void check_stuck(struct rec* r, size_t m, int err) {
  size_t count = r->count;
  llhttp_resume(&r->parser);
  llhttp_resume_after_upgrade(&r->parser);
  llhttp_pause(&r->parser);
  CHECK_INT((int)llhttp_get_errno(&r->parser), err);
  CHECK_INT(llhttp_finish(&r->parser), HPE_OK);
  CHECK_INT(r->count, count);
  CHECK_INT((int)llhttp_get_errno(&r->parser), err);
  /* A parser that has failed is as good as new after llhttp_reset, which keeps the type: also one that was found out. */
  if (messages[m].type == HTTP_BOTH) llhttp_init(&r->parser, messages[m].type, &r->settings);
  else llhttp_reset(&r->parser);
  r->count = 0;
  CHECK_INT((int)rec_execute(r, messages[m].input, strlen(messages[m].input), 0), HPE_OK);
  CHECK(same_events(r->events, r->count, calm[m].events, calm[m].count, 1));
}

static void check_continues(struct rec* r, size_t m, size_t step) {
  const struct message* msg = &messages[m];
  const char* pos = msg->input + msg->steps[step].pos;
  const char* reason = llhttp_get_error_reason(&r->parser);
  CHECK_INT((int)llhttp_get_errno(&r->parser), HPE_OK);
  CHECK_PTR(llhttp_get_error_pos(&r->parser), pos);
  CHECK_INT((int)rec_execute(r, pos, strlen(pos), msg->steps[step].pos), HPE_OK);
  CHECK_STR(llhttp_get_error_reason(&r->parser), reason);
  CHECK_PTR(llhttp_get_error_pos(&r->parser), pos);
  r->count = rec_merge(r->events, r->count);
  CHECK(same_events(r->events, r->count, calm[m].events, calm[m].count, 1));
  check_end(r, m);
}

static void notify_values(void) {
  static const int values[] = {HPE_PAUSED, -1,  1,       2,      3, 20, HPE_PAUSED_UPGRADE, HPE_PAUSED_H2_UPGRADE,
                               HPE_USER,   256, INT_MAX, INT_MIN};
  size_t m, i, v;
  for (m = 0; m < MESSAGES; m++) {
    for (i = 0; i < messages[m].count; i++) {
      enum rec_kind kind = calm[m].events[i].kind;
      size_t o;
      if (rec_is_span(kind)) continue;
      o = outcome_of(kind);
      for (v = 0; v < sizeof values / sizeof *values; v++) {
        struct once once;
        struct rec r;
        int err = values[v] == HPE_PAUSED ? HPE_PAUSED : (int)outcomes[o].error;
        if (kind == REC_on_headers_complete && (values[v] == 1 || values[v] == 2)) continue;
        busy("notify", messages[m].name, i, values[v]);
        once_init(&r, &once, m, i, values[v]);
        CHECK_INT((int)rec_execute(&r, messages[m].input, strlen(messages[m].input), 0), err);
        check_stopped(&r, m, i, err, err == HPE_PAUSED ? outcomes[o].pause_reason : outcomes[o].error_reason);
        if (err == HPE_PAUSED) {
          llhttp_resume_after_upgrade(&r.parser);
          CHECK_INT((int)llhttp_get_errno(&r.parser), HPE_PAUSED);
          llhttp_resume(&r.parser);
          check_continues(&r, m, i);
        } else {
          check_stuck(&r, m, err);
        }
        rec_free(&r);
      }
    }
  }
}

static void span_values(void) {
  static const int values[] = {HPE_PAUSED, -1,     HPE_PAUSED_UPGRADE, HPE_PAUSED_H2_UPGRADE, HPE_USER, 1, 7, 1000, -2,
                               INT_MAX,    INT_MIN};
  size_t m, i, v;
  for (m = 0; m < MESSAGES; m++) {
    for (i = 0; i < messages[m].count; i++) {
      enum rec_kind kind = calm[m].events[i].kind;
      if (!rec_is_span(kind)) continue;
      for (v = 0; v < sizeof values / sizeof *values; v++) {
        char reason[80];
        struct once once;
        struct rec r;
        int err = values[v] == -1 ? HPE_USER : values[v];
        busy("span", messages[m].name, i, values[v]);
        snprintf(reason, sizeof reason, "Span callback error in %s", rec_names[kind]);
        once_init(&r, &once, m, i, values[v]);
        CHECK_INT((int)rec_execute(&r, messages[m].input, strlen(messages[m].input), 0), err);
        check_stopped(&r, m, i, err, values[v] == -1 ? reason : NULL);
        if (err == HPE_PAUSED) {
          llhttp_resume_after_upgrade(&r.parser);
          CHECK_INT((int)llhttp_get_errno(&r.parser), HPE_PAUSED);
          llhttp_resume(&r.parser);
          check_continues(&r, m, i);
        } else if (err == HPE_PAUSED_UPGRADE) {
          llhttp_resume(&r.parser);
          CHECK_INT((int)llhttp_get_errno(&r.parser), HPE_PAUSED_UPGRADE);
          llhttp_resume_after_upgrade(&r.parser);
          check_continues(&r, m, i);
        } else {
          check_stuck(&r, m, err);
        }
        rec_free(&r);
      }
    }
  }
}

/* ---- pauses in the middle of pieces ---- */

static int each_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  (void)at;
  if (rec_is_span(kind) && (r->hook_data == NULL || len == 0)) return 0;
  return HPE_PAUSED;
}

/* Executes in pieces of `size`, resuming; returns the number of pauses. */
static size_t drive(struct rec* r, const char* input, size_t len, size_t size) {
  size_t off = 0, end, pauses = 0;
  do {
    end = len - off > size ? off + size : len;
    while (rec_execute(r, input + off, end - off, off) == HPE_PAUSED) {
      const char* pos = llhttp_get_error_pos(&r->parser);
      if (!CHECK(pos >= input + off && pos <= input + end) || !CHECK(++pauses < 4 * len)) return pauses;
      off = (size_t)(pos - input);
      llhttp_resume(&r->parser);
    }
    off = end;
  } while (off < len && llhttp_get_errno(&r->parser) == HPE_OK);
  return pauses;
}

static void pause_always(void) {
  size_t m, size, spans, i;
  for (m = 0; m < MESSAGES; m++) {
    size_t len = strlen(messages[m].input), want[2] = {0, 0};
    for (i = 0; i < messages[m].count; i++) {
      want[0] += !rec_is_span(calm[m].events[i].kind);
      want[1] += !rec_is_span(calm[m].events[i].kind) || calm[m].events[i].len > 0;
    }
    for (size = 1; size <= len; size++) {
      for (spans = 0; spans < 2; spans++) {
        struct rec r;
        size_t pauses;
        busy(spans ? "all pause" : "all notify callbacks pause", messages[m].name, size, HPE_PAUSED);
        rec_init(&r, messages[m].type);
        r.hook = each_hook;
        r.hook_data = spans ? &r : NULL;
        pauses = drive(&r, messages[m].input, len, size);
        if (spans && size < len) CHECK(pauses >= want[1]);
        else CHECK_INT(pauses, want[spans]);
        r.count = rec_merge(r.events, r.count);
        CHECK(same_events(r.events, r.count, calm[m].events, calm[m].count, 0));
        CHECK_INT((int)llhttp_get_errno(&r.parser), HPE_OK);
        check_end(&r, m);
        rec_free(&r);
      }
    }
  }
}

/* Two pieces, cut anywhere, and each callback of that run in turn pauses. */
static void pause_in_pieces(void) {
  size_t m, cut, i;
  for (m = 0; m < MESSAGES; m++) {
    const char* input = messages[m].input;
    size_t len = strlen(input);
    for (cut = 1; cut < len; cut++) {
      int fired = 1;
      for (i = 0; fired; i++) {
        struct once once;
        struct rec r;
        size_t off = 0, end = cut, pauses = 0;
        busy("cut and pause", messages[m].name, i, (int)cut);
        once_init(&r, &once, m, i, HPE_PAUSED);
        for (;;) {
          int err = (int)rec_execute(&r, input + off, end - off, off);
          if (err == HPE_PAUSED) {
            size_t pos = (size_t)(llhttp_get_error_pos(&r.parser) - input);
            pauses++;
            if (!CHECK(pos >= off && pos <= end) || !CHECK(pauses < 4 * len)) break;
            off = pos;
            llhttp_resume(&r.parser);
          } else if (CHECK_INT(err, HPE_OK) && end < len) {
            off = end;
            end = len;
          } else {
            break;
          }
        }
        fired = once.calls > i; /* past the last callback: an undisturbed run */
        CHECK_INT(pauses, fired);
        r.count = rec_merge(r.events, r.count);
        CHECK(same_events(r.events, r.count, calm[m].events, calm[m].count, 0));
        check_end(&r, m);
        rec_free(&r);
      }
    }
  }
}

/* A span that is open at the end of a piece: its callback stops there, then the span goes on. */
static void open_span(void) {
  static const char input[] = "GET /abcdef HTTP/1.1\r\n\r\n";
  struct once once;
  struct rec r;
  char* log;
  check_about = "span open at the end of a piece";
  once_init(&r, &once, 0, 3, HPE_PAUSED);
  CHECK_INT((int)rec_execute(&r, input, 8, 0), HPE_PAUSED);
  CHECK_PTR(llhttp_get_error_pos(&r.parser), input + 8);
  CHECK_STR(llhttp_get_error_reason(&r.parser), NULL);
  llhttp_resume(&r.parser);
  CHECK_INT((int)rec_execute(&r, input + 8, sizeof input - 1 - 8, 8), HPE_OK);
  log = rec_log(r.events, r.count, input);
  CHECK_STR(log,
            "message_begin method=GET method_complete url=/abc url=def url_complete protocol=HTTP protocol_complete "
            "version=1.1 version_complete headers_complete message_complete");
  free(log);
  rec_free(&r);

  once_init(&r, &once, 0, 3, -1);
  CHECK_INT((int)rec_execute(&r, input, 8, 0), HPE_USER);
  CHECK_PTR(llhttp_get_error_pos(&r.parser), input + 8);
  CHECK_STR(llhttp_get_error_reason(&r.parser), "Span callback error in on_url");
  CHECK_INT((int)rec_execute(&r, input + 8, 3, 8), HPE_USER);
  CHECK_INT(r.count, 4);
  rec_free(&r);

  /* No bytes at all: the callback is called with none. It may stop the parse as well. */
  once_init(&r, &once, 0, 4, HPE_PAUSED_UPGRADE);
  CHECK_INT((int)rec_execute(&r, input, 8, 0), HPE_OK);
  CHECK_INT((int)rec_execute(&r, input + 8, 0, 8), HPE_PAUSED_UPGRADE);
  CHECK_PTR(llhttp_get_error_pos(&r.parser), input + 8);
  llhttp_resume_after_upgrade(&r.parser);
  CHECK_INT((int)rec_execute(&r, input + 8, 0, 8), HPE_OK);
  CHECK_INT((int)rec_execute(&r, input + 8, 3, 8), HPE_OK);
  CHECK_INT((int)rec_execute(&r, input + 11, 1, 11), HPE_OK);
  log = rec_log(r.events, r.count, input);
  CHECK_STR(log, "message_begin method=GET method_complete url=/abc url= url= url=def url=");
  free(log);
  rec_free(&r);
}

/* ---- on_headers_complete ---- */

static const struct {
  llhttp_type_t type;
  const char* input;
  int value;
  int err;
  int pos; /* -1: none */
  const char* reason;
  const char* log; /* after the first headers_complete */
} headers_complete[] = {
#define REQUEST "PUT / HTTP/1.1\r\nContent-Length: 2\r\n\r\n"
    {HTTP_REQUEST, REQUEST "ab", 0, HPE_OK, -1, NULL, "body=ab message_complete"},
    {HTTP_REQUEST, REQUEST "ab", 1, HPE_INVALID_METHOD, 37, "Invalid method encountered",
     "message_complete reset message_begin"},
    {HTTP_REQUEST, REQUEST, 1, HPE_OK, -1, NULL, "message_complete"},
    {HTTP_REQUEST, REQUEST "ab", 2, HPE_PAUSED_UPGRADE, 37, "Pause on CONNECT/Upgrade", "message_complete"},
    {HTTP_REQUEST, REQUEST "ab", HPE_PAUSED, HPE_PAUSED, 37, "Paused by on_headers_complete", ""},
    {HTTP_REQUEST, REQUEST "ab", -1, HPE_CB_HEADERS_COMPLETE, 37, "User callback error", ""},
    {HTTP_REQUEST, REQUEST "ab", 5, HPE_CB_HEADERS_COMPLETE, 37, "User callback error", ""},
    {HTTP_REQUEST, REQUEST "ab", HPE_PAUSED_UPGRADE, HPE_CB_HEADERS_COMPLETE, 37, "User callback error", ""},
#undef REQUEST
#define RESPONSE "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
#define NEXT "HTTP/1.1 304 N\r\n\r\n"
#define NEXT_LOG                                                                                                \
  "reset message_begin protocol=HTTP protocol_complete version=1.1 version_complete status=N status_complete " \
  "headers_complete message_complete"
    {HTTP_RESPONSE, RESPONSE NEXT, 1, HPE_OK, -1, NULL, "message_complete " NEXT_LOG},
    {HTTP_RESPONSE, RESPONSE "123456789", 0, HPE_OK, -1, NULL, "body=123456789 message_complete"},
    {HTTP_RESPONSE, RESPONSE NEXT, 2, HPE_PAUSED_UPGRADE, 38, "Pause on CONNECT/Upgrade", "message_complete"},
    {HTTP_RESPONSE, RESPONSE NEXT, 5, HPE_CB_HEADERS_COMPLETE, 38, "User callback error", ""},
#undef RESPONSE
    /* Without a length the connection would end the body; skipping the body makes the next message possible. */
    {HTTP_RESPONSE, "HTTP/1.1 200 OK\r\n\r\n" NEXT, 0, HPE_OK, -1, NULL, "body=HTTP/1.1_304_N\\x0d\\x0a\\x0d\\x0a"},
    {HTTP_RESPONSE, "HTTP/1.1 200 OK\r\n\r\n" NEXT, 1, HPE_OK, -1, NULL, "message_complete " NEXT_LOG},
    {HTTP_RESPONSE, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" NEXT, 1, HPE_OK, -1, NULL,
     "message_complete " NEXT_LOG},
    {HTTP_RESPONSE, "HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\n" NEXT, 1, HPE_CLOSED_CONNECTION, 39,
     "Data after `Connection: close`", "message_complete"},
    {HTTP_RESPONSE, "HTTP/1.1 101 S\r\n\r\n" NEXT, 0, HPE_PAUSED_UPGRADE, 18, "Pause on CONNECT/Upgrade",
     "message_complete"},
    {HTTP_RESPONSE, "HTTP/1.1 101 S\r\n\r\n" NEXT, 1, HPE_PAUSED_UPGRADE, 18, "Pause on CONNECT/Upgrade",
     "message_complete"},
#define CONNECT "CONNECT h:1 HTTP/1.1\r\nContent-Length: 3\r\n\r\n"
    {HTTP_REQUEST, CONNECT "abc", 0, HPE_PAUSED_UPGRADE, 43, "Pause on CONNECT/Upgrade", "message_complete"},
    {HTTP_REQUEST, CONNECT "abc", 1, HPE_PAUSED_UPGRADE, 43, "Pause on CONNECT/Upgrade", "message_complete"},
    {HTTP_REQUEST, CONNECT "abc", 2, HPE_PAUSED_UPGRADE, 43, "Pause on CONNECT/Upgrade", "message_complete"},
#undef CONNECT
#define UPGRADE "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\nContent-Length: 3\r\n\r\n"
    {HTTP_REQUEST, UPGRADE "abc", 0, HPE_PAUSED_UPGRADE, 73, "Pause on CONNECT/Upgrade", "body=abc message_complete"},
    {HTTP_REQUEST, UPGRADE "abc", 1, HPE_PAUSED_UPGRADE, 70, "Pause on CONNECT/Upgrade", "message_complete"},
    {HTTP_REQUEST, UPGRADE "abc", 2, HPE_PAUSED_UPGRADE, 70, "Pause on CONNECT/Upgrade", "message_complete"},
    {HTTP_REQUEST, UPGRADE "abc", HPE_PAUSED, HPE_PAUSED, 70, "Paused by on_headers_complete", ""},
#undef UPGRADE
#undef NEXT_LOG
#undef NEXT
};

struct headers_value {
  int value, done;
};

static int headers_hook(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  struct headers_value* h = r->hook_data;
  (void)at, (void)len;
  if (kind != REC_on_headers_complete || h->done) return 0;
  h->done = 1;
  return h->value;
}

static void headers_complete_values(void) {
  size_t i, n, size;
  for (i = 0; i < sizeof headers_complete / sizeof *headers_complete; i++) {
    const char* input = headers_complete[i].input;
    size_t len = strlen(input);
    for (size = 1; size <= len; size++) {
      struct headers_value h = {headers_complete[i].value, 0};
      struct rec r;
      size_t off = 0, end;
      const char *pos, *log_at;
      char* log;
      int err;
      busy("on_headers_complete", input, i, headers_complete[i].value);
      rec_init(&r, headers_complete[i].type);
      r.hook = headers_hook;
      r.hook_data = &h;
      do {
        end = len - off > size ? off + size : len;
        err = rec_execute(&r, input + off, end - off, off);
        off = end;
      } while (err == HPE_OK && off < len);
      pos = llhttp_get_error_pos(&r.parser);
      CHECK_INT(err, headers_complete[i].err);
      CHECK_INT(pos == NULL ? -1 : pos - input, headers_complete[i].pos);
      CHECK_STR(llhttp_get_error_reason(&r.parser), headers_complete[i].reason);
      r.count = rec_merge(r.events, r.count);
      for (n = 0; n < r.count && r.events[n].kind != REC_on_headers_complete; n++) continue;
      if (CHECK(n < r.count)) {
        /* In pieces, a wrong method is delivered up to the last cut. */
        if (err == HPE_INVALID_METHOD && r.events[r.count - 1].kind == REC_on_method) r.count--;
        log = rec_log(r.events + n, r.count - n, input);
        log_at = log + strlen("headers_complete");
        CHECK_STR(*log_at ? log_at + 1 : log_at, headers_complete[i].log);
        free(log);
      }
      rec_free(&r);
    }
  }
}

/* Paused in on_headers_complete, the decision about the body waits for the resume: what the caller does to the parser
 * in between counts. */
static void headers_complete_paused(void) {
  static const char input[] = "PUT / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab";
  struct headers_value h = {HPE_PAUSED, 0};
  struct rec r;
  char* log;
  check_about = "paused by on_headers_complete";
  rec_init(&r, HTTP_REQUEST);
  r.hook = headers_hook;
  r.hook_data = &h;
  CHECK_INT((int)rec_execute(&r, input, sizeof input - 1, 0), HPE_PAUSED);
  r.parser.flags |= F_SKIPBODY;
  r.parser.upgrade = 1;
  llhttp_resume(&r.parser);
  r.count = 0;
  CHECK_INT((int)rec_execute(&r, input + 37, 2, 37), HPE_PAUSED_UPGRADE);
  CHECK_PTR(llhttp_get_error_pos(&r.parser), input + 37);
  log = rec_log(r.events, r.count, input);
  CHECK_STR(log, "message_complete");
  free(log);
  rec_free(&r);
}

/* ---- reasons set by callbacks ---- */

static void reasons(void) {
  static const char own[] = "a reason of one's own";
  static const int values[] = {0, -1, HPE_PAUSED, HPE_USER, 77};
  size_t m, i, v;
  for (m = 0; m < MESSAGES; m++) {
    for (i = 0; i < messages[m].count; i++) {
      enum rec_kind kind = calm[m].events[i].kind;
      for (v = 0; v < sizeof values / sizeof *values; v++) {
        char span_reason[80];
        const char* want = own;
        struct once once;
        struct rec r;
        busy("reason", messages[m].name, i, values[v]);
        once_init(&r, &once, m, i, values[v]);
        once.set_reason = own;
        rec_execute(&r, messages[m].input, strlen(messages[m].input), 0);
        snprintf(span_reason, sizeof span_reason, "Span callback error in %s", rec_names[kind]);
        if (rec_is_span(kind)) {
          CHECK_INT((int)llhttp_get_errno(&r.parser), values[v] == -1 ? (int)HPE_USER : values[v]);
          if (values[v] == -1) want = span_reason;
        } else if (values[v] == HPE_PAUSED) {
          CHECK_INT((int)llhttp_get_errno(&r.parser), HPE_PAUSED);
          want = outcomes[outcome_of(kind)].pause_reason;
        } else if (values[v] != 0) {
          CHECK_INT((int)llhttp_get_errno(&r.parser), outcomes[outcome_of(kind)].error);
          want = outcomes[outcome_of(kind)].error_reason;
        } else {
          CHECK_INT((int)llhttp_get_errno(&r.parser), HPE_OK);
          CHECK(same_events(r.events, r.count, calm[m].events, calm[m].count, 1));
        }
        CHECK_STR(llhttp_get_error_reason(&r.parser), want);
        if (want == own) CHECK_PTR(llhttp_get_error_reason(&r.parser), own);
        rec_free(&r);
      }
    }
  }
}

/* A callback that is not set counts as one that returned 0, whatever the others do. */
static void absent(void) {
  size_t m, kind, i, n;
  for (m = 0; m < MESSAGES; m++) {
    for (kind = 0; kind < REC_KINDS; kind++) {
      struct rec r;
      struct rec_event* want;
      busy("absent", messages[m].name, kind, 0);
      rec_init(&r, messages[m].type);
      switch (kind) {
#define ABSENT(name)          \
  case REC_##name:            \
    r.settings.name = NULL;   \
    break;
        REC_SPANS(ABSENT)
        REC_NOTIFIES(ABSENT)
#undef ABSENT
      }
      CHECK_INT((int)rec_execute(&r, messages[m].input, strlen(messages[m].input), 0), HPE_OK);
      want = malloc(calm[m].count * sizeof *want);
      if (want == NULL) abort();
      for (i = n = 0; i < calm[m].count; i++)
        if (calm[m].events[i].kind != (enum rec_kind)kind) want[n++] = calm[m].events[i];
      CHECK(same_events(r.events, r.count, want, n, 1));
      check_end(&r, m);
      free(want);
      rec_free(&r);
    }
  }
}

int main(void) {
  size_t m;
  undisturbed();
  notify_values();
  span_values();
  pause_always();
  pause_in_pieces();
  open_span();
  headers_complete_values();
  headers_complete_paused();
  reasons();
  absent();
  for (m = 0; m < MESSAGES; m++) rec_free(&calm[m]);
  check_about = "";
  return check_done();
}
