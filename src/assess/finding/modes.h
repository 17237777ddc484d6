#pragma once
/* Training or evaluation: which of the two a profile shows, and what the other one would call beside it; dumps that may show one
   run twice. */
#include "assess/model/operators.h"

/* Appends to result->warnings, which moves: what to profile in addition. The operators and the ignored names are there. */
void modes_compare(struct result *result);
