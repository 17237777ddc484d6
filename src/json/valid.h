#pragma once
/* The strict counterpart of token.h, for documents that a program wrote and where damage must not pass. */
#include "base/view/str.h"

/* Returns whether text is one JSON value by RFC 8259 in UTF-8, nested at most JSON_MAX_DEPTH deep. *ret_bad_at: behind
   its last valid token, or the invalid byte of a text that is not UTF-8. */
bool json_valid(struct str text, size_t *ret_bad_at);
