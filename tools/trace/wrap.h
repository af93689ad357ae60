/* Prose below a word at its left, in lines that fit a page. */
#ifndef TRACE_WRAP_H
#define TRACE_WRAP_H

/* Prints the word behind `indent` blanks, and the text in a column of its own, broken at blanks. */
void print_wrapped(int indent, const char* word, const char* text);

#endif /* TRACE_WRAP_H */
