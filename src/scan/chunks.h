#pragma once
/*
 * A long script in pieces that each hold whole statements.
 *
 * libtree-sitter 0.20 frees memory wrongly where one of its nodes has more than 65,535 children, as one for text
 * that is no Python may have. No piece has as many tokens, whatever is in it; a script that short is one piece.
 */
#include "base/str.h"

enum { CHUNK_TOKENS = 60000 };

/* Takes the next piece off *rest. False when *rest was used up, or begins with a statement that has more tokens:
   *ret_chunk is empty only at the end. */
bool chunk_next(struct str *rest, struct str *ret_chunk);
