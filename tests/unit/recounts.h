#pragma once
/* Rows of a rollup, and the same rows counted from the runs. */

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
};
