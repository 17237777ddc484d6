#pragma once
/*
 * Observations of operators on devices: a table with the columns target, torch_version, plugin_version, op, observed,
 * detail, source and date, and as far as they are known chip, dtype and confidence (strict or loose), as CSV or as
 * the fact text writes it (tabs, "." for an empty cell).
 */
#include "base/memory/arena.h"
#include "io/source.h"
#include "opdb/db/meant.h"
#include "opdb/model/status.h"

struct observation {
	size_t line; /* offset of the end of its row */
	struct versions_named versions;
	struct str ns, base, overload;
	enum observed observed;
	struct str detail, source;
	unsigned chips, types; /* bits of chip_at, enum dtype; 0: not said */
	bool loose;            /* operator, device or outcome is inferred */
};

struct observations {
	struct arena arena; /* its texts */
	struct observation *items;
	size_t count, capacity;
	size_t unknown_types;    /* rows with an unknown type: their other types count */
	struct str unknown_type; /* the first such word, and its line */
	size_t unknown_type_line;
};

/* Read all rows; columns may be in any order, others are ignored. tabs: cells end at tabs, without quoting.
   ERR_FORMAT at the line for an invalid row, ERR_LIMIT, and the errors of a source. */
int observations_read(struct source *source, bool tabs, struct observations *ret, struct err *err);

/* Also for those that could not be read. */
void observations_clear(struct observations *observations);
