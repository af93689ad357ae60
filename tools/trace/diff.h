/* Two libraries on the same input, and the first event that they do not have in common. */
#ifndef TRACE_DIFF_H
#define TRACE_DIFF_H

#include "output.h"
#include "parse.h"

/* Parses output's input with the linked library and with `other`, and prints what differs first, or that nothing does.
 * Returns EXIT_PARSED if nothing does, EXIT_DIFFERENT, or EXIT_TROUBLE.
 */
int diff(const struct output* output, const struct parse_options* options, const struct library* other);

#endif /* TRACE_DIFF_H */
