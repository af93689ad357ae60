/* What every file of the tool shares: its name, its exit statuses, and how it complains. */
#ifndef TRACE_COMPLAIN_H
#define TRACE_COMPLAIN_H

#define PROGRAM "llhttp-trace"
#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

/* From several inputs, the greatest wins, save that trouble always does. */
enum { EXIT_PARSED = 0, EXIT_PARSE_ERROR = 1, EXIT_TROUBLE = 2, EXIT_DIFFERENT = 3 };

/* Writes a line to standard error, behind the program's name. */
__attribute__((format(printf, 1, 2))) void complain(const char* format, ...);

/* The status for two inputs of these. */
int worse_status(int a, int b);

#endif /* TRACE_COMPLAIN_H */
