// Between the two halves of the generator: generate.c makes inputs, plan.c makes everything else of a plan.
#include "diff.h"

// Writes an input of at most cap bytes to out and returns its length.
uint32_t generate_input(struct rng* r, uint8_t* out, uint32_t cap, int response, uint16_t lenient);
