#pragma once
/*
 * A long script in pieces that each hold whole statements.
 *
 * libtree-sitter 0.20 frees memory wrongly where one of its nodes has more than 65,535 children, as one for text
 * that is no Python may have. No piece has as many tokens, whatever is in it; a script that short is one piece.
 */
#include "base/view/str.h"

enum { CHUNK_TOKENS = 60000 };

/* Takes the next piece off *rest. False when *rest was used up, or begins with a statement that has more tokens:
   *ret_chunk is empty only at the end. */
bool chunk_next(struct str *rest, struct str *ret_chunk);

/* Where a coarse look at Python has come: enough to know where a line begins a statement. */
struct look {
	struct str text;
	size_t at, tokens;
	unsigned depth; /* of brackets */
	char quote;     /* of the string that it is in, or 0 */
	bool is_triple, decorated;
};

/* Looks at what the text, which may have moved, has beyond what was looked at before. */
void look_on(struct look *look, struct str text);

/* Begins anew behind the text, whatever is open there. */
void look_again(struct look *look, struct str text);

/* Whether what follows is no new statement: inside of brackets or a string, or of a line that goes on. */
bool look_is_inside(const struct look *look);
