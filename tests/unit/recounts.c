#include "tests/unit/recounts.h"

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "store/rows.h"
#include "tests/unit/check.h"

/* Rows of a rollup, and the same rows counted from the runs; PostgreSQL has the last one. */
static const struct {
	const char *rollup, *recount;
} recounts[] = {
	{ "SELECT scope, target, operator, status, runs, share FROM demand_rollup",
		"SELECT '', target, operator, status, count(*), sum(share) FROM run JOIN blocker USING (assessment)"
		" GROUP BY 2, 3, 4 UNION ALL SELECT project, target, operator, status, count(*), sum(share) FROM run"
		" JOIN blocker USING (assessment) WHERE project <> '' GROUP BY 1, 2, 3, 4" },
	{ "SELECT project, model, branch, target, run, assessment FROM standing",
		"SELECT project, model, branch, target, newest, run.assessment FROM (SELECT project, model, branch, "
		"target,"
		" max(number) AS newest FROM run JOIN verdict USING (assessment) WHERE model <> '' GROUP BY 1, 2, 3, 4)"
		" AS latest JOIN (SELECT number, assessment FROM run) AS run ON number = newest" },
	{ "SELECT target, operator, project, model, branches FROM held",
		"SELECT s.target, operator, project, model, count(*) FROM standing AS s JOIN blocker"
		" ON blocker.assessment = s.assessment AND blocker.target = s.target GROUP BY 1, 2, 3, 4" },
	{ "SELECT scope, target, operator, models FROM held_rollup",
		"SELECT '', target, operator, count(*) FROM held GROUP BY 2, 3"
		" UNION ALL SELECT project, target, operator, count(*) FROM held WHERE project <> '' GROUP BY 1, 2, "
		"3" },
	{ "SELECT project, operator, runs FROM operator_use",
		"SELECT project, operator, count(*) FROM run JOIN used USING (assessment) GROUP BY 1, 2" },
	{ "SELECT model, branch, tag, project, verdict, runs FROM run_total",
		"SELECT t.model, t.branch, t.tag, project, verdict, count(*) FROM run,"
		" totals_of(run.model, run.branch, tags) AS t GROUP BY 1, 2, 3, 4, 5" },
};

/* Count the rows of a query that another one does not have; NULL: all. */
static int64_t count_rows(struct engine *engine, const char *rows, const char *without)
{
	CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED;
	CLEANUP(rows_free) struct rows *counted = NULL;
	struct number_row count = { 0 };
	struct err err = { 0 };

	buf_printf(&sql, "SELECT count(*) AS number FROM (SELECT * FROM (%s) AS a", rows);
	if (without)
		buf_printf(&sql, " EXCEPT SELECT * FROM (%s) AS b", without);
	buf_add(&sql, STR(") AS c"));
	counted = engine_query(engine, buf_text(&sql), &number_row, BIND_NOTHING);
	if (rows_step(counted, &err) != 1)
		fail_msg("%s\n%s", buf_text(&sql), err.text);
	rows_read(counted, NULL, &count);
	return (int64_t)count.number;
}

static void ask(struct engine *engine, const char *sql)
{
	struct err err = { 0 };

	if (engine_ask(engine, sql, BIND_NOTHING, &err) < 0)
		fail_msg("%s\n%s", sql, err.text);
}

int64_t check_recounts(struct engine *engine, const char *after)
{
	bool folds = engine_dialect(engine) == DIALECT_POSTGRESQL;
	size_t count = ARRAY_SIZE(recounts) - !folds;
	int64_t rows = 0;

	if (folds)
		ask(engine, "CREATE TEMP VIEW run AS SELECT * FROM opcheck.run WHERE id NOT IN (SELECT id FROM "
			    "unfolded_run)");
	for (size_t i = 0; i < count; i++) {
		const char *rollup = recounts[i].rollup, *recount = recounts[i].recount;

		if (count_rows(engine, rollup, recount) || count_rows(engine, recount, rollup))
			fail_msg("after %s: '%s' is not '%s'", after, rollup, recount);
		rows += count_rows(engine, rollup, NULL);
	}
	if (folds)
		ask(engine, "DROP VIEW pg_temp.run");
	return rows;
}
