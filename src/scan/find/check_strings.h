#pragma once
/*
 * String literals that name a device, a communication backend, a type or a tool.
 *
 * "cuda" in a message, a path or a key is a word. It is a device where one is expected: as an argument of torch or of
 * `to`, under such a keyword or name, compared with a device, or through a name that reaches such a use.
 */
#include "scan/find/check.h"

/* String literals, by what is around them; then those that reach a place where a device or a backend is wanted through
   a name. */
void check_strings(struct check *check, const struct script *script);
void check_uses(struct check *check, const struct script *script);
