#pragma once
/*
 * The effort of a migration in person-days: counts of its work times assumptions. The assumptions are
 * opdb/scripts/effort.tsv, compiled in; a file of the user may replace some.
 */
#include "base/memory/arena.h"
#include "base/setup/err.h"

enum effort_item {
	WORK_ENVIRONMENT,
	WORK_PROFILE,
	WORK_EDITS,
	WORK_HAND,
	WORK_DECISIONS,
	WORK_PACKAGES,
	WORK_FLAG,
	WORK_CONFIG,
	WORK_RECIPE,
	WORK_PACKAGE,
	WORK_UPGRADE,
	WORK_AVOID,
	WORK_PORT,
	WORK_TEST,
	WORK_SLOW,
	WORK_ACCURACY,
	WORK_THROUGHPUT,
	WORK_CARDS,
	WORK_NODES,
	WORK_COUNT
};

/* Days are in thousandths. */
struct effort_work {
	struct str item, work[2]; /* work: what is done, by enum lang */
	bool once;                /* the days are for all of it, not for each */
	bool given;               /* a file of the user has these days */
	int64_t low, high;
};

struct effort_table {
	struct effort_work works[WORK_COUNT];
};

struct effort_days {
	int64_t low, high;
};

/* Reads the assumptions in the program. ERR_FACT for a malformed row. */
int effort_open(struct effort_table *ret, struct err *err);

/* Replaces assumptions by those of a file: rows "item low high" in days. The texts stay in the arena. ERR_VALUE. */
int effort_read(struct effort_table *table, struct str name, struct str text, struct err *err);

/* The days of a piece of work that occurs so often; none for 0. */
struct effort_days effort_days_of(const struct effort_work *work, uint64_t count);
