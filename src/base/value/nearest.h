#pragma once
/*
 * Candidates nearest to a misspelt name, best first, in the order offered among equals. One that the name begins
 * counts as equal when only NEAREST_DISTANCE bytes are missing, else as one step away.
 */
#include "base/memory/buf.h"

enum { NEAREST_COUNT = 5, NEAREST_DISTANCE = 2 };

struct nearest {
	struct str wanted;
	struct str names[NEAREST_COUNT]; /* views of what was offered */
	unsigned distances[NEAREST_COUNT];
	size_t count;
};

#define NEAREST_TO(text) ((struct nearest){ .wanted = (text) })

/* Returns the edit distance of a and b with swaps of neighbours, in bytes; max + 1 if it exceeds max. Texts over 255
   bytes are never near. */
unsigned edit_distance(struct str a, struct str b, unsigned max);

/* Keeps the candidate if it is among the best so far: one that begins with what was wanted, or is at most
   NEAREST_DISTANCE away and more like than unlike. */
void nearest_offer(struct nearest *nearest, struct str candidate);

/* Appends "a, b, c". */
void nearest_put(struct buf *buf, const struct nearest *nearest);
