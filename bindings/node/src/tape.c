/* The tape's memory: what JavaScript lends, and behind that a copy that grows. */
#include "tape.h"

#include <stdlib.h>
#include <string.h>

void tape_init(struct tape* tape, uint32_t* lent, size_t room) {
  tape->words = tape->lent = lent;
  tape->used = TAPE_EVENTS;
  tape->room = room;
  tape->overflow = NULL;
}

static bool grow(struct tape* tape) {
  size_t room = tape->room * 2;
  uint32_t* words = realloc(tape->overflow, room * sizeof(*words));
  if (words == NULL) return false;
  if (tape->overflow == NULL) memcpy(words, tape->words, tape->used * sizeof(*words));
  tape->words = tape->overflow = words;
  tape->room = room;
  return true;
}

bool tape_reserve(struct tape* tape, size_t words) { return tape->room - tape->used >= words || grow(tape); }

bool tape_append(struct tape* tape, const uint32_t* record, size_t words) {
  if (!tape_reserve(tape, words)) return false;
  memcpy(tape->words + tape->used, record, words * sizeof(*record));
  tape->used += words;
  return true;
}
