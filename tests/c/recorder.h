/* Records what a parser does: every callback with its bytes as offsets into the whole input, and the fields that the
 * callback sees. A hook decides what each callback returns, and may meddle with the parser.
 *
 *   struct rec r;
 *   rec_init(&r, HTTP_REQUEST);
 *   rec_execute(&r, data, len, 0);       data holds the input from offset 0 on
 *   rec_text(&r, input)                  "message_begin method=GET method_complete ..."
 *   rec_free(&r);
 *
 * The recorder is found from the parser's address, so `data` stays free and llhttp_init in a callback does no harm. */
#ifndef TESTS_C_RECORDER_H_
#define TESTS_C_RECORDER_H_

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llhttp.h"

#define REC_SPANS(X)         \
  X(on_protocol)             \
  X(on_url)                  \
  X(on_status)               \
  X(on_method)               \
  X(on_version)              \
  X(on_header_field)         \
  X(on_header_value)         \
  X(on_chunk_extension_name) \
  X(on_chunk_extension_value) \
  X(on_body)

#define REC_NOTIFIES(X)               \
  X(on_message_begin)                 \
  X(on_headers_complete)              \
  X(on_message_complete)              \
  X(on_protocol_complete)             \
  X(on_url_complete)                  \
  X(on_status_complete)               \
  X(on_method_complete)               \
  X(on_version_complete)              \
  X(on_header_field_complete)         \
  X(on_header_value_complete)         \
  X(on_chunk_extension_name_complete) \
  X(on_chunk_extension_value_complete) \
  X(on_chunk_header)                  \
  X(on_chunk_complete)                \
  X(on_reset)

#define REC_ENUM(name) REC_##name,
enum rec_kind {
  REC_SPANS(REC_ENUM) REC_NOTIFIES(REC_ENUM) REC_KINDS, /* callbacks: spans first */
  REC_PAUSE = REC_KINDS,                                /* what a drive loop notes */
  REC_UPGRADE,
  REC_on_skipped_line, /* callbacks of llhttp_ext_t: a span and a notification */
  REC_on_skipped_line_complete,
  REC_FIRST_NOTIFY = REC_on_message_begin
};
#undef REC_ENUM

#define REC_NAME(name) #name,
static const char* const rec_names[] = {REC_SPANS(REC_NAME) REC_NOTIFIES(REC_NAME) "pause", "upgrade",
                                        "on_skipped_line", "on_skipped_line_complete"};
#undef REC_NAME

enum {
  REC_F_TYPE,
  REC_F_METHOD,
  REC_F_MAJOR,
  REC_F_MINOR,
  REC_F_STATUS,
  REC_F_FLAGS,
  REC_F_LENGTH,
  REC_F_UPGRADE,
  REC_F_KEEP_ALIVE,
  REC_F_NEEDS_EOF,
  REC_FIELDS
};
static const char* const rec_field_names[REC_FIELDS] = {"type",        "method",   "http_major",     "http_minor",
                                                        "status_code", "flags",    "content_length", "upgrade",
                                                        "keep_alive",  "needs_eof"};

struct rec_event {
  enum rec_kind kind;
  size_t off; /* span: where it begins; pause and upgrade: error position */
  size_t len; /* span */
  uint64_t fields[REC_FIELDS];
  const char* reason; /* pause and upgrade */
};

struct rec {
  llhttp_t parser;
  llhttp_settings_t settings;
  struct rec_event* events;
  size_t count, room;
  const char* piece; /* the bytes being executed: [piece, piece + piece_len), at piece_off of the input */
  size_t piece_len, piece_off;
  size_t strays; /* spans that do not lie in the piece */
  int (*hook)(struct rec* r, enum rec_kind kind, const char* at, size_t len);
  void* hook_data;
};

static inline int rec_is_span(enum rec_kind kind) { return kind < REC_FIRST_NOTIFY || kind == REC_on_skipped_line; }

static inline int rec_is_note(enum rec_kind kind) { return kind == REC_PAUSE || kind == REC_UPGRADE; }

static inline struct rec* rec_of(llhttp_t* parser) {
  return (struct rec*)((char*)parser - offsetof(struct rec, parser));
}

static inline void rec_fields(const llhttp_t* p, uint64_t f[REC_FIELDS]) {
  f[REC_F_TYPE] = p->type;
  f[REC_F_METHOD] = p->method;
  f[REC_F_MAJOR] = p->http_major;
  f[REC_F_MINOR] = p->http_minor;
  f[REC_F_STATUS] = p->status_code;
  f[REC_F_FLAGS] = p->flags;
  f[REC_F_LENGTH] = p->content_length;
  f[REC_F_UPGRADE] = p->upgrade;
  f[REC_F_KEEP_ALIVE] = (uint64_t)llhttp_should_keep_alive(p);
  f[REC_F_NEEDS_EOF] = (uint64_t)llhttp_message_needs_eof(p);
}

static inline struct rec_event* rec_add(struct rec* r, enum rec_kind kind) {
  struct rec_event* e;
  if (r->count == r->room) {
    size_t room = r->room ? 2 * r->room : 64;
    e = (struct rec_event*)realloc(r->events, room * sizeof *e);
    if (e == NULL) abort();
    r->events = e;
    r->room = room;
  }
  e = &r->events[r->count++];
  memset(e, 0, sizeof *e);
  e->kind = kind;
  return e;
}

static inline int rec_callback(llhttp_t* parser, enum rec_kind kind, const char* at, size_t len) {
  struct rec* r = rec_of(parser);
  struct rec_event* e = rec_add(r, kind);
  rec_fields(parser, e->fields);
  if (rec_is_span(kind)) {
    if (r->piece == NULL || at < r->piece || at > r->piece + r->piece_len ||
        len > (size_t)(r->piece + r->piece_len - at)) {
      r->strays++;
    } else {
      e->off = r->piece_off + (size_t)(at - r->piece);
      e->len = len;
    }
  }
  return r->hook ? r->hook(r, kind, at, len) : 0;
}

#define REC_SPAN(name)                                                         \
  static inline int rec_##name(llhttp_t *parser, const char *at, size_t len) { \
    return rec_callback(parser, REC_##name, at, len);                          \
  }
REC_SPANS(REC_SPAN)
#undef REC_SPAN
#define REC_NOTIFY(name) \
  static inline int rec_##name(llhttp_t *parser) { return rec_callback(parser, REC_##name, NULL, 0); }
REC_NOTIFIES(REC_NOTIFY)
#undef REC_NOTIFY

static inline void rec_settings(llhttp_settings_t* s) {
  llhttp_settings_init(s);
#define REC_SET(name) s->name = rec_##name;
  REC_SPANS(REC_SET)
  REC_NOTIFIES(REC_SET)
#undef REC_SET
}

/* Of llhttp_ext_t. */
static inline int rec_on_skipped_line(llhttp_t* parser, const char* at, size_t len) {
  return rec_callback(parser, REC_on_skipped_line, at, len);
}
static inline int rec_on_skipped_line_complete(llhttp_t* parser) {
  return rec_callback(parser, REC_on_skipped_line_complete, NULL, 0);
}

static inline void rec_init(struct rec* r, llhttp_type_t type) {
  memset(r, 0, sizeof *r);
  rec_settings(&r->settings);
  llhttp_init(&r->parser, type, &r->settings);
}

static inline void rec_free(struct rec* r) {
  free(r->events);
  r->events = NULL;
  r->count = r->room = 0;
}

static inline llhttp_errno_t rec_execute(struct rec* r, const char* data, size_t len, size_t off) {
  llhttp_errno_t err;
  r->piece = data;
  r->piece_len = len;
  r->piece_off = off;
  err = llhttp_execute(&r->parser, data, len);
  r->piece = NULL;
  return err;
}

/* Joins events of one span that continue each other, in place; returns the new count. */
static inline size_t rec_merge(struct rec_event* e, size_t count) {
  size_t out = 0, i;
  for (i = 0; i < count; i++) {
    if (out > 0 && rec_is_span(e[i].kind) && e[out - 1].kind == e[i].kind &&
        e[out - 1].off + e[out - 1].len == e[i].off)
      e[out - 1].len += e[i].len;
    else e[out++] = e[i];
  }
  return out;
}

static inline int rec_same_text(const char* a, const char* b) {
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Spans by their bytes, notify events by what they saw, pauses by position and reason. */
static inline int rec_same(const struct rec_event* a, const struct rec_event* b) {
  if (a->kind != b->kind) return 0;
  if (rec_is_span(a->kind)) return a->off == b->off && a->len == b->len;
  if (rec_is_note(a->kind)) return a->off == b->off && rec_same_text(a->reason, b->reason);
  return memcmp(a->fields, b->fields, sizeof a->fields) == 0;
}

/* A growing text. */
struct rec_buf {
  char* s;
  size_t len, room;
};

__attribute__((format(printf, 2, 3))) static inline void rec_printf(struct rec_buf* b, const char* format, ...) {
  va_list args;
  int n;
  va_start(args, format);
  n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0) abort();
  if (b->len + (size_t)n + 1 > b->room) {
    b->room = 2 * (b->len + (size_t)n + 64);
    b->s = (char*)realloc(b->s, b->room);
    if (b->s == NULL) abort();
  }
  va_start(args, format);
  vsnprintf(b->s + b->len, b->room - b->len, format, args);
  va_end(args);
  b->len += (size_t)n;
}

static inline void rec_bytes(struct rec_buf* b, const char* s, size_t len) {
  size_t i;
  for (i = 0; i < len; i++) {
    unsigned char c = (unsigned char)s[i];
    if (c > ' ' && c < 0x7f && c != '\\') rec_printf(b, "%c", c);
    else if (c == ' ') rec_printf(b, "_");
    else rec_printf(b, "\\x%02x", c);
  }
}

/* One event as text, without "on_": url=/index url_complete. A space in a span shows as "_". */
static inline void rec_event_text(struct rec_buf* b, const struct rec_event* e, const char* input) {
  const char* name = rec_names[e->kind];
  if (b->len > 0) rec_printf(b, " ");
  if (rec_is_span(e->kind)) {
    rec_printf(b, "%s=", name + 3);
    rec_bytes(b, input + e->off, e->len);
  } else if (rec_is_note(e->kind)) {
    rec_printf(b, "%s@%zu", name, e->off);
  } else {
    rec_printf(b, "%s", name + 3);
  }
}

/* The whole log; the caller frees it. */
static inline char* rec_log(const struct rec_event* events, size_t count, const char* input) {
  struct rec_buf b = {NULL, 0, 0};
  size_t i;
  rec_printf(&b, "%s", "");
  for (i = 0; i < count; i++) rec_event_text(&b, &events[i], input);
  return b.s;
}

#endif
