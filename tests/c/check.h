/* Checks that count: CHECK(condition), CHECK_INT(got, want), CHECK_STR(got, want), CHECK_PTR(got, want).
 * A failed check says where and what on stderr and lets the program run on. `return check_done();` at the end of main
 * prints the closing line and gives the exit status. Checks may be made in any thread. Also valid C++11. */
#ifndef TESTS_C_CHECK_H_
#define TESTS_C_CHECK_H_

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long check_passed;
static unsigned long check_failed;
static const char* check_about = ""; /* what a loop is busy with, shown with a failure */

enum { CHECK_SHOWN = 40 }; /* later failures are only counted */

__attribute__((format(printf, 4, 5))) static inline int check_that(int ok, const char* file, int line,
                                                                   const char* format, ...) {
  if (ok) {
    __atomic_fetch_add(&check_passed, 1, __ATOMIC_RELAXED);
    return 1;
  }
  if (__atomic_fetch_add(&check_failed, 1, __ATOMIC_RELAXED) < CHECK_SHOWN) {
    char text[2000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "%s:%d: %s%s%s\n", file, line, check_about, *check_about ? ": " : "", text);
  }
  return 0;
}

static inline int check_text_equal(const char* a, const char* b) {
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

#define CHECK(condition) check_that((condition) ? 1 : 0, __FILE__, __LINE__, "%s", #condition)

#define CHECK_INT(got, want) check_int((long long)(got), (long long)(want), #got, __FILE__, __LINE__)
static inline int check_int(long long got, long long want, const char* what, const char* file, int line) {
  return check_that(got == want, file, line, "%s is %lld, want %lld", what, got, want);
}

#define CHECK_STR(got, want) check_str((got), (want), #got, __FILE__, __LINE__)
static inline int check_str(const char* got, const char* want, const char* what, const char* file, int line) {
  return check_that(check_text_equal(got, want), file, line, "%s is\n  %s\nwant\n  %s", what, got ? got : "(null)",
                    want ? want : "(null)");
}

#define CHECK_PTR(got, want) check_ptr((got), (want), #got, __FILE__, __LINE__)
static inline int check_ptr(const void* got, const void* want, const char* what, const char* file, int line) {
  return check_that(got == want, file, line, "%s is %p, want %p", what, got, want);
}

/* Set when the library under test is llhttp 9.4.3 itself: checks of what this project promises beyond it are left out. */
static inline int check_reference(void) { return getenv("LLHTTP_TEST_REFERENCE") != NULL; }

static inline int check_done(void) {
  printf("%lu passed, %lu failed\n", check_passed, check_failed);
  return check_failed != 0 || check_passed == 0;
}

#endif
