// Makes a failing plan smaller: tries simpler plans in turn and keeps each that fails in the same way, until a whole
// round changes nothing. What must hold: a plan that is kept is safe, and has failed in a trial just as it is.
#include <stdlib.h>
#include <time.h>

#include "diff.h"

static struct plan best, next;
static const struct options* opts;
static int wanted, budget;
static uint32_t wanted_signature;
static time_t deadline;

// Whether `next` fails as it should; then it becomes the best.
static int keep(void) {
  uint32_t signature;
  if (budget <= 0 || time(NULL) > deadline || !plan_is_safe(&next)) return 0;
  budget--;
  if (trial(&next, opts, NULL, &signature) != wanted) return 0;
  if (wanted == DIFFERS && signature != wanted_signature) return 0;
  plan_copy(&best, &next);
  return 1;
}

static void start(void) { plan_copy(&next, &best); }

static void remove_piece(struct plan* p, uint32_t i) {
  memmove(p->piece + i, p->piece + i + 1, (p->npieces - i - 1) * sizeof p->piece[0]);
  p->npieces--;
}

static int shrink_acts(void) {
  int changed = 0;
  for (unsigned i = best.nacts; i-- > 0;) {
    start();
    memmove(&next.acts[i], &next.acts[i + 1], (next.nacts - i - 1) * sizeof next.acts[0]);
    next.nacts--;
    changed |= keep();
  }
  for (unsigned i = 0; i < best.nacts; i++) {
#define TRY(field, value) \
  if (best.acts[i].field != (value)) { \
    start(); \
    next.acts[i].field = (value); \
    changed |= keep(); \
  }
    TRY(ret, 0)
    TRY(what, ACT_none)
    TRY(nth, 0)
    if (best.acts[i].nth != NTH_EVERY && best.acts[i].nth) {
      TRY(nth, (uint16_t)(best.acts[i].nth / 2))
      if (best.acts[i].nth) TRY(nth, (uint16_t)(best.acts[i].nth - 1))
    }
    TRY(arg, 0)
  }
#undef TRY
  return changed;
}

static int shrink_options(void) {
  int changed = 0;
#define TRY(field, value) \
  if (best.field != (value)) { \
    start(); \
    next.field = (value); \
    changed |= keep(); \
  }
  TRY(on_error, ERR_STOP)
  TRY(errors, 0)
  TRY(ending, 0)
  for (int i = 0; i < 5; i++) TRY(ending, (uint8_t)(best.ending & ~(1u << i)))
  TRY(null_first, 0)
  TRY(relocate, 0)
  TRY(place, 0)
  TRY(moves, 0)
  TRY(upgrades, 0)
  TRY(resumes, 0)
  TRY(lenient, 0)
  for (int i = 0; i < NLENIENT; i++) TRY(lenient, (uint16_t)(best.lenient & ~(1u << i)))
  for (int set = 0; set < 2; set++) {
    TRY(mask[set], 0)
    for (int i = 0; i < NCB; i++) TRY(mask[set], best.mask[set] & ~(1u << i))
  }
  if (best.type == HTTP_BOTH) {
    TRY(type, HTTP_REQUEST)
    if (best.type == HTTP_BOTH) TRY(type, HTTP_RESPONSE)
  }
#undef TRY
  return changed;
}

static int shrink_pieces(void) {
  int changed = 0;
  if (best.npieces > 1) {
    start();
    next.piece[0] = next.len;
    next.npieces = 1;
    changed |= keep();
  }
  for (uint32_t n = best.npieces / 2; n > 0; n /= 2)  // join n + 1 pieces into one
    for (uint32_t i = 0; i + n < best.npieces;) {
      start();
      for (uint32_t k = 0; k < n; k++) next.piece[i] += next.piece[i + 1 + k];
      memmove(next.piece + i + 1, next.piece + i + 1 + n, (next.npieces - i - 1 - n) * sizeof next.piece[0]);
      next.npieces -= n;
      if (keep()) changed = 1;
      else i++;
    }
  for (uint32_t i = 0; i < best.npieces && best.npieces > 1;) {
    if (best.piece[i]) {
      i++;
      continue;
    }
    start();
    remove_piece(&next, i);
    if (keep()) changed = 1;
    else i++;
  }
  return changed;
}

static void remove_input(struct plan* p, uint32_t at, uint32_t n) {
  uint32_t from = 0;
  for (uint32_t i = 0; i < p->npieces; i++) {
    uint32_t to = from + p->piece[i], a = at > from ? at : from, b = at + n < to ? at + n : to;
    if (a < b) p->piece[i] -= b - a;
    from = to;
  }
  memmove(p->input + at, p->input + at + n, p->len - at - n);
  p->len -= n;
}

static int shrink_input(void) {
  int changed = 0;
  for (uint32_t n = best.len; n > 0; n = n > 1 && n < 8 ? n - 1 : n / 2)
    for (uint32_t at = best.len; at > 0;) {
      at = at > n ? at - n : 0;
      if (at + n > best.len) continue;
      start();
      remove_input(&next, at, n);
      changed |= keep();
    }
  return changed;
}

// Bytes that do not matter become plain ones, in runs first.
static int shrink_bytes(void) {
  int changed = 0;
  for (uint32_t n = 16; n > 0; n /= 4)
    for (uint32_t at = 0; at < best.len; at += n) {
      int other = 0;
      start();
      for (uint32_t i = at; i < at + n && i < next.len; i++) {
        other |= next.input[i] != 'x';
        next.input[i] = 'x';
      }
      if (other) changed |= keep();
    }
  return changed;
}

void shrink(struct plan* p, const struct options* o) {
  opts = o;
  plan_copy(&best, p);
  wanted = trial(&best, o, NULL, &wanted_signature);
  if (wanted == SAME) return;
  budget = wanted == HUNG ? 60 : 6000;
  deadline = time(NULL) + 60;
  for (int changed = 1, round = 0; changed && round < 8; round++) {
    changed = shrink_acts();
    changed |= shrink_options();
    changed |= shrink_pieces();
    changed |= shrink_input();
    if (!changed) changed = shrink_bytes();
  }
  plan_copy(p, &best);
}
