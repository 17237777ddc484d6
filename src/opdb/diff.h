#pragma once
/* What changed for every operator between two releases, of one database or of two. */
#include "opdb/resolve/resolve.h"

enum op_change { CHANGE_ADDED, CHANGE_REMOVED, CHANGE_BETTER, CHANGE_WORSE, CHANGE_COUNT };

/* "added", "removed", "better", "worse". Static text. */
struct str op_change_name(enum op_change change);

/* A release in a database. */
struct diff_side {
	const struct opdb *db;
	struct resolver *resolver; /* of the same database; the caller's, so that facts are read once */
	struct target target;
};

struct op_difference {
	struct str name; /* "aten::add" */
	enum op_change change;
	enum op_status before, after; /* of what is not there: as a check would judge the name */
};

/* Calls each for every operator by name whose status differs, or that one side does not have, in the order of the
   names, until it answers other than 0. Better and worse are those of enum op_status. ERR_DB_DAMAGED, ERR_LIMIT. */
int opdb_diff(const struct diff_side *before, const struct diff_side *after,
	int (*each)(void *ctx, const struct op_difference *difference), void *ctx, struct err *err);
