#pragma once
/*
 * Where CANN runs something, by chip, version of CANN and data type: what the tables of verdicts hold, on the way to
 * npu/units.tsv.
 *
 * Names and texts are views of the tables, which outlive the grid.
 */
#include "base/map.h"
#include "base/mem.h"
#include "import/table.h"
#include "opdb/model/dtype.h"
#include "opdb/model/unit.h"

struct unit_verdict {
	enum unit unit; /* UNIT_UNKNOWN: nothing was read */
	struct str kernels, note;
};

/* An operator or an interface of CANN on one chip, with one version. */
struct verdict_cell {
	struct str name;
	unsigned chip, place; /* chip_at; of the version */
	struct unit_verdict types[DTYPE_COUNT];
	unsigned taken; /* in a grid of that: bits of types that the first tensor of a call may have */
};

struct verdict_grid {
	struct verdict_cell *items;
	size_t count, capacity;
	struct map map;
};

void verdict_grid_clear(struct verdict_grid *grid);

/* The cell, or NULL; the same, added when it is new. Valid until the next one is added. */
struct verdict_cell *verdict_find(const struct verdict_grid *grid, struct str name, unsigned chip, unsigned place);
struct verdict_cell *verdict_at(struct verdict_grid *grid, struct str name, unsigned chip, unsigned place);

/* Adds one row of npu/units.tsv for all types, chips and versions of a name that share a verdict. */
void verdict_grid_write(struct verdict_grid *grid, struct fact_rows *rows);
