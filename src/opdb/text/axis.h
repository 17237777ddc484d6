#pragma once
/*
 * An ordered list of names (the releases of a target, the versions of PyTorch) and the spans over it.
 *
 * A place is the position of a name, from 0. Text "2.1.0..2.3.1 2.6.0" means two spans: the places of 2.1.0 to 2.3.1,
 * and that of 2.6.0. A timeline counts the rows of facts that belong to each name.
 */
#include "base/memory/map.h"
#include "opdb/text/tsv.h"

struct axis {
	struct str *items; /* views of the fact text */
	size_t count;
	size_t capacity;
	struct map map;
};

struct span {
	unsigned first, last; /* places, both inclusive */
};

void axis_clear(struct axis *axis);

/* False when the name is there already. */
bool axis_add(struct axis *axis, struct str name);

/* False for an unknown name. */
bool axis_find(const struct axis *axis, struct str name, unsigned *ret_place);

enum span_result { SPAN_END, SPAN_OK, SPAN_UNKNOWN, SPAN_REVERSED };

/* Takes the next span off *rest. *ret_name is the name that SPAN_UNKNOWN or SPAN_REVERSED is about. */
enum span_result axis_span(const struct axis *axis, struct str *rest, struct span *ret, struct str *ret_name);

enum { TIMELINE_PLACES = 256 };

/* Dispatch keys of dense tensors. */
enum dense_key { DENSE_XLA = 1, DENSE_PRIVATEUSE1 = 2 };

struct tally {
	size_t line;               /* in its table */
	unsigned dense;            /* enum dense_key */
	uint64_t rows, dense_rows; /* that the table says it has */
	uint64_t rows_seen, dense_rows_seen;
};

/* The releases of a target or the versions of PyTorch in their order, and how many rows of facts belong to each. */
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
