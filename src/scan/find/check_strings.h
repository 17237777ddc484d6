#pragma once
/*
 * String literals that name a device, a communication backend, a type or a tool.
 *
 * "cuda" in a message, a path or a key is a word. It is a device where one is expected: as an argument of torch or of
 * `to`, under such a keyword or name, compared with a device, or through a name that reaches such a use.
 */
#include "scan/find/check.h"

/* String literals, by what is around them; those that may be a device or a backend become candidates of follow.h. */
void check_strings(struct check *check, const struct script *script);

/* Returns whether an argument, with its keyword if it has one, is taken as a device or as a backend. */
bool argument_wants(struct check *check, const struct script *script, uint32_t argument, enum text_group group);
