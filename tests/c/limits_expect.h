/* Where limits must strike, worked out from what a parser without limits shows: the places of all notifications, and
 * the bytes of all spans, when the input comes byte by byte. It knows nothing of how the library counts. */
#ifndef TESTS_C_LIMITS_EXPECT_H_
#define TESTS_C_LIMITS_EXPECT_H_

#include "recorder.h"

#include "llhttp_ext.h"

#define LIMIT_ENUM(name, member) LIMIT_##name,
enum limit { LLHTTP_EXT_LIMIT_MAP(LIMIT_ENUM) LIMITS };
#undef LIMIT_ENUM

/* The limits as numbers, in the order in which they go before each other. */
struct limits {
  uint64_t most[LIMITS];
};

static const char *const limit_reasons[LIMITS] = {
    "Request target exceeds max_target_length",
    "Field line exceeds max_field_line_length",
    "Field lines exceed max_fields",
    "Message head exceeds max_header_bytes",
    "Chunk extensions exceed max_chunk_extension_bytes",
    "Chunk extensions exceed max_message_chunk_extension_bytes",
    "Trailer section exceeds max_trailer_bytes",
};

static inline void limits_to(llhttp_ext_t *ext, const struct limits *l) {
#define LIMIT_SET(name, member) ext->member = l->most[LIMIT_##name];
  LLHTTP_EXT_LIMIT_MAP(LIMIT_SET)
#undef LIMIT_SET
}

static inline void rec_ext(llhttp_ext_t *ext, uint32_t rules) {
  llhttp_ext_init(ext);
  ext->rules = rules;
  ext->on_skipped_line = rec_on_skipped_line;
  ext->on_skipped_line_complete = rec_on_skipped_line_complete;
}

/* What an unlimited parser makes of an input. */
struct calm {
  const char *input;
  size_t len;
  llhttp_type_t type;
  uint16_t lenient;
  uint32_t rules;
  struct rec rec;    /* events: a notification's off is where the parse stood */
  llhttp_errno_t err; /* what it came to: HPE_OK, an error, or an upgrade that nobody declines */
  const char *reason;
  size_t end;        /* where; the input's length for HPE_OK */
  int in_target;     /* it came to that within the request-target, whose last piece is not empty then */
};

static inline void rec_lenient(struct rec *r, uint16_t flags) { r->parser.lenient_flags = flags; }

static inline int calm_hook(struct rec *r, enum rec_kind kind, const char *at, size_t len) {
  (void)r, (void)at, (void)len;
  return rec_is_span(kind) ? 0 : HPE_PAUSED;
}

static inline void calm_run(struct calm *c) {
  llhttp_ext_t ext;
  size_t at = 0;
  rec_init(&c->rec, c->type);
  rec_lenient(&c->rec, c->lenient);
  rec_ext(&ext, c->rules);
  llhttp_ext_attach(&c->rec.parser, &ext);
  c->rec.hook = calm_hook;
  c->err = HPE_OK;
  while (at < c->len) {
    size_t n = 1;
    while ((c->err = rec_execute(&c->rec, c->input + at, n, at)) == HPE_PAUSED) {
      size_t stood = (size_t)(llhttp_get_error_pos(&c->rec.parser) - c->input);
      c->rec.events[c->rec.count - 1].off = stood;
      llhttp_resume(&c->rec.parser);
      n -= stood - at;
      at = stood;
    }
    if (c->err != HPE_OK) break;
    at += n;
  }
  c->reason = llhttp_get_error_reason(&c->rec.parser);
  c->end = c->err == HPE_OK ? c->len : (size_t)(llhttp_get_error_pos(&c->rec.parser) - c->input);
  c->in_target = c->rec.count != 0 && c->rec.events[c->rec.count - 1].kind == REC_on_url &&
                 c->rec.events[c->rec.count - 1].len != 0;
  c->rec.count = rec_merge(c->rec.events, c->rec.count);
  llhttp_ext_attach(&c->rec.parser, NULL);
}

struct strike {
  size_t at; /* SIZE_MAX if no limit is exceeded */
  enum limit limit;
};

static inline void strike_at(struct strike *s, enum limit limit, size_t at) {
  if (at < s->at || (at == s->at && limit < s->limit)) {
    s->at = at;
    s->limit = limit;
  }
}

/* An element [from, to) may have so many bytes. */
static inline void strike_element(struct strike *s, const struct limits *l, enum limit limit, size_t from, size_t to) {
  if (l->most[limit] != 0 && to - from > l->most[limit]) strike_at(s, limit, from + (size_t)l->most[limit]);
}

static inline struct strike calm_strike(const struct calm *c, const struct limits *l) {
  enum { NONE = -1 };
  struct strike s = {SIZE_MAX, LIMITS};
  long long line = NONE, head = NONE, extensions = NONE, trailer = NONE;
  uint64_t fields = 0, extension_bytes = 0;
  size_t i;
  for (i = 0; i <= c->rec.count; i++) {
    const struct rec_event *e = &c->rec.events[i];
    const int over = i == c->rec.count; /* the input ends, or the parser has stopped: so do all elements */
    const size_t off = over ? c->end : e->off;
    const enum rec_kind kind = over ? REC_KINDS : e->kind;
    const int last_chunk = kind == REC_on_chunk_header && e->fields[REC_F_LENGTH] == 0;
    if (kind == REC_on_message_begin) {
      head = (long long)off;
      fields = extension_bytes = 0;
    }
    if (kind == REC_on_url)
      strike_element(&s, l, LIMIT_target_length, off, c->in_target && i == c->rec.count - 1 ? c->end : off + e->len);
    if ((kind == REC_on_header_field || kind == REC_on_skipped_line) && line == NONE) {
      line = (long long)off;
      fields++;
      /* Unless its first byte is an error: that counts before the limit. */
      if (l->most[LIMIT_fields] != 0 && fields > l->most[LIMIT_fields] && c->end > off) strike_at(&s, LIMIT_fields, off);
    }
    if ((kind == REC_on_header_value_complete || kind == REC_on_skipped_line_complete || over) && line != NONE) {
      strike_element(&s, l, LIMIT_field_line_length, (size_t)line, off);
      line = NONE;
    }
    if ((kind == REC_on_headers_complete || over) && head != NONE) {
      strike_element(&s, l, LIMIT_header_bytes, (size_t)head, off);
      head = NONE;
    }
    if (kind == REC_on_chunk_extension_name && extensions == NONE) extensions = (long long)off;
    if ((kind == REC_on_chunk_header || over) && extensions != NONE) {
      const uint64_t most = l->most[LIMIT_message_chunk_extension_bytes];
      const size_t bytes = off - (size_t)extensions;
      strike_element(&s, l, LIMIT_chunk_extension_bytes, (size_t)extensions, off);
      if (most != 0 && extension_bytes + bytes > most)
        strike_at(&s, LIMIT_message_chunk_extension_bytes, (size_t)extensions + (size_t)(most - extension_bytes));
      extension_bytes += bytes;
      extensions = NONE;
    }
    if ((kind == REC_on_chunk_complete || over) && trailer != NONE) {
      strike_element(&s, l, LIMIT_trailer_bytes, (size_t)trailer, off);
      trailer = NONE;
    }
    if (last_chunk) trailer = (long long)off;
  }
  return s;
}

/* The errno, reason and place to which a parser with these limits must come. */
struct outcome {
  llhttp_errno_t err;
  const char *reason;
  size_t at;
};

static inline struct outcome calm_outcome(const struct calm *c, const struct limits *l) {
  const struct strike s = calm_strike(c, l);
  struct outcome o = {c->err, c->reason, c->end};
  if (s.at != SIZE_MAX) {
    o.err = HPE_USER;
    o.reason = limit_reasons[s.limit];
    o.at = s.at;
  }
  return o;
}

/* Whether what a limited parser has said is what the calm one said up to a place: every notification up to there and
 * none behind it, and of the span in which it lies any part or none. */
static inline int calm_prefix(const struct calm *c, struct rec *r, size_t at) {
  size_t i;
  r->count = rec_merge(r->events, r->count);
  for (i = 0; i < r->count; i++) {
    const struct rec_event *got = &r->events[i], *want = &c->rec.events[i];
    if (i == c->rec.count) return 0;
    if (rec_same(got, want)) {
      if (!rec_is_span(want->kind) && want->off > at) return 0;
      continue;
    }
    if (i != r->count - 1 || !rec_is_span(want->kind) || got->kind != want->kind || got->off != want->off) return 0;
    if (got->len > want->len || got->off + got->len > at) return 0;
  }
  for (; i < c->rec.count; i++)
    if (!rec_is_span(c->rec.events[i].kind) && c->rec.events[i].off <= at) return 0;
  return 1;
}

#endif
