#pragma once
/*
 * Score of the database against observations.
 *
 * A row is held against every release that it may be about: those that its versions mean, or, without versions, every
 * stable one that was out when it was written, on the chips that it names. It agrees when one of them does. A false
 * green is plain support, without a flag or note that warns, on all of them where a fallback, a failure or a limit
 * was seen; a false red is the contrary. The rest was predicted otherwise, but with a warning.
 *
 * A limit of types agrees by kind: the operator is known to be limited, and nothing says that the types which the row
 * names are taken. Known refusals of those very types are counted beside it.
 */
#include "base/memory/buf.h"
#include "check/score/observations.h"
#include "opdb/resolve/resolve.h"

enum grade { GRADE_AGREES, GRADE_WARNED, GRADE_FALSE_GREEN, GRADE_FALSE_RED, GRADE_UNKNOWN, GRADE_COUNT };

struct scored {
	const struct observation *observation;
	enum grade grade;
	bool third_party;
	bool key_agrees, quiet; /* on one of the releases */
	struct str release;     /* the newest one that speaks for the grade; "" when no release can be meant */
	bool types;             /* one of the types that the row names is known to be refused */
	enum op_status status;  /* there */
	unsigned flags;
};

struct score {
	struct scored *items; /* in the order of the rows */
	size_t count, capacity;
	size_t tally[2][OBSERVED_COUNT][GRADE_COUNT]; /* [third party] */
	size_t types[GRADE_COUNT]; /* of rows that name types: predicted ones, the others as warned */
};

/* Reports in use: all, those of other repositories than the row's, none. */
enum reports { REPORTS_ALL, REPORTS_OF_OTHERS, REPORTS_NONE };

/* Grades every row. ERR_DB_DAMAGED, ERR_LIMIT. */
int score_run(const struct opdb *db, const struct observations *observations, enum reports reports, struct score *ret,
	struct err *err);

void score_clear(struct score *score);

/* The lines of a score: a word for what was observed, or for a sum, and its grades. */
typedef void score_put_line(void *ctx, struct str name, const size_t tally[GRADE_COUNT]);
void score_walk(const struct score *score, score_put_line *put, void *ctx);
size_t score_rows(const size_t tally[GRADE_COUNT]); /* of all grades */

/* Prints a score as a table; one line for each row that does not agree, beginning with "FILE:LINE". */
void score_put_table(const struct score *score, const char *title, struct buf *out);
void score_put_disagreements(const struct score *score, const char *file, struct buf *out);
