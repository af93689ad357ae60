/* One HTTPParser: an llhttp_t, and what becomes of its events.
 *
 * Each kind of event may be collected on the tape, or handed to JavaScript at once, or both, or neither; the parser
 * decides that when it is made. Only the second runs JavaScript during a parse. What must hold there:
 *
 *  - An exception, also the one by which a worker is terminated, stops the parse at once: the callback fails.
 *  - JavaScript may take the bytes away while they are parsed: it can detach an ArrayBuffer or shrink a resizable one.
 *    llhttp_execute is then left with longjmp, without another look at the bytes.
 *  - The parser under way does not begin another parse; lib/index.js sees to that.
 */
#ifndef LLHTTP_NODE_PARSER_H
#define LLHTTP_NODE_PARSER_H

#include <node_api.h>
#include <setjmp.h>

#include "llhttp.h"
#include "tape.h"

/* One llhttp_execute or llhttp_finish. */
struct run {
  napi_env env;
  napi_value dispatch;  /* called without arguments when the record of an event is in the tape's place for it */
  napi_value undefined;
  napi_value memory;    /* the ArrayBuffer that holds the bytes; NULL if there are none */
  const char* bytes;
  size_t length;
  const char* memory_start;
  size_t memory_needed; /* what of it must stay */
  struct tape tape;
  llhttp_errno_t before; /* the parser's errno at the beginning */
  size_t parsed;        /* bytes taken */
  bool threw;           /* JavaScript has thrown an exception, or is being terminated */
  bool no_memory;
  jmp_buf leave;
};

struct parser {
  llhttp_t llhttp;      /* its data is this struct */
  llhttp_settings_t settings;
  uint32_t collected;   /* events for the tape: bit n is the event of number n */
  uint32_t called;      /* events for JavaScript */
  struct run* run;      /* NULL when none is under way */
  uint32_t* overflow;   /* what the last run did not find room for, until it is fetched */
  size_t overflow_used;
  bool method_known;    /* llhttp_get_method has a meaning */
  bool pausing;         /* a pause is to be made at the next event */
  bool left;            /* a parse was left in its middle: only parser_reset helps */
};

/* Returns NULL if there is no memory. */
struct parser* parser_new(llhttp_type_t type, uint32_t collected, uint32_t called);
void parser_free(struct parser* parser);

/* llhttp_execute for run->bytes. */
llhttp_errno_t parser_execute(struct parser* parser, struct run* run);

llhttp_errno_t parser_finish(struct parser* parser, struct run* run);

void parser_reset(struct parser* parser);
void parser_pause(struct parser* parser);
void parser_resume(struct parser* parser);
void parser_set_lenient(struct parser* parser, uint32_t flags, int enabled);

/* Writes INFO_WORDS words. */
void parser_info(const struct parser* parser, uint32_t* words);

#endif
