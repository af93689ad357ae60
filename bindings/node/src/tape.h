/* The tape: the events of one parse as words of 32 bits, which JavaScript decodes when the parse is over.
 *
 * JavaScript lends the memory, a Uint32Array of at least TAPE_EVENTS words:
 *
 *     TAPE_USED     words in use, these included; more than lent if the rest is in the overflow
 *     TAPE_BEFORE   the parser's errno before the parse
 *     TAPE_PARSED   bytes that the parse has taken
 *     TAPE_RECORD   room for one record: that of the event whose callback is due
 *     TAPE_EVENTS   the records of the events that are collected, one behind the other
 *
 * A record begins with a word of the event's number (bits 0 to 7) and the record's length in words (from bit 8 on).
 * Then come for a span its offset and its length, for an event that shows the message's state the words of enum info,
 * otherwise nothing.
 */
#ifndef LLHTTP_NODE_TAPE_H
#define LLHTTP_NODE_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

enum { RECORD_WORDS = 1 + INFO_WORDS };
enum { TAPE_USED, TAPE_BEFORE, TAPE_PARSED, TAPE_RECORD, TAPE_EVENTS = TAPE_RECORD + RECORD_WORDS };

struct tape {
  uint32_t* words;    /* what is lent, or the overflow */
  size_t used, room;
  uint32_t* lent;
  uint32_t* overflow; /* NULL, or memory of malloc that has taken the place of what is lent */
};

void tape_init(struct tape* tape, uint32_t* lent, size_t room);

/* Returns false if there is no memory; the tape is then as it was. */
bool tape_append(struct tape* tape, const uint32_t* record, size_t words);

#endif
