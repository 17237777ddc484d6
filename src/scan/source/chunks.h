#pragma once
/*
 * A long script in pieces that each hold whole statements.
 *
 * libtree-sitter 0.20 frees memory wrongly if a node has more than 65,535 children, as one of invalid text may have.
 * No piece has that many tokens; a script that short is one piece.
 */
#include "base/view/str.h"

enum { CHUNK_TOKENS = 60000 };

/* Takes the next piece off *rest. False when *rest was used up, or begins with a statement that has more tokens:
   *ret_chunk is empty only at the end. */
bool chunk_next(struct str *rest, struct str *ret_chunk);

/* State of a coarse reader of Python, which knows only whether a line begins a statement. */
struct look {
	struct str text;
	size_t at, tokens;
	unsigned depth; /* of brackets */
	char quote;     /* of the string that it is in, or 0 */
	bool is_triple, decorated;
};

/* Looks at what the text, which may have moved, has beyond what was looked at before. */
void look_on(struct look *look, struct str text);

/* Returns whether the statement continues: inside brackets, a string, or a continued line. */
bool look_is_inside(const struct look *look);
