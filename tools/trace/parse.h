/* One parse of one input by one library, as a sequence of events. */
#ifndef TRACE_PARSE_H
#define TRACE_PARSE_H

#include "event.h"
#include "library.h"

/* Limits of llhttp_ext_t, by their places in LLHTTP_EXT_LIMIT_MAP. */
enum limit {
#define X(NAME, MEMBER) LIMIT_##NAME,
  LLHTTP_EXT_LIMIT_MAP(X)
#undef X
      LIMIT_COUNT
};

struct parse_options {
  llhttp_type_t type;
  bool lenient[LENIENT_COUNT];
  bool extended;       /* a rule or a limit of llhttp_ext_t is set: the library must have extensions */
  uint32_t rules;
  uint64_t limits[LIMIT_COUNT];
  size_t piece;        /* bytes per llhttp_execute; 0: all */
  const size_t* cuts;  /* offsets at which the input is cut, ascending */
  size_t cut_count;
  bool finish;         /* llhttp_finish at the end */
  bool no_pause;       /* offsets of notifications are not wanted */
  bool ignore_upgrade; /* go on with HTTP where the parser stops for an upgrade */
  int headers_result;  /* what on_headers_complete returns: 0, 1 (no body) or 2 (upgrade) */
};

struct result {
  llhttp_errno_t error; /* HPE_OK, an upgrade's pause, or an error */
  const char* reason;   /* never NULL */
  size_t offset;        /* where the parser stopped */
};

static inline bool result_is_error(const struct result* r) {
  return r->error != HPE_OK && r->error != HPE_PAUSED_UPGRADE && r->error != HPE_PAUSED_H2_UPGRADE;
}

/* Makes the struct ready with the rules and limits of the options. The library must have extensions. */
void parse_extensions(const struct library* library, const struct parse_options* options, llhttp_ext_t* ext);

typedef void (*event_sink)(void* context, const struct event* event);

/* Parses data and hands each event to sink, which may be NULL if none is wanted. */
struct result parse(const struct library* library, const struct parse_options* options, const char* data, size_t size,
                    event_sink sink, void* context);

#endif /* TRACE_PARSE_H */
