/* The checks of layout.h as a C99 program. */
#include "layout.h"

int main(void) { return check_layout(); }
