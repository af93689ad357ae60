/* llhttp_ext_head_parse against the callbacks: the same fields, the same errors at the same place, the same framing, whatever of the
 * input is there at first; and ids, links and lookups against what a search of all names gives.
 *
 *   head [--seed N] [--count N] [--few] [VECTORS.txt]
 *
 * Inputs: the vectors, given at first up to every byte, and byte by byte; then random ones of the differential test's generator, and
 * sections of names that repeat, differ in letters' case, or nearly collide. Input and memory end at inaccessible pages. */
#include "../c/check.h"
#include "../c/guard.h"
#include "../c/recorder.h"
#include "../diff/generate.h"
#include "../vectors/inputs.h"

#include <strings.h>

#include "collide.h"
#include "llhttp_ext.h"

enum { MOST_FIELDS = 1200 };

struct input {
  const char* bytes;
  size_t len;
  int type;
  uint16_t lenient;
};

static struct guard pages, memories;

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

static int stop_at_headers(struct rec* r, enum rec_kind kind, const char* at, size_t len) {
  (void)r, (void)at, (void)len;
  return kind == REC_on_headers_complete ? HPE_PAUSED : 0;
}

static void extend(struct span* s, const struct rec_event* e, int first) {
  if (first) s->off = e->off;
  s->len = e->off + e->len - s->off;
}

static void expect(struct expected* x, const struct input* in) {
  struct rec* r = &x->rest;
  size_t i, k;
  int open = 0;
  memset(x, 0, offsetof(struct expected, rest));
  rec_init(r, (llhttp_type_t)in->type);
  r->parser.lenient_flags = in->lenient;
  r->hook = stop_at_headers;
  x->result = rec_execute(r, in->bytes, in->len, 0);
  for (i = 0; i < r->count; i++) {
    const struct rec_event* e = &r->events[i];
    switch (e->kind) {
      case REC_on_url: extend(&x->target, e, x->target.len == 0); break;
      case REC_on_status: extend(&x->reason, e, x->reason.len == 0); break;
      case REC_on_url_complete: x->target_complete = 1; break;
      case REC_on_status_complete: x->reason_complete = 1; break;
      case REC_on_header_field: extend(&x->names[x->named], e, !open), open = 1; break;
      case REC_on_header_field_complete:
        if (++x->named == MOST_FIELDS) exit(2);
        open = 0;
        break;
      case REC_on_header_value: extend(&x->values[x->count], e, !open), open = 1; break;
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

static int same_name(const struct input* in, const llhttp_ext_field_t* a, const llhttp_ext_field_t* b) {
  return a->name_length == b->name_length &&
         strncasecmp(in->bytes + a->name_offset, in->bytes + b->name_offset, a->name_length) == 0;
}

/* Ids, links and lookups, each by looking through all fields. */
static void check_index(const llhttp_ext_head_t* h, const struct input* in, struct rng* r) {
  uint32_t i, k;
  int id;
  for (i = 0; i < h->count; i++) {
    const llhttp_ext_field_t* f = &h->fields[i];
    int first = (int)i, next = -1;
    char name[300];
    for (k = 0; k < i; k++)
      if (same_name(in, f, &h->fields[k])) break;
    first = (int)k;
    for (k = i + 1; k < h->count && next < 0; k++)
      if (same_name(in, f, &h->fields[k])) next = (int)k;
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
  for (id = 0; id < LLHTTP_EXT_HEAD_IDS; id++) {
    for (k = 0; k < h->count && (id == 0 || h->infos[k].id != id); k++) {}
    CHECK_INT(llhttp_ext_head_first(h, id), k == h->count ? -1 : (int)k);
  }
  CHECK_INT(llhttp_ext_head_first(h, -1), -1);
  CHECK_INT(llhttp_ext_head_first(h, LLHTTP_EXT_HEAD_IDS), -1);
  CHECK_INT(llhttp_ext_head_next(h, -1), -1);
  CHECK_INT(llhttp_ext_head_next(h, (int)h->count), -1);
  CHECK_INT(llhttp_ext_head_find(h, in->bytes, "", 0), -1);
}

/* What the parser says of the rest, if the head has taken the section. */
static void check_rest(const llhttp_ext_head_t* h, const struct input* in, const struct expected* x) {
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

static void check_head(const llhttp_ext_head_t* h, const struct input* in, const struct expected* x, int result,
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
  check_index(h, in, r);
  check_rest(h, in, x);
}

static struct expected x;

/* Gives the input in growing pieces, at other places each time; `next` says how much there is after at bytes. */
static void compare(const struct input* in, size_t room, size_t first, size_t step, struct rng* r) {
  static llhttp_ext_head_t head;
  char about[200];
  size_t size = LLHTTP_EXT_HEAD_MEMORY(room), have, spare = (8 - size % 8) % 8;
  int result = LLHTTP_EXT_HEAD_PARTIAL;
  struct input there = *in;
  snprintf(about, sizeof about, "type %d, lenient %x, room %zu, %zu bytes, first %zu, then %zu more: %.60s", in->type,
           in->lenient, room, in->len, first, step, in->bytes);
  check_about = about;
  expect(&x, in);
  llhttp_ext_head_init(&head, in->type, memories.end - size - spare, size);
  CHECK_INT(head.room, room);
  head.lenient_flags = in->lenient;
  for (have = first < in->len ? first : in->len;; have = have + step < in->len ? have + step : in->len) {
    there.bytes = guard_at_end(&pages, in->bytes, have);
    result = llhttp_ext_head_parse(&head, there.bytes, have);
    if (result != LLHTTP_EXT_HEAD_PARTIAL || have == in->len) break;
    CHECK_INT(head.size, have);
    memset(pages.end - have, 0xee, have);
  }
  /* Of a section that is complete, the rest of the input is for check_rest. */
  check_head(&head, in, &x, result, r);
  /* After a section comes another: here the same one, at once. */
  if (result != LLHTTP_EXT_HEAD_PARTIAL) {
    head.type = (uint8_t)in->type;
    there.bytes = guard_at_end(&pages, in->bytes, in->len);
    check_head(&head, in, &x, llhttp_ext_head_parse(&head, there.bytes, in->len), r);
  }
  rec_free(&x.rest);
  check_about = "";
}

static void vectors(const char* path, struct rng* r) {
  static struct vector v;
  FILE* f = vectors_open(path);
  size_t i, found = 0;
  for (; vectors_next(f, &v); found++) {
    struct input in = {v.bytes, v.len, v.type, v.lenient};
    for (i = 0; i <= in.len; i++) compare(&in, i % 3 ? 100 : i % 7, i, in.len, r);
    compare(&in, 100, 0, 1, r);
  }
  fclose(f);
  CHECK(found > 0);
}

static void random_inputs(struct rng* r, unsigned long count) {
  static uint8_t data[MAX_INPUT + 1];
  struct input in = {(const char*)data, 0, 0, 0};
  for (; count != 0; count--) {
    in.type = (int)rng_below(r, 3);
    in.lenient = rng_below(r, 2) ? 0 : (uint16_t)(rng_next(r) & ((1u << NLENIENT) - 1));
    in.len = generate_input(r, data, rng_below(r, 8) == 0 ? MAX_INPUT : 2000,
                            in.type == HTTP_RESPONSE || (in.type == HTTP_BOTH && rng_below(r, 2)), in.lenient);
    data[in.len] = '\0';
    compare(&in, rng_below(r, 4) ? 1000 : rng_below(r, 12),
            rng_below(r, 2) ? in.len : rng_below(r, (uint32_t)in.len + 1), 1 + rng_below(r, rng_below(r, 2) ? 200 : 5),
            r);
  }
}

/* Sections with many names: well-known ones, some that differ from them in a byte, families with the same ends, and the same ones again. */
static void many_names(struct rng* r, unsigned long count) {
  static const char* const known[] = {"Host",
                                      "Cookie",
                                      "Set-Cookie",
                                      "TE",
                                      "Upgrade-Insecure-Requests",
                                      "sec-ch-ua-platform",
                                      "ETag",
                                      "Content-Security-Policy-Report-Only",
                                      "Accept",
                                      "Via",
                                      "Sec-Fetch-Site",
                                      "X-Forwarded-For"};
  static char text[1 << 17];
  for (; count != 0; count--) {
    struct input in = {text, 0, HTTP_REQUEST, 0};
    unsigned fields = 1 + rng_below(r, rng_below(r, 4) ? 40 : 1000), kinds = 1 + rng_below(r, 4), i, k;
    in.len = (size_t)sprintf(text, "GET / HTTP/1.1\r\n");
    for (i = 0; i < fields && in.len < sizeof text - 300; i++) {
      char name[200];
      unsigned n = rng_below(r, 1 + rng_below(r, 1000));
      switch (rng_below(r, kinds + 1)) {
        case 0: sprintf(name, "%s", known[n % 12]); break;
        case 1: sprintf(name, "X-%u", n); break;
        case 2: sprintf(name, "x-prefix-%04u-suffix", n); break;
        case 3:
          sprintf(name, "%s", known[n % 12]);
          name[rng_below(r, (uint32_t)strlen(name))] = "-^~|_0aZ"[n % 8];
          break;
        default:
          sprintf(
              name, "%.*s", 1 + (int)(n % 150),
              "~~~~~~~~~~~~~~~~~^^^^^^^^^^^^^^^^^^^~~~~~~~~~~~~~~~~~~~~~~^^^^^^^^^^^^^^aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
      }
      for (k = 0; name[k] != '\0'; k++)
        if ((name[k] | 0x20) >= 'a' && (name[k] | 0x20) <= 'z' && rng_below(r, 3) == 0) name[k] ^= 0x20;
      in.len += (size_t)sprintf(text + in.len, "%s:%s%u%s\r\n", name, &"  "[rng_below(r, 3)], n,
                                &" \t "[rng_below(r, 4)]);
    }
    in.len += (size_t)sprintf(text + in.len, "\r\n");
    compare(&in, MOST_FIELDS - 1, rng_below(r, 3) ? in.len : rng_below(r, (uint32_t)in.len), 1 + rng_below(r, 3000), r);
  }
}

/* Names whose hashes are the same, each once, twice or more, in any order, among others. */
static void collisions(struct rng* r) {
  enum { NAMES = 60 };
  static char names[NAMES][17], text[1 << 16];
  unsigned round, i, k;
  collide(names, NAMES);
  for (round = 0; round < 100; round++) {
    struct input in = {text, 0, HTTP_REQUEST, 0};
    unsigned fields = 1 + rng_below(r, round < 50 ? 20 : 300);
    in.len = (size_t)sprintf(text, "GET / HTTP/1.1\r\n");
    for (i = 0; i < fields; i++) {
      char name[40];
      if (rng_below(r, 10) == 0) sprintf(name, "X-%u", rng_below(r, 50));
      else strcpy(name, names[rng_below(r, round % 2 ? NAMES : 5)]);
      for (k = 0; name[k] != '\0'; k++)
        if ((name[k] | 0x20) >= 'a' && (name[k] | 0x20) <= 'z' && rng_below(r, 8) == 0) name[k] ^= 0x20;
      in.len += (size_t)sprintf(text + in.len, "%s: v\r\n", name);
    }
    in.len += (size_t)sprintf(text + in.len, "\r\n");
    compare(&in, MOST_FIELDS - 1, in.len, 1, r);
  }
}

static void edges(void) {
  static const char request[] = "GET /a HTTP/1.1\r\nHost: b\r\n\r\n";
  static uint64_t memory[LLHTTP_EXT_HEAD_MEMORY(4) / 8 + 1];
  llhttp_ext_head_t h, copy;
  llhttp_ext_head_init(&h, HTTP_REQUEST, memory, 15);
  CHECK_INT(llhttp_ext_head_parse(&h, request, sizeof request - 1), LLHTTP_EXT_HEAD_TOO_MANY);
  llhttp_ext_head_init(&h, HTTP_REQUEST, memory, LLHTTP_EXT_HEAD_MEMORY(4));
  CHECK_INT(h.room, 4);
  CHECK_INT(llhttp_ext_head_parse(&h, NULL, 0), LLHTTP_EXT_HEAD_PARTIAL);
  CHECK_INT(llhttp_ext_head_parse(&h, request, 20), LLHTTP_EXT_HEAD_PARTIAL);
  /* A copy goes on by itself. */
  copy = h;
  CHECK_INT(llhttp_ext_head_parse(&copy, request, sizeof request - 1), HPE_OK);
  CHECK_INT(copy.count, 1);
  /* Another section, after one that is not complete and after one that is. */
  llhttp_ext_head_reset(&h);
  CHECK_INT(llhttp_ext_head_parse(&h, request, sizeof request - 1), HPE_OK);
  CHECK_INT(llhttp_ext_head_parse(&h, request, sizeof request - 1), HPE_OK);
  CHECK_INT(h.size, sizeof request - 1);
  CHECK_INT(h.count, 1);
  CHECK_INT(llhttp_ext_head_parse(&h, "?\r\n", 3), HPE_INVALID_METHOD);
  CHECK_STR(h.reason, "Invalid method encountered");
  CHECK_INT(llhttp_ext_head_parse(&h, request, sizeof request - 1), HPE_OK);
}

/* Names behind the shortest start-lines, with nothing before the section or behind it: names are looked at in words of eight bytes. */
static void short_starts(void) {
  static const char* const starts[] = {"GET /\n", "PUT *\r\n", "GET / HTTP/1.1\r\n"};
  static const char* const names[] = {"A",     "TE",     "via",     "b3c",      "HOST",
                                      "Range", "cookie", "Expires", "If-Match", "X-Custom-Name-Long"};
  static const char* const values[] = {":\n\n", ": b\r\n\r\n"};
  static llhttp_ext_head_t h;
  size_t taken = 0;
  unsigned i;
  for (i = 0; i < 3 * 10 * 2 * 2 * 2; i++) {
    const char *start = starts[i % 3], *name = names[i / 3 % 10], *value = values[i / 30 % 2], *at;
    const int id = llhttp_ext_field_id(name, strlen(name));
    char text[64];
    const size_t len = (size_t)snprintf(text, sizeof text, "%s%s%s", start, name, value);
    check_about = text;
    at = i / 60 % 2 ? guard_at_end(&pages, text, len) : guard_at_start(&pages, text, len);
    llhttp_ext_head_init(&h, HTTP_REQUEST, memories.start, LLHTTP_EXT_HEAD_MEMORY(2));
    h.lenient_flags = i / 120 ? 0xffff : 0;
    if (llhttp_ext_head_parse(&h, at, len) != HPE_OK) continue; /* an HTTP/0.9 request, or LF, where it is refused */
    taken++;
    CHECK_INT(h.count, 1);
    CHECK_INT(h.infos[0].id, id);
    CHECK_INT(llhttp_ext_head_find(&h, at, name, strlen(name)), 0);
    if (id != 0) CHECK_INT(llhttp_ext_head_first(&h, id), 0);
  }
  check_about = "";
  CHECK(taken >= 120);
}

/* A message that is continued counts for the limits by itself: its own fields, and no earlier message's. */
static void limits(void) {
  static const char message[] =
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;x=yyyy\r\na\r\n0\r\nA: b\r\n\r\n";
  static uint64_t memory[LLHTTP_EXT_HEAD_MEMORY(4) / 8 + 1];
  const char* rest;
  size_t len;
  llhttp_settings_t settings;
  llhttp_t parser;
  llhttp_ext_t ext;
  llhttp_ext_head_t h;
  int i;
  llhttp_settings_init(&settings);
  llhttp_init(&parser, HTTP_REQUEST, &settings);
  llhttp_ext_init(&ext);
  llhttp_ext_attach(&parser, &ext);
  llhttp_ext_head_init(&h, HTTP_REQUEST, memory, LLHTTP_EXT_HEAD_MEMORY(4));
  CHECK_INT(llhttp_ext_head_parse(&h, message, sizeof message - 1), HPE_OK);
  rest = message + h.size;
  len = sizeof message - 1 - h.size;
  ext.max_message_chunk_extension_bytes = 8;
  ext.max_fields = 2;
  for (i = 0; i < 3; i++) {
    llhttp_ext_head_continue(&h, &parser);
    CHECK_INT(llhttp_execute(&parser, rest, len), HPE_OK);
  }
  CHECK(llhttp_ext_attached(&parser) == &ext);
  ext.max_fields = 1;
  llhttp_ext_head_continue(&h, &parser);
  CHECK_INT(llhttp_execute(&parser, rest, len), HPE_USER);
  CHECK_STR(llhttp_get_error_reason(&parser), "Field lines exceed max_fields");
  CHECK(llhttp_get_error_pos(&parser) == rest + 16);
}

int main(int argc, char** argv) {
  struct rng r = {1};
  unsigned long count = 20000;
  const char* path = NULL;
  int i, few = 0;
  for (i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--few") == 0) /* no names that take long to find */
      few = 1;
    else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) r.s = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc) count = strtoul(argv[++i], NULL, 10);
    else path = argv[i];
  }
  pages = guard_new(1 << 17);
  memories = guard_new(LLHTTP_EXT_HEAD_MEMORY(MOST_FIELDS));
  edges();
  short_starts();
  limits();
  if (path != NULL) vectors(path, &r);
  random_inputs(&r, count);
  many_names(&r, count / 50 + 1);
  if (!few) collisions(&r);
  return check_done();
}
