/* What is attached to a parser, for the C files here. The address lives in llhttp_t's _span_pos0, which nothing else
 * uses: llhttp's own machine would keep a span there. A cleared llhttp_t has nothing attached. */
#ifndef LLHTTP_EXT_INTERNAL_H_
#define LLHTTP_EXT_INTERNAL_H_

#include "llhttp_compat.h"
#include "llhttp_ext.h"

static inline llhttp_ext_t* ext_of(const llhttp_t* parser) { return (llhttp_ext_t*)parser->_span_pos0; }

/* Attaches a struct and makes it forget what it has counted; NULL detaches. */
__attribute__((visibility("hidden"))) void llhttp_set_ext(llhttp_t* parser, llhttp_ext_t* ext);

#endif
