// Bytes to plans and back. A head of fixed size, then the lengths of pieces, then acts, then the input; what is missing
// is zero, and zero is what is plain: a message of either type, all callbacks, one piece, and a caller who goes on
// after each pause.
//
//   0      type; for parts which one
//   1-2    lenient flags, lowest byte first
//   3-6    callbacks that are not set in the first settings object; 7-10 in the second
//   11     where pieces lie; 12 whether the rest of a piece moves: a bit for each, again after eight
//   13     how many pauses fewer than 60 the caller goes on after
//   14     upgrades to go on after, 4 bits; errors, 3 bits
//   15     what the caller does after an error, 4 bits; then bits: begins with an empty piece; the parser moves; no part after it
//   16     what the caller does at the end
//   17     number of lengths, 4 bits; number of acts, 4 bits
//   18     length of the pieces after those; 0 for all that is left
//   19     nothing
//
// An act is callback, act, how often the callback comes before it (255: every time), result, argument in 2 bytes and by
// how many bits it is shifted, and a byte that is nothing.
#include "fuzz.h"

#define PIECES_AT_MOST 512
#define EACH_BYTE 0x0101010101010101u

static uint32_t get(const uint8_t* p, int n) {
  uint32_t v = 0;
  while (n-- > 0) v = v << 8 | p[n];
  return v;
}

static void put(uint8_t* p, int n, uint32_t v) {
  for (int i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i);
}

// ---- acts

static void decode_act(struct act* a, const uint8_t* b) {
  a->when = b[0] % (WHEN_BETWEEN + 1);
  a->what = fuzz_target->acts == ACTS_ALL ? b[1] % NACTS : ACT_none;
  a->nth = b[2] == 255 ? NTH_EVERY : b[2];
  a->ret = (int8_t)b[3];
  a->arg = a->what == ACT_none ? 0 : (uint64_t)get(b + 4, 2) << (b[6] & 63);
}

static int encode_act(const struct act* a, uint8_t* b) {
  uint64_t arg = a->arg;
  unsigned shift = 0;
  while (arg > 0xffff && (arg & 1) == 0) {
    arg >>= 1;
    shift++;
  }
  if (arg > 0xffff || a->ret != (int8_t)a->ret || (a->nth >= 255 && a->nth != NTH_EVERY)) return -1;
  b[0] = a->when;
  b[1] = a->what;
  b[2] = a->nth == NTH_EVERY ? 255 : (uint8_t)a->nth;
  b[3] = (uint8_t)a->ret;
  put(b + 4, 2, (uint32_t)arg);
  b[6] = (uint8_t)shift;
  b[7] = 0;
  return 0;
}

// ---- plans

static void add(struct plan* p, const void* s, size_t n) {
  if (n > MAX_INPUT - p->len) n = MAX_INPUT - p->len;
  memcpy(p->input + p->len, s, n);
  p->len += (uint32_t)n;
}

static void decode_pieces(struct plan* p, const uint8_t* lengths, unsigned n, uint32_t every) {
  uint32_t left = p->len;
  p->npieces = 0;
  for (unsigned i = 0; i < n; i++) {
    uint32_t piece = lengths[i] < left ? lengths[i] : left;
    p->piece[p->npieces++] = piece;
    left -= piece;
  }
  // Many small pieces of a long input would take most of the time.
  if (every && left / every > PIECES_AT_MOST) every = left / PIECES_AT_MOST;
  while (left || p->npieces == 0) {
    uint32_t piece = every && every < left ? every : left;
    p->piece[p->npieces++] = piece;
    left -= piece;
  }
}

void fuzz_decode(struct plan* p, const uint8_t* data, size_t size) {
  uint8_t h[FUZZ_HEAD] = {0}, lengths[15] = {0}, act[8];
  size_t n = size < FUZZ_HEAD ? size : FUZZ_HEAD;
  memcpy(h, data, n);
  data += n;
  size -= n;
  memset(p, 0, offsetof(struct plan, piece));
  const struct part* part = fuzz_target->parts ? &parts[h[0] % n_parts] : NULL;
  p->type = part ? part->type : h[0] % 3;
  p->lenient = get(h + 1, 2) & ((1u << NLENIENT) - 1);
  p->mask[0] = ~get(h + 3, 4) & ALL_CBS;
  p->mask[1] = ~get(h + 7, 4) & ALL_CBS;
  p->place = h[11] * EACH_BYTE;
  p->moves = h[12] * EACH_BYTE;
  p->resumes = 60 - h[13] % 61;
  p->upgrades = h[14] & 15;
  p->errors = h[14] >> 4 & 7;
  p->on_error = (h[15] & 15) % NERR;
  p->null_first = h[15] >> 4 & 1;
  p->relocate = h[15] >> 5 & 1;
  p->ending = h[16] & 31;
  unsigned n_lengths = h[17] & 15, n_acts = (h[17] >> 4) % (MAX_ACTS + 1);
  n = size < n_lengths ? size : n_lengths;
  memcpy(lengths, data, n);
  data += n;
  size -= n;
  for (unsigned i = 0; i < n_acts; i++) {
    n = size < sizeof act ? size : sizeof act;
    memset(act, 0, sizeof act);
    memcpy(act, data, n);
    data += n;
    size -= n;
    if (fuzz_target->acts) decode_act(&p->acts[p->nacts++], act);
  }
  if (part) add(p, part->before.s, part->before.n);
  add(p, data, size);
  if (part && !(h[15] & 64)) add(p, part->after.s, part->after.n);
  decode_pieces(p, lengths, n_lengths, h[18]);
}

// The lengths, and how many they are; -1 if bytes cannot say them.
static int encode_pieces(const struct plan* p, uint8_t* head, uint8_t* lengths) {
  uint32_t n = p->npieces, last = n - 1, every = 0;
  if (p->piece[last]) {
    n--;  // all that is left
    if (n && p->piece[n - 1] >= p->piece[last]) {
      every = p->piece[n - 1];
      while (n && p->piece[n - 1] == every) n--;
    }
  }
  if (n > 15 || every > 255) return -1;
  for (uint32_t i = 0; i < n; i++) {
    if (p->piece[i] > 255) return -1;
    lengths[i] = (uint8_t)p->piece[i];
  }
  head[17] = (uint8_t)n;
  head[18] = (uint8_t)every;
  return (int)n;
}

size_t fuzz_encode(const struct plan* p, unsigned part, uint8_t out[FUZZ_MAX]) {
  int64_t from = fuzz_target->parts ? part_find(&parts[part], p->input, p->len) : 0;
  if (from < 0 || p->resumes > 60 || p->upgrades > 15 || p->errors > 7 || p->npieces > PIECES_AT_MOST ||
      p->place != (p->place & 255) * EACH_BYTE || p->moves != (p->moves & 255) * EACH_BYTE)
    return 0;
  memset(out, 0, FUZZ_HEAD);
  out[0] = fuzz_target->parts ? (uint8_t)part : p->type;
  put(out + 1, 2, p->lenient);
  put(out + 3, 4, ~p->mask[0] & ALL_CBS);
  put(out + 7, 4, ~p->mask[1] & ALL_CBS);
  out[11] = (uint8_t)p->place;
  out[12] = (uint8_t)p->moves;
  out[13] = 60 - p->resumes;
  out[14] = (uint8_t)(p->upgrades | p->errors << 4);
  out[15] = (uint8_t)(p->on_error | p->null_first << 4 | p->relocate << 5 | 64);
  out[16] = p->ending;
  uint8_t* at = out + FUZZ_HEAD;
  // The pieces of a part are not those of the message that it is taken from.
  int n = fuzz_target->parts ? 0 : encode_pieces(p, out, at);
  if (n < 0) return 0;
  at += n;
  out[17] |= (uint8_t)(p->nacts << 4);
  for (unsigned i = 0; i < p->nacts; i++, at += 8)
    if (encode_act(&p->acts[i], at)) return 0;
  memcpy(at, p->input + from, p->len - (size_t)from);
  return (size_t)(at - out) + p->len - (size_t)from;
}
