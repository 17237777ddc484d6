#pragma once
/* Patterns over names: '*' stands for any bytes, also none, '?' for one; every other byte for itself. */
#include "base/str.h"

/* Whether the whole text fits the pattern. Takes at most the product of both lengths. */
bool glob_match(struct str pattern, struct str text);
