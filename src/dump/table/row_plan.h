#pragma once
/*
 * The short way to read a row: for lines that look exactly as PyTorch 1.7 and later print them.
 *
 * A plan is made once a layout. It reads the figures from the end of their columns and gives up at the first thing
 * unusual: row_parse then takes the line apart with care. It exists for speed alone; tests hold that it never reads a
 * row differently.
 */
#include "dump/table/row.h"

enum plan_kind { PLAN_TIME, PLAN_TIME_UNUSED, PLAN_SHARE, PLAN_SHARE_UNUSED, PLAN_COUNT, PLAN_MEMORY, PLAN_SHAPES };

struct plan_step {
	enum plan_kind kind;
	uint32_t start, end;
	uint32_t column; /* fixed_column of its width */
	size_t field;    /* offset of the figure in struct table_row */
};

struct row_plan {
	bool usable;
	int count;
	uint32_t name_end;
	uint32_t min_len; /* a line that is shorter lacks a figure */
	bool overload;
	uint32_t overload_start, overload_end;
	uint32_t shapes_start;
	struct plan_step steps[MAX_COLUMNS];
};

void row_plan_make(struct row_plan *plan, const struct layout *layout);

/* Read a line of ASCII. False: use row_parse; *ret is then undefined. */
bool row_plan_run(const struct row_plan *plan, struct str line, struct table_row *ret);
