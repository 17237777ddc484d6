#pragma once
/* The releases of a target or the versions of PyTorch in their order, and how many rows of facts belong to each. */
#include "opdb/axis.h"
#include "opdb/tsv.h"

enum { TIMELINE_PLACES = 256 };

/* Which dispatch keys are the key of dense tensors. */
enum dense_key { DENSE_XLA = 1, DENSE_PRIVATEUSE1 = 2 };

struct tally {
	size_t line;               /* in its table */
	unsigned dense;            /* enum dense_key */
	uint64_t rows, dense_rows; /* that the table says it has */
	uint64_t rows_seen, dense_rows_seen;
};

struct timeline {
	struct axis axis;
	struct tally *items;
	size_t count, capacity;
};

void timeline_clear(struct timeline *timeline);

/* Adds the next release or version, with the numbers of rows in two cells of the table's row. ERR_FACT. */
int timeline_add(struct timeline *timeline, const struct tsv *tsv, struct str name, struct str rows,
	struct str dense_rows, unsigned dense, struct err *err);

/* Counts one row for every place of a span. dense: the enum dense_key that the row is a dense kernel of, or 0. */
void timeline_count(struct timeline *timeline, struct span span, unsigned dense);

/* ERR_FACT at the row of file whose numbers are not what was counted. */
int timeline_check(const struct timeline *timeline, struct str file, struct err *err);
