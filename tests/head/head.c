/* llhttp_ext_head_parse against the callbacks: the same fields, the same errors at the same place, the same framing, whatever of the
 * input is there at first; and ids, links and lookups against what a search of all names gives.
 *
 *   head [--seed N] [--count N] [--few] [VECTORS.txt]
 *
 * Inputs: the vectors, given at first up to every byte, and byte by byte; then random ones of the differential test's generator, and
 * sections of names that repeat, differ in letters' case, or nearly collide. compare.h has what must hold. */
#include "../diff/generate.h"
#include "../vectors/inputs.h"
#include "collide.h"
#include "compare.h"

static void compare(const struct input* in, size_t room, size_t first, size_t step, struct rng* r) {
  static struct expected x;
  head_expect(&x, in);
  head_compare(in, &x, room, first, step, r);
  rec_free(&x.rest);
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

/* A section that is forgotten has no fields, and one that has become shorter is another one. */
static void forgotten(void) {
  static const char request[] = "GET /a HTTP/1.1\r\nHost: b\r\nX-Custom: c\r\nX-Other: d\r\n\r\n";
  static uint64_t memory[LLHTTP_EXT_HEAD_MEMORY(3) / 8];
  llhttp_ext_head_t h;
  size_t cut, less;
  llhttp_ext_head_init(&h, HTTP_REQUEST, memory, sizeof memory);
  CHECK_INT(h.room, 3);
  CHECK_INT(llhttp_ext_head_parse(&h, request, sizeof request - 1), HPE_OK);
  CHECK_INT(llhttp_ext_head_find(&h, request, "x-custom", 8), 1);
  llhttp_ext_head_reset(&h);
  CHECK_INT(h.count, 0);
  CHECK_INT(llhttp_ext_head_first(&h, LLHTTP_EXT_FIELD_HOST), -1);
  CHECK_INT(llhttp_ext_head_find(&h, NULL, "host", 4), -1);
  CHECK_INT(llhttp_ext_head_find(&h, NULL, "x-custom", 8), -1);
  for (cut = 0; cut < sizeof request - 1; cut++) {
    for (less = 0; less < cut; less++) {
      const char* at = guard_at_end(&head_pages, request, less);
      llhttp_ext_head_reset(&h);
      CHECK_INT(llhttp_ext_head_parse(&h, request, cut), LLHTTP_EXT_HEAD_PARTIAL);
      CHECK_INT(llhttp_ext_head_parse(&h, at, less), LLHTTP_EXT_HEAD_PARTIAL);
      CHECK_INT(h.size, less);
      CHECK_INT(llhttp_ext_head_parse(&h, request, sizeof request - 1), HPE_OK);
      CHECK_INT(h.count, 3);
    }
  }
}

/* More than 4 GiB, most of them the same pages again and again: what lies behind the limit is not looked at. */
static void far_away(void) {
  static const char first[] = "GET / HTTP/1.1\r\nX: ", last[] = "\r\nYy: bcd\r\nHost: e\r\n\r\n";
  static const struct {
    int from_limit; /* where the last lines begin */
    int result, count;
  } cases[] = {{-60, HPE_OK, 3}, {-20, LLHTTP_EXT_HEAD_PARTIAL, 2}, {2, LLHTTP_EXT_HEAD_PARTIAL, 0}};
  static uint64_t memory[LLHTTP_EXT_HEAD_MEMORY(8) / 8];
  enum { SEGMENT = 1 << 26 };
  const size_t limit = UINT32_MAX, size = limit + 1 + SEGMENT;
  const int file = memfd_create("far", 0);
  char* text = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  size_t at;
  unsigned i;
  char* segment;
  if (file < 0 || text == MAP_FAILED || ftruncate(file, SEGMENT) != 0) exit(2);
  segment = mmap(NULL, SEGMENT, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (segment == MAP_FAILED) exit(2);
  memset(segment, 'a', SEGMENT);
  munmap(segment, SEGMENT);
  for (at = 0; at < size; at += SEGMENT)
    if (mmap(text + at, SEGMENT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED) exit(2);
  memcpy(text, first, sizeof first - 1);
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char* lines = text + limit + cases[i].from_limit;
    llhttp_ext_head_t h;
    memcpy(lines, last, sizeof last - 1);
    llhttp_ext_head_init(&h, HTTP_REQUEST, memory, sizeof memory);
    CHECK_INT(llhttp_ext_head_parse(&h, text, 18), LLHTTP_EXT_HEAD_PARTIAL);
    CHECK_INT(llhttp_ext_head_parse(&h, text, (size_t)(lines - text) + sizeof last - 1), cases[i].result);
    CHECK_INT(h.count, cases[i].count);
    if (cases[i].result != HPE_OK) CHECK_INT(h.size, limit);
    memset(lines, 'a', sizeof last - 1);
  }
  munmap(text, size);
  close(file);
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
    at = i / 60 % 2 ? guard_at_end(&head_pages, text, len) : guard_at_start(&head_pages, text, len);
    llhttp_ext_head_init(&h, HTTP_REQUEST, head_memories.start, LLHTTP_EXT_HEAD_MEMORY(2));
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
  head_open();
  edges();
  forgotten();
  short_starts();
  limits();
  if (path != NULL) vectors(path, &r);
  random_inputs(&r, count);
  many_names(&r, count / 50 + 1);
  if (!few) collisions(&r);
  if (!few) far_away();
  return check_done();
}
