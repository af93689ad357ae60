/* The tape: the events of one parse as words of 32 bits, which JavaScript decodes when the parse is over. They are
 * those of llhttp_ext_execute, which writes them here; a callback writes what that would have written.
 *
 * JavaScript lends the memory, a Uint32Array of at least TAPE_EVENTS words:
 *
 *     TAPE_USED     words in use, these included; more than lent if the rest is in the overflow
 *     TAPE_BEFORE   the parser's errno before the parse
 *     TAPE_PARSED   bytes that the parse has taken
 *     TAPE_RECORD   room for one event: that whose callback is due
 *     TAPE_EVENTS   the events that are collected, one behind the other
 *
 * An event is an llhttp_ext_event_t, but for two kinds: headers_complete and message_complete have the high 32 bits
 * of content_length in place of the offset, and more bits in the value, enum event_bits. A header_field that begins a row
 * of whole lines, a name and a value each in one event, has their number as its value, with EVENT_BLANK if a value among
 * them ends in whitespace. Offsets count from the first byte of the input.
 */
#ifndef LLHTTP_NODE_TAPE_H
#define LLHTTP_NODE_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "llhttp_ext.h"

/* Words of an event. */
enum event_words { EVENT_OFFSET, EVENT_LENGTH, EVENT_KIND, EVENT_VALUE, EVENT_WORDS };

/* Bits of the value besides llhttp_flags_t's. */
enum event_bits {
  EVENT_UPGRADE = LLHTTP_EXT_EVENT_UPGRADE,
  EVENT_KEEP_ALIVE = LLHTTP_EXT_EVENT_KEEP_ALIVE,
  EVENT_NEEDS_EOF = 1 << 18,
  EVENT_RESPONSE = 1 << 19
};

/* A bit of a header_field's value, above any number. */
enum { EVENT_BLANK = 1 << 30 };

/* The message's state, and the parser's. */
enum info {
  INFO_START_LINE, /* type, method, major and minor version: one byte each, the lowest first */
  INFO_STATUS,     /* status code, and the flags from bit 16 on */
  INFO_LENGTH_LOW, /* content_length */
  INFO_LENGTH_HIGH,
  INFO_BITS,       /* enum info_bits */
  INFO_LENIENT,    /* lenient flags */
  INFO_ERRNO,      /* with a sign: a callback may choose any number */
  INFO_WORDS
};

enum info_bits { INFO_UPGRADE = 1, INFO_KEEP_ALIVE = 2, INFO_NEEDS_EOF = 4, INFO_METHOD_KNOWN = 8 };

enum { TAPE_USED, TAPE_BEFORE, TAPE_PARSED, TAPE_RECORD, TAPE_EVENTS = TAPE_RECORD + EVENT_WORDS };

struct tape {
  uint32_t* words;    /* what is lent, or the overflow */
  size_t used, room;
  uint32_t* lent;
  uint32_t* overflow; /* NULL, or memory of malloc that has taken the place of what is lent */
};

void tape_init(struct tape* tape, uint32_t* lent, size_t room);

/* Makes room for as many words. Returns false if there is no memory; the tape is then as it was. */
bool tape_reserve(struct tape* tape, size_t words);

/* The same, and puts them there. */
bool tape_append(struct tape* tape, const uint32_t* record, size_t words);

#endif
