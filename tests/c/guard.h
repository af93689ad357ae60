/* A buffer between two inaccessible pages: a read past either end of the bytes placed there faults. */
#ifndef TESTS_C_GUARD_H_
#define TESTS_C_GUARD_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct guard {
  char* start; /* first accessible byte */
  char* end;   /* first byte of the page behind */
};

static inline struct guard guard_new(size_t size) {
  struct guard g;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t room = (size + page - 1) / page * page;
  char* all;
  if (room == 0) room = page;
  all = (char*)mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all + page, room, PROT_READ | PROT_WRITE) != 0) {
    perror("guard_new");
    exit(2);
  }
  g.start = all + page;
  g.end = all + page + room;
  return g;
}

static inline void guard_free(struct guard* g) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  munmap(g->start - page, (size_t)(g->end - g->start) + 2 * page);
  g->start = g->end = NULL;
}

/* Copies the bytes so that they end, or begin, at the inaccessible page. */
static inline char* guard_at_end(const struct guard* g, const char* data, size_t len) {
  if (len > 0) memcpy(g->end - len, data, len);
  return g->end - len;
}

static inline char* guard_at_start(const struct guard* g, const char* data, size_t len) {
  if (len > 0) memcpy(g->start, data, len);
  return g->start;
}

#endif
