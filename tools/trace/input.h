/* Inputs: files, or standard input, whose name is "-". */
#ifndef TRACE_INPUT_H
#define TRACE_INPUT_H

#include <stddef.h>
#include <stdio.h>

/* What an input is called in what is printed. */
const char* input_name(const char* path);

/* Opens it for reading. NULL after a complaint. */
FILE* input_open(const char* path);

/* Closes it. 0, or -1 after a complaint if it could not be read to its end. */
int input_close(const char* path, FILE* file);

/* All of it, in memory that the caller frees. NULL after a complaint. */
char* input_read(const char* path, size_t* size);

#endif /* TRACE_INPUT_H */
