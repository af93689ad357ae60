/* What the parts of the benchmark share: named inputs (corpus.c), parsers (peer_llhttp.c, peer_heads.c), and the
 * runner (bench.c). */
#ifndef BENCH_H_
#define BENCH_H_

#include <stddef.h>
#include <stdint.h>

/* ---- inputs ---- */

struct corpus {
  char name[128]; /* "browser", "browser@100" */
  char* data;     /* aligned to 64 bytes */
  size_t size;
  uint64_t hash;
  size_t piece;   /* bytes that arrive at a time; 0: everything at once */
  int response;
  int one_head;   /* a single message without chunks that arrives whole: something for a parser of heads */
  uint64_t messages;
  uint64_t headers;
  int fresh;      /* the parser is initialised for each pass; else one connection carries all passes */
};

/* NAME, NAME@PIECE or PATH[@PIECE]. NULL: no such input; the reason is on stderr. */
struct corpus* corpus_open(const char* name);

/* The names of the groups, and of the inputs in one, terminated by NULL; NULL if there is no such group. */
const char* const* corpus_groups(void);
const char* const* corpus_group(const char* group);

/* ---- what is measured ---- */

/* Callback sets; HEADS is for parsers without callbacks that find the spans of whole heads. */
enum set { SET_NONE, SET_NODE, SET_ALL, SET_HEADS, SETS };
extern const char* const set_names[SETS];

/* What a parser made of an input. */
struct answer {
  uint64_t hash;     /* of the spans */
  uint64_t messages;
  uint64_t headers;
  uint64_t chunks;
  int error;         /* 0: all of it was accepted */
};

struct peer {
  char name[64];
  void* library;
  /* 0 if this parser cannot take this input, or has nothing to do with this set. */
  int (*takes)(const struct peer* peer, const struct corpus* corpus, enum set set);
  /* Parses the input again and again. */
  void (*run)(const struct peer* peer, const struct corpus* corpus, enum set set, size_t passes);
  /* Parses it a number of times, not for time. */
  void (*ask)(const struct peer* peer, const struct corpus* corpus, enum set set, size_t passes, struct answer* answer);
  const void* functions;
  int knows_heads; /* it can be asked for the spans of heads, though there is nothing to time */
};

/* Loads a parser; NULL if that is not possible, with a word on stderr. */
struct peer* peer_llhttp(const char* name, const char* path);
struct peer* peer_extended(const char* name, const char* path); /* the same, with limits and strict rules */
struct peer* peer_tape(const char* name, const char* path);
struct peer* peer_head(const char* name, const char* path);
struct peer* peer_pico(const char* name, const char* path);
struct peer* peer_httparse(const char* name, const char* path);

static inline uint64_t hash_bytes(uint64_t hash, const char* at, size_t length) {
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)at[i]) * UINT64_C(0x100000001b3);
  return hash;
}
#define HASH_START UINT64_C(0xcbf29ce484222325)

/* The spans of a head, one after the other. */
enum span { SPAN_METHOD, SPAN_TARGET, SPAN_REASON, SPAN_NAME, SPAN_VALUE };
typedef void (*emit_fn)(void* context, int span, const char* at, size_t length);

/* An answer to SET_HEADS is made of them; answer_span is an emit_fn. Blanks around a value do not count. */
void answer_start(struct answer* answer);
void answer_span(void* answer, int span, const char* at, size_t length);

#endif
