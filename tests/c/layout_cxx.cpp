/* The checks of layout.h as a C++11 program. */
#include "layout.h"

int main() { return check_layout(); }
