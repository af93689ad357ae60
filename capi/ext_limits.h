/* Limits, for the loop in extended.c: for each of them the first byte that it forbids, as far as the input has come.
 *
 * Places are numbers of bytes, from anywhere: `base` is the number of the first byte of the piece that is being
 * parsed, between two calls of the next byte to come. What must hold: a limit is exceeded when the parser has gone
 * past its place, so a unit beyond a place must not be delivered; and the places are those after the last unit that
 * was. Units stand at the same bytes however the input is cut; the beginning of a span that is open is known when it
 * is delivered, or when the piece ends. */
#ifndef LLHTTP_LIMITS_H_
#define LLHTTP_LIMITS_H_

#include "ext.h"
#include "tables_gen.h"

#define LLHTTP_LIMIT_NEVER INT64_MAX

/* Elements that have begun, bits of llhttp_limits.open. */
enum { LLHTTP_IN_TARGET = 1, LLHTTP_IN_FIELD_LINE = 2, LLHTTP_IN_CHUNK_EXTENSIONS = 4 };

/* llhttp_ext_t's _private. */
struct llhttp_limits {
  int64_t at[LLHTTP_LIMIT_COUNT]; /* each limit's place, NEVER if it limits nothing now */
  int64_t first;                  /* the least of them */
  int64_t base;
  int64_t extensions_at;          /* where the chunk's extensions began */
  uint64_t extension_bytes;       /* of the message's earlier chunks */
  uint64_t fields;                /* of the message */
  uint64_t open;
  int64_t unit_at;                /* of the unit whose callback is being called */
};
typedef char llhttp_limits_fit[sizeof(struct llhttp_limits) <= sizeof(((llhttp_ext_t*)0)->_private) ? 1 : -1];

static inline struct llhttp_limits* limits_of(llhttp_ext_t* ext) {
  return (struct llhttp_limits*)(void*)ext->_private; /* integers of the same size */
}

/* Nothing has begun. */
static inline void limits_clear(struct llhttp_limits* l) {
  int i;
  l->open = 0;
  l->fields = 0;
  l->extension_bytes = 0;
  for (i = 0; i < LLHTTP_LIMIT_COUNT; i++) l->at[i] = LLHTTP_LIMIT_NEVER;
  l->first = LLHTTP_LIMIT_NEVER;
}

static inline void limits_set(struct llhttp_limits* l, int limit, int64_t place) {
  l->at[limit] = place;
  if (place < l->first) l->first = place;
}

static inline void limits_end(struct llhttp_limits* l, int limit) {
  int i;
  const int64_t place = l->at[limit];
  l->at[limit] = LLHTTP_LIMIT_NEVER;
  if (place != l->first || place == LLHTTP_LIMIT_NEVER) return;
  l->first = l->at[0];
  for (i = 1; i < LLHTTP_LIMIT_COUNT; i++)
    if (l->at[i] < l->first) l->first = l->at[i];
}

/* What begins at a place may have so many bytes. */
static inline int64_t limit_place(int64_t from, uint64_t most) {
  return most == 0 || most > INT64_MAX / 2 ? LLHTTP_LIMIT_NEVER : from + (int64_t)most;
}

/* A span begins at a place, or goes on if its element has begun. */
static inline void limits_begin(llhttp_ext_t* ext, unsigned callback, int64_t place) {
  struct llhttp_limits* l = limits_of(ext);
  switch (callback) {
    case LLHTTP_CB_URL:
      if (l->open & LLHTTP_IN_TARGET) return;
      l->open |= LLHTTP_IN_TARGET;
      limits_set(l, LLHTTP_LIMIT_TARGET_LENGTH, limit_place(place, ext->max_target_length));
      break;
    case LLHTTP_CB_HEADER_FIELD:
    case LLHTTP_CB_SKIPPED_LINE: /* from its first byte on, if there is no name */
      if (l->open & LLHTTP_IN_FIELD_LINE) return;
      l->open |= LLHTTP_IN_FIELD_LINE;
      l->fields++;
      limits_set(l, LLHTTP_LIMIT_FIELD_LINE_LENGTH, limit_place(place, ext->max_field_line_length));
      if (ext->max_fields != 0 && l->fields > ext->max_fields) limits_set(l, LLHTTP_LIMIT_FIELDS, place);
      break;
    case LLHTTP_CB_CHUNK_EXTENSION_NAME: {
      const uint64_t most = ext->max_message_chunk_extension_bytes;
      if (l->open & LLHTTP_IN_CHUNK_EXTENSIONS) return;
      l->open |= LLHTTP_IN_CHUNK_EXTENSIONS;
      l->extensions_at = place;
      limits_set(l, LLHTTP_LIMIT_CHUNK_EXTENSION_BYTES, limit_place(place, ext->max_chunk_extension_bytes));
      if (most != 0)
        limits_set(l, LLHTTP_LIMIT_MESSAGE_CHUNK_EXTENSION_BYTES,
                   most > l->extension_bytes ? limit_place(place, most - l->extension_bytes) : place);
      break;
    }
    default: break;
  }
}

/* A unit stands at a place that no limit comes before. For a chunk's header, whether it is the last chunk. */
static inline void limits_unit(llhttp_ext_t* ext, unsigned callback, int64_t place, int last_chunk) {
  struct llhttp_limits* l = limits_of(ext);
  switch (callback) {
    case LLHTTP_CB_MESSAGE_BEGIN:
      limits_clear(l);
      limits_set(l, LLHTTP_LIMIT_HEADER_BYTES, limit_place(place, ext->max_header_bytes));
      break;
    case LLHTTP_CB_URL:
      l->open &= ~(uint64_t)LLHTTP_IN_TARGET;
      limits_end(l, LLHTTP_LIMIT_TARGET_LENGTH);
      break;
    case LLHTTP_CB_SKIPPED_LINE_COMPLETE:
      ext->skipped_lines++;
      /* fall through */
    case LLHTTP_CB_HEADER_VALUE_COMPLETE:
      l->open &= ~(uint64_t)LLHTTP_IN_FIELD_LINE;
      limits_end(l, LLHTTP_LIMIT_FIELD_LINE_LENGTH);
      break;
    case LLHTTP_CB_HEADERS_COMPLETE: limits_end(l, LLHTTP_LIMIT_HEADER_BYTES); break;
    case LLHTTP_CB_CHUNK_HEADER:
      if (l->open & LLHTTP_IN_CHUNK_EXTENSIONS) {
        l->open &= ~(uint64_t)LLHTTP_IN_CHUNK_EXTENSIONS;
        l->extension_bytes += (uint64_t)(place - l->extensions_at);
        limits_end(l, LLHTTP_LIMIT_CHUNK_EXTENSION_BYTES);
        limits_end(l, LLHTTP_LIMIT_MESSAGE_CHUNK_EXTENSION_BYTES);
      }
      if (last_chunk) limits_set(l, LLHTTP_LIMIT_TRAILER_BYTES, limit_place(place, ext->max_trailer_bytes));
      break;
    case LLHTTP_CB_CHUNK_COMPLETE: limits_end(l, LLHTTP_LIMIT_TRAILER_BYTES); break;
    default: break;
  }
}

/* The limit whose place is the first. */
static inline int limits_first(const struct llhttp_limits* l) {
  int i = 0;
  while (l->at[i] != l->first) i++;
  return i;
}

#endif
