/* What an error means: the rule that is broken, what to answer, and the lenient flags that would let the input pass. */
#ifndef TRACE_EXPLAIN_H
#define TRACE_EXPLAIN_H

#include "output.h"
#include "parse.h"

/* Explains the error in which parse() of output's input with these options has ended. */
void explain(const struct output* output, const struct parse_options* options, const struct result* result);

#endif /* TRACE_EXPLAIN_H */
