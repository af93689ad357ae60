/* Extensions of a parser: a struct of the caller's that is attached to it. What is promised is in llhttp_ext.h; the driver
 * does the work. */
#include "ext.h"

#include <string.h>

#include "limits.h"

typedef char llhttp_ext_keeps_its_size[sizeof(llhttp_ext_t) == 256 ? 1 : -1];

void llhttp_ext_init(llhttp_ext_t* ext) {
  memset(ext, 0, sizeof(*ext));
  ext->version = LLHTTP_EXT_VERSION;
}

void llhttp_set_ext(llhttp_t* parser, llhttp_ext_t* ext) {
  if (ext != NULL) limits_clear(limits_of(ext));
  parser->_span_pos0 = ext;
}

int llhttp_ext_attach(llhttp_t* parser, llhttp_ext_t* ext) {
  if (ext != NULL && ext->version != LLHTTP_EXT_VERSION) return -1;
  llhttp_set_ext(parser, ext);
  return 0;
}

llhttp_ext_t* llhttp_ext_attached(const llhttp_t* parser) { return ext_of(parser); }
