#pragma once
/* What nobody may guess, and comparing it without saying by the time that it takes how much was right. */
#include "base/str.h"

/* Random bytes of the system as lower case hexadecimal text with a NUL: ret has room for 2 * bytes + 1. Aborts when the
   system has none. */
void secret_random(char *ret_hex, size_t bytes);

/* Whether both are the same; the time depends on their lengths alone. */
bool secret_equal(struct str a, struct str b);
