/* Parsers that find the spans of a head that has arrived whole, and call nobody: picohttpparser, httparse, this project's
 * llhttp_ext_head_parse, and its parser below the driver (tape.c; it takes the body, too). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "bench.h"
#include "llhttp_ext.h"
#include "tape.h"

/* Room for the spans, on the stack of whoever parses. Nobody clears it. */
enum { MOST_HEADERS = 1200, ROOM = MOST_HEADERS * 32 };

static int takes(const struct peer* peer, const struct corpus* corpus, enum set set) {
  (void)peer;
  return set == SET_HEADS && corpus->one_head;
}

typedef void run_fn(const struct peer*, const struct corpus*, enum set, size_t);
typedef void ask_fn(const struct peer*, const struct corpus*, enum set, size_t, struct answer*);

/* Loads a peer whose functions are a struct of pointers, in the order of the symbols. */
static struct peer* load(const char* name, const char* path, const char* const* symbols, run_fn* run, ask_fn* ask) {
  size_t count = 0;
  while (symbols[count] != NULL) count++;
  struct peer* peer = calloc(1, sizeof(*peer));
  void** functions = calloc(count, sizeof(*functions));
  if (peer == NULL || functions == NULL) abort();
  peer->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (peer->library == NULL) {
    fprintf(stderr, "bench: %s is left out: %s\n", name, dlerror());
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    functions[i] = dlsym(peer->library, symbols[i]);
    if (functions[i] == NULL) {
      fprintf(stderr, "bench: %s is left out: no %s in %s\n", name, symbols[i], path);
      return NULL;
    }
  }
  snprintf(peer->name, sizeof(peer->name), "%s", name);
  peer->functions = functions;
  peer->takes = takes;
  peer->run = run;
  peer->ask = ask;
  return peer;
}

/* What a call gives must not be optimised away. */
static inline void keep(long result) { __asm__ volatile("" : : "r"(result) : "memory"); }

/* ---- picohttpparser ---- */

struct pico_header {
  const char* name;
  size_t name_length;
  const char* value;
  size_t value_length;
};

struct pico {
  int (*request)(const char*, size_t, const char**, size_t*, const char**, size_t*, int*, struct pico_header*, size_t*,
                 size_t);
  int (*response)(const char*, size_t, int*, int*, const char**, size_t*, struct pico_header*, size_t*, size_t);
};

static void pico_run(const struct peer* peer, const struct corpus* corpus, enum set set, size_t passes) {
  const struct pico* f = peer->functions;
  struct pico_header headers[MOST_HEADERS];
  (void)set;
  for (; passes > 0; passes--) {
    const char *method, *target, *reason;
    size_t method_length, target_length, reason_length, count = MOST_HEADERS;
    int minor, status;
    keep(corpus->response
             ? f->response(corpus->data, corpus->size, &minor, &status, &reason, &reason_length, headers, &count, 0)
             : f->request(corpus->data, corpus->size, &method, &method_length, &target, &target_length, &minor, headers,
                          &count, 0));
  }
}

static void pico_ask(const struct peer* peer, const struct corpus* corpus, enum set set, size_t passes,
                     struct answer* answer) {
  const struct pico* f = peer->functions;
  struct pico_header headers[MOST_HEADERS];
  const char *first, *second;
  size_t first_length, second_length, count = MOST_HEADERS;
  int minor, status;
  (void)set;
  (void)passes;
  answer_start(answer);
  if (corpus->response) {
    int length = f->response(corpus->data, corpus->size, &minor, &status, &first, &first_length, headers, &count, 0);
    if (length < 0) {
      answer->error = length;
      return;
    }
    answer_span(answer, SPAN_REASON, first, first_length);
  } else {
    int length = f->request(corpus->data, corpus->size, &first, &first_length, &second, &second_length, &minor, headers,
                            &count, 0);
    if (length < 0) {
      answer->error = length;
      return;
    }
    answer_span(answer, SPAN_METHOD, first, first_length);
    answer_span(answer, SPAN_TARGET, second, second_length);
  }
  for (size_t i = 0; i < count; i++) {
    answer_span(answer, SPAN_NAME, headers[i].name, headers[i].name_length);
    answer_span(answer, SPAN_VALUE, headers[i].value, headers[i].value_length);
  }
  answer->messages = 1;
}

struct peer* peer_pico(const char* name, const char* path) {
  static const char* const symbols[] = {"phr_parse_request", "phr_parse_response", NULL};
  return load(name, path, symbols, pico_run, pico_ask);
}

/* ---- httparse ---- */

struct httparse {
  size_t (*header_size)(void);
  ssize_t (*request)(const char*, size_t, void*, size_t);
  ssize_t (*response)(const char*, size_t, void*, size_t);
  int (*spans)(const char*, size_t, int, emit_fn, void*);
};

static void httparse_run(const struct peer* peer, const struct corpus* corpus, enum set set, size_t passes) {
  const struct httparse* f = peer->functions;
  ssize_t (*parse)(const char*, size_t, void*, size_t) = corpus->response ? f->response : f->request;
  _Alignas(16) char room[ROOM];
  (void)set;
  for (; passes > 0; passes--) keep(parse(corpus->data, corpus->size, room, MOST_HEADERS));
}

static void httparse_ask(const struct peer* peer, const struct corpus* corpus, enum set set, size_t passes,
                         struct answer* answer) {
  const struct httparse* f = peer->functions;
  (void)set;
  (void)passes;
  answer_start(answer);
  answer->error = f->spans(corpus->data, corpus->size, corpus->response, answer_span, answer);
  answer->messages = 1;
}

struct peer* peer_httparse(const char* name, const char* path) {
  static const char* const symbols[] = {"bench_httparse_header_size", "bench_httparse_request",
                                        "bench_httparse_response", "bench_httparse_spans", NULL};
  struct peer* peer = load(name, path, symbols, httparse_run, httparse_ask);
  if (peer == NULL) return NULL;
  const struct httparse* f = peer->functions;
  if (f->header_size() * MOST_HEADERS > ROOM) {
    fprintf(stderr, "bench: %s is left out: its headers are larger than expected\n", name);
    return NULL;
  }
  return peer;
}

/* ---- this project's parser, without callbacks ---- */

struct tape {
  int (*parse)(const char*, size_t, int, void*, size_t);
  int (*spans)(const char*, size_t, int, void*, size_t, emit_fn, void*);
};

static void tape_run(const struct peer* peer, const struct corpus* corpus, enum set set, size_t passes) {
  const struct tape* f = peer->functions;
  _Alignas(16) char room[ROOM];
  (void)set;
  for (; passes > 0; passes--) keep(f->parse(corpus->data, corpus->size, corpus->response, room, ROOM));
}

static void tape_ask(const struct peer* peer, const struct corpus* corpus, enum set set, size_t passes,
                     struct answer* answer) {
  const struct tape* f = peer->functions;
  _Alignas(16) char room[ROOM];
  (void)set;
  (void)passes;
  answer_start(answer);
  answer->error = f->spans(corpus->data, corpus->size, corpus->response, room, ROOM, answer_span, answer);
  answer->messages = 1;
}

struct peer* peer_tape(const char* name, const char* path) {
  static const char* const symbols[] = {"bench_tape", "bench_tape_spans", NULL};
  return load(name, path, symbols, tape_run, tape_ask);
}

/* ---- this project's parser of heads, with ids and links ---- */

struct head {
  void (*init)(llhttp_ext_head_t*, int, void*, size_t);
  int (*parse)(llhttp_ext_head_t*, const char*, size_t);
};

static llhttp_ext_head_t* ready(const struct head* f, const struct corpus* corpus) {
  static llhttp_ext_head_t head;
  static uint64_t memory[LLHTTP_EXT_HEAD_MEMORY(MOST_HEADERS) / 8 + 1];
  f->init(&head, corpus->response ? 2 : 1, memory, sizeof(memory));
  return &head;
}

static void head_run(const struct peer* peer, const struct corpus* corpus, enum set set, size_t passes) {
  const struct head* f = peer->functions;
  llhttp_ext_head_t* head = ready(f, corpus);
  (void)set;
  for (; passes > 0; passes--) keep(f->parse(head, corpus->data, corpus->size));
}

static void head_ask(const struct peer* peer, const struct corpus* corpus, enum set set, size_t passes,
                     struct answer* answer) {
  const struct head* f = peer->functions;
  llhttp_ext_head_t* head = ready(f, corpus);
  (void)set;
  (void)passes;
  answer_start(answer);
  answer->error = f->parse(head, corpus->data, corpus->size);
  if (corpus->response) {
    answer_span(answer, SPAN_REASON, corpus->data + head->reason_offset, head->reason_length);
  } else {
    const char* method = corpus->data; /* as pico does */
    answer_span(answer, SPAN_METHOD, method, (size_t)((const char*)memchr(method, ' ', corpus->size) - method));
    answer_span(answer, SPAN_TARGET, corpus->data + head->target_offset, head->target_length);
  }
  for (uint32_t i = 0; i < head->count; i++) {
    answer_span(answer, SPAN_NAME, corpus->data + head->fields[i].name_offset, head->fields[i].name_length);
    answer_span(answer, SPAN_VALUE, corpus->data + head->fields[i].value_offset, head->fields[i].value_length);
  }
  answer->messages = 1;
}

struct peer* peer_head(const char* name, const char* path) {
  static const char* const symbols[] = {"llhttp_ext_head_init", "llhttp_ext_head_parse", NULL};
  return load(name, path, symbols, head_run, head_ask);
}
