/* Bytes as printable ASCII. */
#ifndef TRACE_ESCAPE_H
#define TRACE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

/* The text of one byte: itself, \r, \n, \t, \\, \", or \xNN; in JSON \u00NN, so that one code unit stands for one byte
 * and nothing is ever decoded. Returns the text's length.
 */
size_t escape(unsigned char byte, bool json, char out[8]);

/* Prints the bytes, escaped, between quotes. */
void print_quoted(const char* text, size_t length, bool json);

/* The same for a C string. */
void print_quoted_string(const char* text, bool json);

#endif /* TRACE_ESCAPE_H */
