/* Extensions of a parser: a struct of the caller's that is attached to it. What is promised is in llhttp_ext.h; the
 * driver does the work. */
#include "ext.h"

#include <string.h>

#include "ext_limits.h"
#include "tables_gen.h"

typedef char llhttp_ext_keeps_its_size[sizeof(llhttp_ext_t) == 256 ? 1 : -1];

void llhttp_ext_init(llhttp_ext_t* ext) {
  memset(ext, 0, sizeof(*ext));
  ext->version = LLHTTP_EXT_VERSION;
}

void llhttp_set_ext(llhttp_t* parser, llhttp_ext_t* ext) {
  if (ext != NULL) {
    limits_clear(limits_of(ext));
    ext->skipped_lines = 0;
  }
  parser->_span_pos0 = ext;
}

int llhttp_ext_attach(llhttp_t* parser, llhttp_ext_t* ext) {
  if (ext != NULL && ext->version != LLHTTP_EXT_VERSION) return -1;
  llhttp_set_ext(parser, ext);
  return 0;
}

llhttp_ext_t* llhttp_ext_attached(const llhttp_t* parser) { return ext_of(parser); }

/* The status in a table of reasons, or -1. */
static int status_of(const struct llhttp_core_reason* reasons, size_t count, const llhttp_t* parser) {
  size_t i;
  for (i = 0; i < count; i++)
    if (reasons[i].error == parser->error && strcmp(reasons[i].text, parser->reason) == 0) return reasons[i].status;
  return -1;
}

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

int llhttp_ext_error_status(const llhttp_t* parser) {
  int status = -1;
  size_t i;
  if (parser->reason != NULL) {
    status = status_of(llhttp_core_reasons, COUNT(llhttp_core_reasons), parser);
    if (status < 0) status = status_of(llhttp_limit_reasons, COUNT(llhttp_limit_reasons), parser);
  }
  for (i = 0; status < 0 && i < COUNT(llhttp_errno_statuses); i++)
    if (llhttp_errno_statuses[i].error == parser->error) status = llhttp_errno_statuses[i].status;
  if (status < 0) status = 500; /* a number that a callback has brought in */
  return status != 0 && parser->type == HTTP_RESPONSE ? 502 : status;
}
