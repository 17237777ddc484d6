#pragma once
/* The releases of a target or the versions of PyTorch in their order, and how many rows of facts belong to each. */
#include "opdb/text/axis.h"
#include "opdb/text/tsv.h"

enum { TIMELINE_PLACES = 256 };

/* Dispatch keys of dense tensors. */
enum dense_key { DENSE_XLA = 1, DENSE_PRIVATEUSE1 = 2 };

struct tally {
	size_t line;               /* in its table */
	unsigned dense;            /* enum dense_key */
	uint64_t rows, dense_rows; /* that the table says it has */
	uint64_t rows_seen, dense_rows_seen;
};

struct timeline {
	struct axis axis;
	struct str file; /* the table that lists its names */
	struct tally *items;
	size_t count, capacity;
};

void timeline_clear(struct timeline *timeline);

/* The text of a name in a table; "" for an unknown number. */
struct announced {
	struct str name, rows, dense_rows;
	unsigned dense;
};

/* Adds the next release or version, from the row that was read last. ERR_FACT. */
int timeline_add(struct timeline *timeline, const struct tsv *tsv, const struct announced *announced, struct err *err);

/* Counts one row for every place of a span. dense: the enum dense_key that the row is a dense kernel of, or 0. */
void timeline_count(struct timeline *timeline, struct span span, unsigned dense);

/* ERR_FACT at the row whose numbers are not what was counted. */
int timeline_check(const struct timeline *timeline, struct err *err);
