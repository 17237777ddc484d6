#pragma once
/*
 * Rows of a table that differ in nothing but their figures, added up before they are emitted: a table of calls has one
 * row a call, and the same operator with the same shapes thousands of times.
 *
 * What is held has a limit; when it is reached, all is emitted and forgotten. Rows are emitted in the order of their
 * first calls.
 */
#include "op/event.h"

struct csv_sums;

/* Figures that are added up. */
struct csv_sum {
	struct str name, cell; /* the name and the cell of shapes, as written */
	struct str shapes;     /* as they were read */
	uint64_t line;         /* of the first row */
	uint64_t calls;
	int64_t self_cpu_ns, cpu_total_ns, self_device_ns;
};

/* Adds up rows of a stream of the sink. */
struct csv_sums *csv_sums_new(const struct event_sink *sink);
void csv_sums_free(struct csv_sums *sums);

/* The sum for such a name and cell; NULL if it is new. */
struct csv_sum *csv_sums_find(struct csv_sums *sums, struct str name, struct str cell);

/* Makes one without figures. To be called after a find that gave NULL. */
struct csv_sum *csv_sums_add(
	struct csv_sums *sums, unsigned stream, struct str name, struct str cell, struct str shapes);

/* Emits all that is held. */
void csv_sums_emit(struct csv_sums *sums, unsigned stream);
