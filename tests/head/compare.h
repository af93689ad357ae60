/* A header section in llhttp_ext_head_parse and in callbacks, which must say the same: the same fields, the same errors at the
 * same place, the same framing, whatever of the input is there at first; and ids, links and lookups are what a search of
 * all names gives. Input and memory end at inaccessible pages. Checks count as in check.h. */
#ifndef TESTS_HEAD_COMPARE_H_
#define TESTS_HEAD_COMPARE_H_

#include "../c/check.h"
#include "../c/guard.h"
#include "../c/recorder.h"
#include "../diff/diff.h"

#include <strings.h>

#include "llhttp_ext.h"

enum { MOST_FIELDS = 1200 };

struct input {
  const char* bytes;
  size_t len;
  int type;
  uint16_t lenient;
};

/* Set to plant a difference, to see that it is found: of two fields and more that come in pieces the last loses its
 * id. */
static int head_plant;

static struct guard head_pages, head_memories;
static uint64_t head_runs;

static inline void head_open(void) {
  head_pages = guard_new(1 << 17);
  head_memories = guard_new(LLHTTP_EXT_HEAD_MEMORY(MOST_FIELDS));
}

/* What the callbacks say of an input's header section. */
struct span {
  size_t off, len;
};
struct expected {
  struct span target, reason, names[MOST_FIELDS], values[MOST_FIELDS];
  size_t named, count; /* names, and fields, that are complete */
  int result, target_complete, reason_complete;
  size_t size;
  const char* why;
  uint64_t fields[REC_FIELDS];
  struct rec rest; /* what follows, with all of the input at hand */
  int rest_result;
};

static inline int head_stop(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  (void)r, (void)at, (void)len;
  return kind == REC_on_headers_complete ? HPE_PAUSED : 0;
}

static inline void head_extend(struct span* s, const struct rec_event* e, int first) {
  if (first) s->off = e->off;
  s->len = e->off + e->len - s->off;
}

static inline void head_expect(struct expected* x, const struct input* in) {
  struct rec* r = &x->rest;
  size_t i, k;
  int open = 0;
  memset(x, 0, offsetof(struct expected, rest));
  rec_init(r, (llhttp_type_t)in->type);
  r->parser.lenient_flags = in->lenient;
  r->hook = head_stop;
  x->result = rec_execute(r, in->bytes, in->len, 0);
  for (i = 0; i < r->count; i++) {
    const struct rec_event* e = &r->events[i];
    switch (e->kind) {
      case REC_on_url: head_extend(&x->target, e, x->target.len == 0); break;
      case REC_on_status: head_extend(&x->reason, e, x->reason.len == 0); break;
      case REC_on_url_complete: x->target_complete = 1; break;
      case REC_on_status_complete: x->reason_complete = 1; break;
      case REC_on_header_field: head_extend(&x->names[x->named], e, !open), open = 1; break;
      case REC_on_header_field_complete:
        if (++x->named == MOST_FIELDS) exit(2);
        open = 0;
        break;
      case REC_on_header_value: head_extend(&x->values[x->count], e, !open), open = 1; break;
      case REC_on_header_value_complete: x->count++, open = 0; break;
      default: break;
    }
  }
  for (k = 0; k < x->count; k++)
    while (x->values[k].len != 0 && strchr(" \t", in->bytes[x->values[k].off + x->values[k].len - 1]) != NULL &&
           in->bytes[x->values[k].off + x->values[k].len - 1] != '\0')
      x->values[k].len--;
  rec_fields(&r->parser, x->fields);
  x->size = in->len;
  if (x->result != HPE_OK) x->size = (size_t)(r->parser.error_pos - in->bytes);
  if (x->result == HPE_PAUSED) {
    llhttp_resume(&r->parser);
    llhttp_set_error_reason(&r->parser, NULL);
    r->count = 0;
    r->hook = NULL;
    x->rest_result = rec_execute(r, in->bytes + x->size, in->len - x->size, x->size);
    x->result = HPE_OK;
    /* An error in front of the body is the section's. */
    if (x->rest_result == HPE_INVALID_TRANSFER_ENCODING && r->count == 0 && r->parser.error_pos == in->bytes + x->size)
      x->result = x->rest_result;
  } else if (x->result == HPE_OK) {
    x->result = LLHTTP_EXT_HEAD_PARTIAL;
  }
  x->why = r->parser.reason;
}

static inline int head_same_name(const struct input* in, const llhttp_ext_field_t* a, const llhttp_ext_field_t* b) {
  return a->name_length == b->name_length &&
         strncasecmp(in->bytes + a->name_offset, in->bytes + b->name_offset, a->name_length) == 0;
}

/* Ids, links and lookups, each by looking through all fields. */
static inline void head_check_index(const llhttp_ext_head_t* h, const struct input* in, struct rng* r) {
  uint32_t i, k;
  int id, firsts[LLHTTP_EXT_HEAD_IDS];
  for (i = 0; i < h->count; i++) {
    const llhttp_ext_field_t* f = &h->fields[i];
    int first = (int)i, next = -1;
    char name[300];
    for (k = 0; k < i; k++)
      if (head_same_name(in, f, &h->fields[k])) break;
    first = (int)k;
    for (k = i + 1; k < h->count && next < 0; k++)
      if (head_same_name(in, f, &h->fields[k])) next = (int)k;
    CHECK_INT(llhttp_ext_head_next(h, (int)i), next);
    id = llhttp_ext_field_id(in->bytes + f->name_offset, f->name_length);
    CHECK_INT(h->infos[i].id, id);
    if (id != 0) CHECK_INT(llhttp_ext_head_first(h, id), first);
    if (f->name_length < sizeof name) {
      for (k = 0; k < f->name_length; k++) {
        char c = in->bytes[f->name_offset + k];
        name[k] = ((c | 0x20) >= 'a' && (c | 0x20) <= 'z' && rng_below(r, 2)) ? c ^ 0x20 : c;
      }
      CHECK_INT(llhttp_ext_head_find(h, in->bytes, name, f->name_length), first);
      if (f->name_length != 0) {
        name[rng_below(r, f->name_length)] ^= 0x01;
        for (k = 0; k < h->count; k++)
          if (h->fields[k].name_length == f->name_length &&
              strncasecmp(in->bytes + h->fields[k].name_offset, name, f->name_length) == 0)
            break;
        CHECK_INT(llhttp_ext_head_find(h, in->bytes, name, f->name_length), k == h->count ? -1 : (int)k);
      }
    }
  }
  for (id = 0; id < LLHTTP_EXT_HEAD_IDS; id++) firsts[id] = -1;
  for (i = h->count; i-- > 0;) firsts[h->infos[i].id % LLHTTP_EXT_HEAD_IDS] = (int)i;
  firsts[0] = -1;
  for (id = 0; id < LLHTTP_EXT_HEAD_IDS; id++)
    if (llhttp_ext_head_first(h, id) != firsts[id]) CHECK_INT(llhttp_ext_head_first(h, id), firsts[id]);
  CHECK_INT(llhttp_ext_head_first(h, -1), -1);
  CHECK_INT(llhttp_ext_head_first(h, LLHTTP_EXT_HEAD_IDS), -1);
  CHECK_INT(llhttp_ext_head_next(h, -1), -1);
  CHECK_INT(llhttp_ext_head_next(h, (int)h->count), -1);
  CHECK_INT(llhttp_ext_head_find(h, in->bytes, "", 0), -1);
}

/* What the parser says of the rest, if the head has taken the section. */
static inline void head_check_rest(const llhttp_ext_head_t* h, const struct input* in, const struct expected* x) {
  struct rec r;
  size_t i;
  int result, ends = LLHTTP_EXT_BODY_NONE;
  rec_init(&r, (llhttp_type_t)in->type);
  r.parser.lenient_flags = in->lenient;
  llhttp_ext_head_continue(h, &r.parser);
  result = rec_execute(&r, in->bytes + h->size, in->len - h->size, h->size);
  CHECK_INT(result, x->rest_result);
  CHECK_STR(r.parser.reason, x->rest.parser.reason);
  CHECK_INT(r.count, x->rest.count);
  for (i = 0; i < r.count && i < x->rest.count; i++) {
    CHECK(rec_same(&r.events[i], &x->rest.events[i]));
  }
  /* How the body ends shows before its first byte. */
  r.count = 0;
  llhttp_init(&r.parser, (llhttp_type_t)in->type, &r.settings);
  llhttp_ext_head_continue(h, &r.parser);
  result = rec_execute(&r, in->bytes + h->size, 0, h->size);
  if (result == HPE_PAUSED_UPGRADE) ends = LLHTTP_EXT_BODY_UPGRADE;
  else if (r.parser.finish == HTTP_FINISH_SAFE_WITH_CB) ends = LLHTTP_EXT_BODY_EOF;
  else if (r.count == 0) ends = h->flags & F_CHUNKED ? LLHTTP_EXT_BODY_CHUNKED : LLHTTP_EXT_BODY_LENGTH;
  CHECK_INT(h->body, ends);
  rec_free(&r);
}

/* A parser that is continued has counted the section's fields, and so has one that has parsed the section. */
static inline void head_check_counted(const llhttp_ext_head_t* h, const struct input* in, struct rng* r) {
  const uint64_t most = h->count + rng_below(r, 3);
  struct rec recs[2];
  llhttp_ext_t exts[2];
  int results[2], continued;
  size_t i;
  for (continued = 0; continued < 2; continued++) {
    struct rec* rec = &recs[continued];
    rec_init(rec, (llhttp_type_t)in->type);
    rec->parser.lenient_flags = in->lenient;
    llhttp_ext_init(&exts[continued]);
    exts[continued].max_fields = most;
    CHECK_INT(llhttp_ext_attach(&rec->parser, &exts[continued]), 0);
    if (continued) {
      llhttp_ext_head_continue(h, &rec->parser);
    } else {
      rec->hook = head_stop;
      CHECK_INT(rec_execute(rec, in->bytes, in->len, 0), HPE_PAUSED);
      llhttp_resume(&rec->parser);
      llhttp_set_error_reason(&rec->parser, NULL);
    }
    rec->hook = NULL;
    rec->count = 0;
    results[continued] = rec_execute(rec, in->bytes + h->size, in->len - h->size, h->size);
  }
  CHECK_INT(results[1], results[0]);
  CHECK_STR(recs[1].parser.reason, recs[0].parser.reason);
  if (results[0] != HPE_OK) CHECK_PTR(recs[1].parser.error_pos, recs[0].parser.error_pos);
  CHECK_INT(recs[1].count, recs[0].count);
  for (i = 0; i < recs[0].count && i < recs[1].count; i++) CHECK(rec_same(&recs[1].events[i], &recs[0].events[i]));
  rec_free(&recs[0]);
  rec_free(&recs[1]);
}

static inline void head_check(const llhttp_ext_head_t* h, const struct input* in, const struct expected* x, int result,
                              struct rng* r) {
  size_t i;
  int too_many = x->named > h->room;
  if (too_many) {
    CHECK_INT(result, LLHTTP_EXT_HEAD_TOO_MANY);
    CHECK_INT(h->count, h->room);
    CHECK_INT(h->size, x->names[h->room].off);
  } else {
    CHECK_INT(result, x->result);
    CHECK_INT(h->count, x->count);
    CHECK_INT(h->size, x->size);
    if (result > 0) CHECK_STR(h->reason, x->why);
  }
  if (!CHECK(h->count <= x->count)) return;
  for (i = 0; i < h->count; i++) {
    const llhttp_ext_field_t* f = &h->fields[i];
    CHECK_INT(f->name_offset, x->names[i].off);
    CHECK_INT(f->name_length, x->names[i].len);
    CHECK_INT(f->value_length, x->values[i].len);
    if (f->value_length != 0) CHECK_INT(f->value_offset, x->values[i].off);
    CHECK(f->value_offset + (uint64_t)f->value_length <= in->len);
  }
  if (x->target_complete) CHECK_INT(h->target_length, x->target.len);
  if (x->target_complete && h->target_length != 0) CHECK_INT(h->target_offset, x->target.off);
  if (x->reason_complete) CHECK_INT(h->reason_length, x->reason.len);
  if (x->reason_complete && h->reason_length != 0) CHECK_INT(h->reason_offset, x->reason.off);
  if (result != HPE_OK) return;
  CHECK_INT(h->type, x->fields[REC_F_TYPE]);
  CHECK_INT(h->method, x->fields[REC_F_METHOD]);
  CHECK_INT(h->http_major, x->fields[REC_F_MAJOR]);
  CHECK_INT(h->http_minor, x->fields[REC_F_MINOR]);
  CHECK_INT(h->status_code, x->fields[REC_F_STATUS]);
  CHECK_INT(h->flags, x->fields[REC_F_FLAGS]);
  CHECK_INT(h->content_length, x->fields[REC_F_LENGTH]);
  CHECK_INT(h->upgrade, x->fields[REC_F_UPGRADE]);
  CHECK_INT(h->keep_alive, x->fields[REC_F_KEEP_ALIVE]);
  CHECK_INT(h->lenient_flags, in->lenient);
  head_check_index(h, in, r);
  head_check_rest(h, in, x);
  head_check_counted(h, in, r);
}

/* Puts len bytes of the input against one of the inaccessible pages. */
static inline char* head_place(const struct input* in, size_t len) {
  memset(head_pages.start, 0xee, len);
  memset(head_pages.end - len, 0xee, len);
  return head_runs & 1 ? guard_at_end(&head_pages, in->bytes, len) : guard_at_start(&head_pages, in->bytes, len);
}

/* Gives the input in growing pieces: first so many bytes, then step more each time. The head moves in between; before that, it may
 * have begun with another section, and forgotten it. */
static inline void head_compare(const struct input* in, const struct expected* x, size_t room, size_t first,
                                size_t step, struct rng* r) {
  static llhttp_ext_head_t heads[2];
  llhttp_ext_head_t* head = &heads[0];
  char about[200];
  const size_t size = LLHTTP_EXT_HEAD_MEMORY(room), spare = (8 - size % 8) % 8;
  size_t have;
  int result = LLHTTP_EXT_HEAD_PARTIAL;
  snprintf(about, sizeof about, "type %d, lenient %x, room %zu, %zu bytes, first %zu, then %zu more: %.60s", in->type,
           in->lenient, room, in->len, first, step, in->bytes);
  check_about = about;
  llhttp_ext_head_init(head, in->type, head_runs++ & 2 ? head_memories.end - size - spare : head_memories.start, size);
  CHECK_INT(head->room, room);
  head->lenient_flags = in->lenient;
  if (head_runs & 4) {
    have = in->len - first % (in->len + 1);
    llhttp_ext_head_parse(head, head_place(in, have), have);
    llhttp_ext_head_reset(head);
    head->type = (uint8_t)in->type;
  }
  for (have = first < in->len ? first : in->len;; have = have + step < in->len ? have + step : in->len) {
    llhttp_ext_head_t* to = &heads[(head_runs + have) & 1];
    if (to != head) {
      *to = *head;
      memset(head, 0xee, sizeof *head);
      head = to;
    }
    result = llhttp_ext_head_parse(head, head_place(in, have), have);
    if (result != LLHTTP_EXT_HEAD_PARTIAL || have == in->len) break;
    CHECK_INT(head->size, have);
  }
  if (head_plant && result == HPE_OK && have > first && head->count > 1) head->infos[head->count - 1].id = 0;
  head_check(head, in, x, result, r);
  /* After a section comes another: here the same one, at once. */
  if (result != LLHTTP_EXT_HEAD_PARTIAL) {
    head->type = (uint8_t)in->type;
    head_check(head, in, x, llhttp_ext_head_parse(head, head_place(in, in->len), in->len), r);
  }
  check_about = "";
}

#endif
