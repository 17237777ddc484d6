#pragma once
/* Changes of every operator between two releases, of one database or of two. */
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
	enum op_status before, after; /* of a missing name: as a check would judge it */
};

/* Subject of a difference other than the status: the unit of an NPU that runs a type; accepted types; a report of a
   failure, a crash or wrong results. */
enum diff_aspect { ASPECT_UNIT, ASPECT_TYPES, ASPECT_REPORT, ASPECT_COUNT };

/* "unit", "types", "report". Static text. */
struct str diff_aspect_name(enum diff_aspect aspect);

/* Of an operator that both sides have; units and types where it runs on the device on both. Texts of the resolvers. */
struct op_detail {
	struct str name;
	enum diff_aspect aspect;
	unsigned chips;  /* of a unit: bit i: chip_at(TARGET_NPU, i) */
	unsigned dtypes; /* enum dtype; of a report: 0 */
	struct str before,
		after; /* unit_name; "accepted", "rejected", "unknown"; note_kind_name, "" where it is not there */
	struct str kernels[2]; /* of a unit: those that are or may be on the AI CPU, before and after */
	struct str text, ref;  /* of a report */
};

/* Callbacks for differences: each returns 0 to go on. */
struct diff_sink {
	bool (*wanted)(void *ctx, struct str name); /* NULL: every operator */
	int (*change)(void *ctx, const struct op_difference *difference);
	int (*detail)(void *ctx, const struct op_detail *detail); /* NULL: statuses alone, which takes less time */
	void *ctx;
};

/* Calls the sink for every operator by name whose status differs, or that one side does not have, in the order of the
   names, until it answers other than 0. Better and worse are those of enum op_status. ERR_DB_DAMAGED, ERR_LIMIT. */
int opdb_diff(
	const struct diff_side *before, const struct diff_side *after, const struct diff_sink *sink, struct err *err);
