/* What replays events into callbacks: driver.c as llhttp does, extended.c for a parser that has something attached.
 * Both keep to what driver.c says must hold. */
#ifndef LLHTTP_DRIVER_H_
#define LLHTTP_DRIVER_H_

#include <string.h>

#include "ext.h"
#include "frame.h"
#include "tables_gen.h"

#define UNLIKELY(x) __builtin_expect((x) != 0, 0)
#define COLD __attribute__((noinline, cold))
#define HIDDEN __attribute__((visibility("hidden")))

/* Room for events, of 16 bytes each. The batch stays below 4 KiB with the frames of the parser and of a callback. Tests
 * build with little room, and stop if the parser does not keep to it. */
#ifdef LLHTTP_TEST_EVENTS
#define EVENTS LLHTTP_TEST_EVENTS
#define CHECK_ROOM(frame) ((frame)->top > (frame)->room ? __builtin_trap() : (void)0)
#else
#define EVENTS 160
#define CHECK_ROOM(frame) (void)0
#endif

/* After a rewind the next batches are short, so that a host that pauses at every callback pays for few units
 * at a time; each batch without a rewind doubles the length, up to the most, after which there is no limit again. */
#define UNITS_AFTER_REWIND 4
#define MOST_UNITS 64

/* llhttp_t's _index between two calls: the units of the next batch, or UNLIMITED. Zero, for a parser that is fresh or
 * has been reset, means the same as UNLIMITED; that it is zero after a callback shows a reset. */
#define UNLIMITED (-1)

struct batch {
  struct llhttp_frame frame;
  struct llhttp_event events[EVENTS];
};

/* Where a batch begins: what running it again starts from. */
struct start {
  const char* pos;
  const char* span;
  struct llhttp_private priv;
  uint64_t pub[3];
};

static const llhttp_settings_t no_callbacks;

/* The callbacks to call now: a callback may have changed them, so they are looked up after each. */
static inline const llhttp_settings_t* settings_of(const llhttp_t* parser) {
  const llhttp_settings_t* settings = (const llhttp_settings_t*)parser->settings;
  return UNLIKELY(settings == NULL) ? &no_callbacks : settings;
}

/* The public fields as three words, in llhttp_t and in a copy of what they are expected to be. Stored and loaded as
 * whole words: a word that was stored in parts takes long to come back as a whole. */
static inline uint64_t get_word(const llhttp_t* parser, int i) {
  uint64_t word;
  memcpy(&word, (const char*)parser + LLHTTP_PUBLIC_OFFSET + 8 * i, sizeof(word));
  return word;
}

static inline void set_word(llhttp_t* parser, int i, uint64_t word) {
  memcpy((char*)parser + LLHTTP_PUBLIC_OFFSET + 8 * i, &word, sizeof(word));
}

#define COPY_WORDS(to, from) ((to)[0] = (from)[0], (to)[1] = (from)[1], (to)[2] = (from)[2])
#define GET_WORDS(to) ((to)[0] = get_word(parser, 0), (to)[1] = get_word(parser, 1), (to)[2] = get_word(parser, 2))
#define SET_WORDS(from) (set_word(parser, 0, (from)[0]), set_word(parser, 1, (from)[1]), set_word(parser, 2, (from)[2]))

/* Where a member stands in its word. */
#define MEMBER_SIZE(member) sizeof(((struct llhttp_public*)0)->member)
#define MEMBER_WORD(member) (offsetof(struct llhttp_public, member) / 8)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MEMBER_SHIFT(member) (8 * (offsetof(struct llhttp_public, member) % 8))
#else
#define MEMBER_SHIFT(member) (64 - 8 * (offsetof(struct llhttp_public, member) % 8 + MEMBER_SIZE(member)))
#endif
#define MEMBER_MASK(member) ((UINT64_MAX >> (64 - 8 * MEMBER_SIZE(member))) << MEMBER_SHIFT(member))

/* Changes a public field, as a whole line does, in the parser and in what is expected. The word must be as expected: a
 * CHECK stands between it and the last callback. */
#define SET(member, value) \
  (expected[MEMBER_WORD(member)] = \
       (expected[MEMBER_WORD(member)] & ~MEMBER_MASK(member)) | (uint64_t)(value) << MEMBER_SHIFT(member), \
   set_word(parser, MEMBER_WORD(member), expected[MEMBER_WORD(member)]))
#define ADD_FLAGS(value) \
  (expected[MEMBER_WORD(flags)] |= (uint64_t)(value) << MEMBER_SHIFT(flags), \
   set_word(parser, MEMBER_WORD(flags), expected[MEMBER_WORD(flags)]))

/* What a message that is over leaves behind, if another may follow. */
#define NEXT_MESSAGE() \
  (expected[MEMBER_WORD(flags)] &= ~(MEMBER_MASK(flags) | MEMBER_MASK(finish)), SET(initial_message_completed, 1))
typedef char llhttp_message_state_is_one_word[MEMBER_WORD(flags) == MEMBER_WORD(finish) &&
                                                      MEMBER_WORD(flags) == MEMBER_WORD(initial_message_completed) &&
                                                      HTTP_FINISH_SAFE == 0
                                                  ? 1
                                                  : -1];

/* Whether the host has changed a public field, or called llhttp_init or llhttp_reset. */
static inline int changed(const llhttp_t* parser, const uint64_t* expected) {
  return ((get_word(parser, 0) ^ expected[0]) | (get_word(parser, 1) ^ expected[1]) |
          (get_word(parser, 2) ^ expected[2])) != 0 ||
         parser->_index == 0;
}

/* The frame at the beginning of a piece, but for the room for events. */
static inline void begin_frame(struct llhttp_frame* frame, const llhttp_t* parser, const char* p, const char* end) {
  memcpy(&frame->priv, &parser->_current, sizeof(frame->priv));
  frame->buf = p;
  frame->pos = p;
  frame->end = end;
  frame->span = p;
  GET_WORDS(frame->pub);
  frame->few = 0;
  frame->at_headers = 0;
  frame->rules = 0;
}

static inline void begin(struct batch* batch, const llhttp_t* parser, const char* p, const char* end) {
  begin_frame(&batch->frame, parser, p, end);
  batch->frame.room = batch->events + EVENTS;
}

/* What 1 and 2 mean as the result of on_headers_complete. */
static inline void llhttp_skip_body(llhttp_t* parser, int result) {
  if (result == 2) parser->upgrade = 1;
  parser->flags |= F_SKIPBODY;
}

/* What a callback's result that is not zero comes to: an errno, or HPE_OK to go on. */
HIDDEN int llhttp_span_error(llhttp_t* parser, unsigned id, int result);
HIDDEN int llhttp_notify_error(llhttp_t* parser, unsigned id, int result);

/* Brings the frame to where the callback of the batch's n-th unit was done. The event is that unit's, or the record
 * that it is part of, before which there were `before` units. The next batches are short. */
HIDDEN void llhttp_go_back_to(struct batch* batch, const struct start* start, const struct llhttp_event* event,
                              uint32_t before, uint32_t n, llhttp_t* parser);

/* The same from the batch's beginning, whatever the unit, but for the length of the next batches. */
HIDDEN void llhttp_run_again(struct batch* batch, const struct start* start, uint32_t n);

/* The parser has found an error, or pauses of its own. */
HIDDEN int llhttp_stopped(llhttp_t* parser, const struct llhttp_frame* frame);

/* Delivers what there is of the span that is open at the end of the input; the parser is ready for the next piece.
 * Without data, at NULL, there is nothing to deliver; llhttp loses the rest of the span there. */
HIDDEN int llhttp_last_span(llhttp_t* parser, unsigned callback, const char* at, const char* end);

/* Stops at the end of the input: the callback of the span that is open there wants it. */
HIDDEN int llhttp_stop_at_end(llhttp_t* parser, unsigned callback, int result, const char* end);

/* Whether a piece is short and has nothing in it that changes more than the parser's own state, which has then been
 * changed, and is given. */
HIDDEN int llhttp_passes_over(llhttp_t* parser, struct llhttp_private* priv, const char* p, const char* end);

/* llhttp_execute for a parser without an error and with nothing attached, and for any other. */
HIDDEN int llhttp_run(llhttp_t* parser, const char* p, const char* end);
HIDDEN int llhttp_run_extended(llhttp_t* parser, const char* p, const char* end);

#endif
