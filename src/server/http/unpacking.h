#pragma once
/* The text of a packed body, a piece at a time: what is sent plain is in memory by pieces alone. */
#include "server/http/cache.h"

struct unpacking;

enum {
	UNPACKING_PIECE_BYTES = 16 * 1024, /* that a reader takes at most */
	UNPACKING_BYTES = 128 * 1024,      /* that one takes in memory, with a piece of its reader */
};

/* Holds the body until unpacking_end. */
struct unpacking *unpacking_begin(struct cached *packed);

/* The next bytes of the text; 0 at its end, or when it is damaged. */
size_t unpacking_read(struct unpacking *unpacking, char *to, size_t bytes);

/* NULL is allowed. */
void unpacking_end(struct unpacking *unpacking);

/* The whole text as a body of its own. NULL when it cannot be written or is damaged. */
struct cached *unpacking_keep(struct cache *cache, struct str key, struct cached *packed);
