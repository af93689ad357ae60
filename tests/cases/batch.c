/* llhttp-trace as a tool for the runner's --batch, which does one run after the other: to start a process takes longer
 * than all that it does in a run, above all with a Go runtime in it, or under emulation. README.md has the form of
 * requests and answers.
 *
 * Linked with all of tools/trace but its main.c, which is included here. */
#include <getopt.h>

int trace_main(int argc, char** argv);
#define main trace_main
#include "../../tools/trace/main.c"
#undef main

enum { MOST_ARGUMENTS = 64 };

/* Turns pairs of hexadecimal digits into the bytes they stand for, in place. */
static size_t bytes_of(char* digits) {
  size_t count = 0;
  for (const char* at = digits; at[0] != '\0' && at[1] != '\0'; at += 2) {
    const char pair[] = {at[0], at[1], '\0'};
    digits[count++] = (char)strtoul(pair, NULL, 16);
  }
  return count;
}

int main(void) {
  char* line = NULL;
  size_t room = 0;
  FILE* requests = stdin;
  char name[] = "llhttp-trace";
  while (getline(&line, &room, requests) > 0) {
    char* arguments[MOST_ARGUMENTS + 2] = {name};
    int count = 0;
    line[strcspn(line, "\n")] = '\0';
    char* rest = line;
    char* input = strsep(&rest, "\t"); /* the last one */
    for (; rest != NULL && count < MOST_ARGUMENTS; input = strsep(&rest, "\t")) arguments[++count] = input;
    size_t size = bytes_of(input);
    stdin = fmemopen(input, size, "rb");
    if (rest != NULL || stdin == NULL) return EXIT_TROUBLE;
    optind = 0; /* getopt begins anew */
    int status = trace_main(count + 1, arguments);
    fclose(stdin);
    printf("{\"status\": %d}\n", status);
    fflush(stdout);
  }
  free(line);
  return 0;
}
