#pragma once
/*
 * A row of comma-separated text in which quotes only stand around cells, cut sixty-four bytes at a time.
 */
#include "base/view/str.h"

struct csv_cut {
	struct str *cells;  /* as many as most; filled for columns that are kept, "" for the others */
	size_t most, count; /* count is set */
	uint64_t keep;      /* bit 1 << column; most is at most 64 */
	size_t max_cell_bytes;
};

/* Cuts the row that text starts with. Returns its bytes with its line end (CR, LF or both); 0 when it is left to
   libcsv: quotes stand elsewhere, too, it does not end here, or it has too many cells or too long a one. Cells lose
   blanks and tabs at their ends unless quoted. */
size_t csv_cut(struct csv_cut *cut, struct str text);

/* The ways to do that on this machine, the best one first; for tests. They give the same results. */
struct csv_way {
	const char *name; /* "avx2", "portable" */
	size_t (*cut)(struct csv_cut *cut, struct str text);
};
const struct csv_way *csv_way(size_t index);
