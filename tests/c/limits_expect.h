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

/* What callbacks without a span change, the n-th of them for a number that says how: nothing if that is 0. To attach
 * something, be it the same, ends what has been counted. */
enum change_kind {
  CHANGE_NOTHING, CHANGE_LENIENT, CHANGE_RULE, CHANGE_LIMIT, CHANGE_ATTACH, CHANGE_SKIP_BODY, CHANGE_UPGRADE, CHANGES
};
struct change {
  enum change_kind kind;
  uint64_t value;
};

static inline struct change change_of(uint32_t changes, size_t n) {
  struct change a = {CHANGE_NOTHING, 0};
  uint64_t x = (changes + (uint64_t)n) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x ^= x >> 27;
  if (changes == 0 || x % 4 != 0) return a;
  a.kind = (enum change_kind)(x / 4 % CHANGES);
  a.value = x >> 32;
  return a;
}

/* Of a change that sets a limit. */
static inline void change_limit(struct change a, struct limits *l) { l->most[a.value % LIMITS] = a.value / LIMITS % 60; }

/* For the hook of a recorder: data is one of these. */
struct changing {
  uint32_t changes;
  size_t n; /* callbacks without a span so far */
  llhttp_ext_t *ext;
  struct limits *limits; /* those set in ext; NULL if there must be none */
};

static inline void change_now(struct changing *changing, struct rec *r, enum rec_kind kind) {
  static const uint32_t rules[] = {
#define CHANGE_RULE_VALUE(value, name, word) value,
      LLHTTP_EXT_RULE_MAP(CHANGE_RULE_VALUE)
#undef CHANGE_RULE_VALUE
  };
  const struct change a = change_of(changing->changes, changing->n++);
  llhttp_t *p = &r->parser;
  switch (a.kind) {
    case CHANGE_LENIENT: p->lenient_flags ^= (uint16_t)(1u << a.value % 10); break;
    case CHANGE_RULE: changing->ext->rules ^= rules[a.value % (sizeof rules / sizeof *rules)]; break;
    case CHANGE_LIMIT:
      if (changing->limits == NULL) break;
      change_limit(a, changing->limits);
      limits_to(changing->ext, changing->limits);
      break;
    case CHANGE_ATTACH: llhttp_ext_attach(p, changing->ext); break;
    case CHANGE_SKIP_BODY:
      if (kind == REC_on_headers_complete) p->flags |= F_SKIPBODY;
      break;
    case CHANGE_UPGRADE:
      if (kind == REC_on_headers_complete) p->upgrade = 1;
      break;
    default: break;
  }
}

/* What an unlimited parser makes of an input. */
struct calm {
  const char *input;
  size_t len;
  llhttp_type_t type;
  uint16_t lenient;
  uint32_t rules;
  uint32_t changes;
  struct rec rec;    /* events: a notification's off is where the parse stood */
  llhttp_errno_t err; /* what it came to: HPE_OK, an error, or an upgrade that nobody declines */
  const char *reason;
  size_t end;        /* where; the input's length for HPE_OK */
  int in_target;     /* it came to that within the request-target, whose last piece is not empty then */
};

static inline void rec_lenient(struct rec *r, uint16_t flags) { r->parser.lenient_flags = flags; }

static inline int calm_hook(struct rec *r, enum rec_kind kind, const char *at, size_t len) {
  (void)at, (void)len;
  if (rec_is_span(kind)) return 0;
  change_now((struct changing *)r->hook_data, r, kind);
  return HPE_PAUSED;
}

static inline void calm_run(struct calm *c) {
  llhttp_ext_t ext;
  struct changing changing = {c->changes, 0, &ext, NULL};
  size_t at = 0;
  rec_init(&c->rec, c->type);
  rec_lenient(&c->rec, c->lenient);
  rec_ext(&ext, c->rules);
  llhttp_ext_attach(&c->rec.parser, &ext);
  c->rec.hook = calm_hook;
  c->rec.hook_data = &changing;
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

/* What is under way, with the limit as it was when it began; none if that is 0. */
struct element {
  int on;
  size_t from;
  uint64_t most;
};

static inline void element_begin(struct element *e, size_t from, uint64_t most) {
  e->on = 1;
  e->from = from;
  e->most = most;
}

/* It ends, or the parse does. */
static inline void element_end(struct strike *s, enum limit limit, struct element *e, size_t to) {
  if (e->on && e->most != 0 && to - e->from > e->most) strike_at(s, limit, e->from + (size_t)e->most);
  e->on = 0;
}

static inline struct strike calm_strike(const struct calm *c, const struct limits *limits) {
  struct strike s = {SIZE_MAX, LIMITS};
  struct limits l = *limits;
  struct element target = {0, 0, 0}, line = target, head = target, extensions = target, all = target, trailer = target;
  uint64_t fields = 0, extension_bytes = 0;
  size_t i, n = 0;
  for (i = 0; i <= c->rec.count; i++) {
    const struct rec_event *e = &c->rec.events[i];
    const int over = i == c->rec.count; /* the input ends, or the parser has stopped: so do all elements */
    const size_t off = over ? c->end : e->off;
    const enum rec_kind kind = over ? REC_KINDS : e->kind;
    const struct change change = change_of(over || rec_is_span(kind) ? 0 : c->changes, n);
    const int stop = over || change.kind == CHANGE_ATTACH;
    n += !over && !rec_is_span(kind);
    /* What ends here. */
    if (kind == REC_on_url) {
      element_begin(&target, off, l.most[LIMIT_target_length]);
      element_end(&s, LIMIT_target_length, &target, c->in_target && i == c->rec.count - 1 ? c->end : off + e->len);
    }
    if (kind == REC_on_header_value_complete || kind == REC_on_skipped_line_complete || stop)
      element_end(&s, LIMIT_field_line_length, &line, off);
    if (kind == REC_on_headers_complete || stop) element_end(&s, LIMIT_header_bytes, &head, off);
    if ((kind == REC_on_chunk_header || stop) && extensions.on) {
      extension_bytes += off - extensions.from;
      element_end(&s, LIMIT_chunk_extension_bytes, &extensions, off);
      element_end(&s, LIMIT_message_chunk_extension_bytes, &all, off);
    }
    if (kind == REC_on_chunk_complete || stop) element_end(&s, LIMIT_trailer_bytes, &trailer, off);
    /* What begins here, if nothing has been attached. */
    if (kind == REC_on_message_begin || change.kind == CHANGE_ATTACH) fields = extension_bytes = 0;
    if (change.kind == CHANGE_ATTACH) continue;
    if (kind == REC_on_message_begin) element_begin(&head, off, l.most[LIMIT_header_bytes]);
    if ((kind == REC_on_header_field || kind == REC_on_skipped_line) && !line.on) {
      element_begin(&line, off, l.most[LIMIT_field_line_length]);
      fields++;
      /* Unless its first byte is an error: that counts before the limit. */
      if (l.most[LIMIT_fields] != 0 && fields > l.most[LIMIT_fields] && c->end > off) strike_at(&s, LIMIT_fields, off);
    }
    if (kind == REC_on_chunk_extension_name && !extensions.on) {
      const uint64_t most = l.most[LIMIT_message_chunk_extension_bytes];
      element_begin(&extensions, off, l.most[LIMIT_chunk_extension_bytes]);
      element_begin(&all, off, most > extension_bytes ? most - extension_bytes : 0);
      if (most != 0 && most <= extension_bytes && c->end > off)
        strike_at(&s, LIMIT_message_chunk_extension_bytes, off);
    }
    if (kind == REC_on_chunk_header && e->fields[REC_F_LENGTH] == 0)
      element_begin(&trailer, off, l.most[LIMIT_trailer_bytes]);
    if (change.kind == CHANGE_LIMIT) change_limit(change, &l);
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
