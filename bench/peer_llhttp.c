/* Parsers with llhttp's ABI, each loaded from a file of its own, all driven by the same code and the same callbacks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <llhttp.h>
#include <llhttp_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

struct functions {
  void (*init)(llhttp_t*, llhttp_type_t, const llhttp_settings_t*);
  void (*settings_init)(llhttp_settings_t*);
  llhttp_errno_t (*execute)(llhttp_t*, const char*, size_t);
  /* Where something is attached to the parser. */
  void (*ext_init)(llhttp_ext_t*);
  int (*ext_attach)(llhttp_t*, llhttp_ext_t*);
};

/* Every callback has code of its own, as in a real host, so that the CPU has as many targets to predict. */
#define SPANS(X) \
  X(0, on_protocol) X(1, on_url) X(2, on_status) X(3, on_method) X(4, on_version) X(5, on_header_field) \
  X(6, on_header_value) X(7, on_chunk_extension_name) X(8, on_chunk_extension_value) X(9, on_body)
#define NOTIFIES(X) \
  X(10, on_message_begin) X(11, on_headers_complete) X(12, on_message_complete) X(13, on_protocol_complete) \
  X(14, on_url_complete) X(15, on_status_complete) X(16, on_method_complete) X(17, on_version_complete) \
  X(18, on_header_field_complete) X(19, on_header_value_complete) X(20, on_chunk_extension_name_complete) \
  X(21, on_chunk_extension_value_complete) X(22, on_chunk_header) X(23, on_chunk_complete) X(24, on_reset)
#define NODE(X) \
  X(on_message_begin) X(on_url) X(on_status) X(on_header_field) X(on_header_value) X(on_headers_complete) X(on_body) \
  X(on_message_complete)

/* Timed: the least that a host does. */
static uint64_t counts[25];
#define X(index, name) \
  static int count_##name(llhttp_t* parser, const char* at, size_t length) { \
    (void)at; \
    ((uint64_t*)parser->data)[index] += length; \
    return 0; \
  }
SPANS(X)
#undef X
#define X(index, name) \
  static int count_##name(llhttp_t* parser) { \
    ((uint64_t*)parser->data)[index]++; \
    return 0; \
  }
NOTIFIES(X)
#undef X

/* Asked: a hash of what each callback gets. Spans that follow each other directly are one. */
struct record {
  struct answer* answer;
  int last;
};
static void enter(llhttp_t* parser, int index, int is_span) {
  struct record* record = parser->data;
  char mark[2] = {(char)index, (char)0xff};
  if (is_span && record->last == index) return;
  record->last = index;
  record->answer->hash = hash_bytes(record->answer->hash, mark, 2);
}
#define X(index, name) \
  static int ask_##name(llhttp_t* parser, const char* at, size_t length) { \
    struct record* record = parser->data; \
    if (index == 5 && record->last != 5) record->answer->headers++; \
    enter(parser, index, 1); \
    record->answer->hash = hash_bytes(record->answer->hash, at, length); \
    return 0; \
  }
SPANS(X)
#undef X
#define X(index, name) \
  static int ask_##name(llhttp_t* parser) { \
    struct record* record = parser->data; \
    if (index == 12) record->answer->messages++; \
    if (index == 22) record->answer->chunks++; \
    enter(parser, index, 0); \
    return 0; \
  }
NOTIFIES(X)
#undef X

/* Asked for heads: their spans. */
#define X(name, span) \
  static int head_##name(llhttp_t* parser, const char* at, size_t length) { \
    answer_span(parser->data, span, at, length); \
    return 0; \
  }
#define HEADS(X) \
  X(on_method, SPAN_METHOD) X(on_url, SPAN_TARGET) X(on_status, SPAN_REASON) X(on_header_field, SPAN_NAME) \
  X(on_header_value, SPAN_VALUE)
HEADS(X)
#undef X

static void settings_for(const struct functions* f, llhttp_settings_t* settings, enum set set, int ask) {
  f->settings_init(settings);
  if (set == SET_NONE) return;
  if (set == SET_NODE) {
#define X(name) settings->name = ask ? ask_##name : count_##name;
    NODE(X)
#undef X
    return;
  }
#define X(index, name) settings->name = ask ? ask_##name : count_##name;
  SPANS(X)
  NOTIFIES(X)
#undef X
}

static void init(const struct functions* f, llhttp_t* parser, const struct corpus* corpus,
                 const llhttp_settings_t* settings, void* data) {
  static llhttp_ext_t ext;
  f->init(parser, corpus->response ? HTTP_RESPONSE : HTTP_REQUEST, settings);
  parser->data = data;
  if (f->ext_attach == NULL) return;
  /* Every limit is counted, none is reached; every strict rule is looked at, none is broken. */
  f->ext_init(&ext);
  ext.rules = LLHTTP_EXT_STRICT_ALL;
#define X(name, member) ext.member = 1 << 24;
  LLHTTP_EXT_LIMIT_MAP(X)
#undef X
  f->ext_attach(parser, &ext);
}

static inline int pass(const struct functions* f, llhttp_t* parser, const struct corpus* corpus) {
  const char* at = corpus->data;
  const char* end = at + corpus->size;
  if (corpus->piece == 0) return f->execute(parser, at, corpus->size);
  for (; (size_t)(end - at) > corpus->piece; at += corpus->piece) {
    int error = f->execute(parser, at, corpus->piece);
    if (error) return error;
  }
  return f->execute(parser, at, (size_t)(end - at));
}

static int takes(const struct peer* peer, const struct corpus* corpus, enum set set) {
  (void)peer;
  (void)corpus;
  return set != SET_HEADS;
}

static void run(const struct peer* peer, const struct corpus* corpus, enum set set, size_t passes) {
  const struct functions* f = peer->functions;
  llhttp_settings_t settings;
  llhttp_t parser;
  settings_for(f, &settings, set, 0);
  init(f, &parser, corpus, &settings, counts);
  for (; passes > 0; passes--) {
    if (corpus->fresh) init(f, &parser, corpus, &settings, counts);
    pass(f, &parser, corpus);
  }
}

static void ask_heads(const struct functions* f, const struct corpus* corpus, struct answer* answer) {
  llhttp_settings_t settings;
  llhttp_t parser;
  answer_start(answer);
  f->settings_init(&settings);
#define X(name, span) settings.name = head_##name;
  HEADS(X)
#undef X
  init(f, &parser, corpus, &settings, answer);
  answer->error = pass(f, &parser, corpus);
  answer->messages = 1;
}

static void ask(const struct peer* peer, const struct corpus* corpus, enum set set, size_t passes,
                struct answer* answer) {
  const struct functions* f = peer->functions;
  struct record record = {answer, -1};
  llhttp_settings_t settings;
  llhttp_t parser;
  if (set == SET_HEADS) {
    ask_heads(f, corpus, answer);
    return;
  }
  answer_start(answer);
  settings_for(f, &settings, set, 1);
  init(f, &parser, corpus, &settings, &record);
  for (; passes > 0; passes--) {
    if (corpus->fresh) init(f, &parser, corpus, &settings, &record);
    answer->error = pass(f, &parser, corpus);
    if (answer->error) break;
  }
  /* Without callbacks, what remains to compare is the parser's own fields. */
  answer->hash = hash_bytes(answer->hash, (const char*)&parser + offsetof(llhttp_t, content_length), 12);
  answer->hash = hash_bytes(answer->hash, (const char*)&parser + offsetof(llhttp_t, lenient_flags), 9);
}

struct peer* peer_llhttp(const char* name, const char* path) {
  struct peer* peer = calloc(1, sizeof(*peer));
  struct functions* f = calloc(1, sizeof(*f));
  if (peer == NULL || f == NULL) abort();
  peer->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (peer->library == NULL) {
    fprintf(stderr, "bench: %s is left out: %s\n", name, dlerror());
    return NULL;
  }
  *(void**)&f->init = dlsym(peer->library, "llhttp_init");
  *(void**)&f->settings_init = dlsym(peer->library, "llhttp_settings_init");
  *(void**)&f->execute = dlsym(peer->library, "llhttp_execute");
  if (!f->init || !f->settings_init || !f->execute) {
    fprintf(stderr, "bench: %s is left out: %s has not llhttp's functions\n", name, path);
    return NULL;
  }
  snprintf(peer->name, sizeof(peer->name), "%s", name);
  peer->takes = takes;
  peer->run = run;
  peer->ask = ask;
  peer->functions = f;
  peer->knows_heads = 1;
  return peer;
}

struct peer* peer_extended(const char* name, const char* path) {
  struct peer* peer = peer_llhttp(name, path);
  if (peer == NULL) return NULL;
  struct functions* f = (struct functions*)peer->functions;
  *(void**)&f->ext_init = dlsym(peer->library, "llhttp_ext_init");
  *(void**)&f->ext_attach = dlsym(peer->library, "llhttp_ext_attach");
  if (f->ext_init != NULL && f->ext_attach != NULL) return peer;
  fprintf(stderr, "bench: %s is left out: %s has no llhttp_ext_init\n", name, path);
  return NULL;
}
