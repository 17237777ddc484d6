#pragma once
/*
 * Joins the pieces of table lines that a terminal or a mailer broke at a fixed width.
 */
#include "base/memory/buf.h"

struct unwrap {
	size_t width;    /* code points of a full piece; 0: lines are whole */
	unsigned pieces; /* that a line of the table has */
	unsigned have;
	struct buf joined, old;
};

/* Lines are taken to be broken into so many pieces of width code points, the last one shorter; pieces is at least 2.
   The line that was given last lives on until the next one. */
void unwrap_start(struct unwrap *unwrap, size_t width, unsigned pieces, uint64_t max_bytes);

/* Lines are whole again; a line under way is forgotten. The one that was given last lives on. */
void unwrap_stop(struct unwrap *unwrap);

/* Stops and frees. */
void unwrap_clear(struct unwrap *unwrap);

/* Takes a line; true when *ret is a whole one, which lives until the next call. Lines shorter than a piece are
   whole. */
bool unwrap_line(struct unwrap *unwrap, struct str line, struct str *ret);
