#pragma once
/*
 * What people saw operators do on devices: a table with the columns target, torch_version, plugin_version, op,
 * observed, detail, source and date, and as far as they are known chip, dtype and confidence (strict or loose), as CSV
 * or as the fact text writes it (tabs, "." for an empty cell).
 */
#include "base/memory/arena.h"
#include "io/source.h"
#include "opdb/db/meant.h"
#include "opdb/model/status.h"

struct observation {
	size_t line; /* where its row ends */
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
	size_t unknown_types;    /* rows with a type that is none of enum dtype: their other types count */
	struct str unknown_type; /* the first such word, and its line */
	size_t unknown_type_line;
};

/* Reads all rows; columns may stand in any order and others are ignored. tabs: cells end at tabs and nothing is quoted.
   ERR_FORMAT at the line for a row that is none, ERR_LIMIT, and the errors of a source. */
int observations_read(struct source *source, bool tabs, struct observations *ret, struct err *err);

/* Also for those that could not be read. */
void observations_clear(struct observations *observations);
