-- Version 11: rollups of the demand, so that no list counts runs or models: every transaction that adds, removes or renames
-- a run keeps them. scope is a project, or '' for all runs together.

PRAGMA user_version = 11;

-- In how many runs an operator is, and with which share all together.
CREATE TABLE demand_rollup (
	scope TEXT NOT NULL,
	target TEXT NOT NULL,
	operator TEXT NOT NULL,
	status TEXT NOT NULL,
	runs INTEGER NOT NULL,
	share INTEGER NOT NULL,
	PRIMARY KEY (scope, target, operator, status)
) STRICT, WITHOUT ROWID;
CREATE INDEX demand_rollup_by_runs ON demand_rollup (scope, runs DESC, share DESC, target, operator, status);

-- Models whose newest run on a target has the operator, with the number of their branches.
CREATE TABLE held (
	target TEXT NOT NULL,
	operator TEXT NOT NULL,
	project TEXT NOT NULL,
	model TEXT NOT NULL,
	branches INTEGER NOT NULL,
	PRIMARY KEY (target, operator, project, model)
) STRICT, WITHOUT ROWID;

-- How many models these are.
CREATE TABLE held_rollup (
	scope TEXT NOT NULL,
	target TEXT NOT NULL,
	operator TEXT NOT NULL,
	models INTEGER NOT NULL,
	PRIMARY KEY (scope, target, operator)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER held_added AFTER INSERT ON held BEGIN
	INSERT INTO held_rollup VALUES ('', new.target, new.operator, 1) ON CONFLICT DO UPDATE SET models = models + 1;
	INSERT INTO held_rollup SELECT new.project, new.target, new.operator, 1 WHERE new.project <> ''
		ON CONFLICT DO UPDATE SET models = models + 1;
END;

CREATE TRIGGER held_removed AFTER DELETE ON held BEGIN
	UPDATE held_rollup SET models = models - 1
		WHERE scope IN ('', old.project) AND target = old.target AND operator = old.operator;
	DELETE FROM held_rollup
		WHERE scope IN ('', old.project) AND target = old.target AND operator = old.operator AND models = 0;
END;

-- What the newest run was judged by, which outlives the run for as long as a trigger needs it; 0: none.
ALTER TABLE standing ADD COLUMN assessment INTEGER NOT NULL DEFAULT 0;
UPDATE standing SET assessment = (SELECT assessment FROM run WHERE number = standing.run);

CREATE TRIGGER standing_added AFTER INSERT ON standing BEGIN
	INSERT INTO held SELECT new.target, operator, new.project, new.model, 1 FROM blocker
		WHERE assessment = new.assessment AND target = new.target ON CONFLICT DO UPDATE SET branches = branches + 1;
END;

CREATE TRIGGER standing_removed AFTER DELETE ON standing BEGIN
	UPDATE held SET branches = branches - 1 WHERE target = old.target AND project = old.project AND model = old.model
		AND operator IN (SELECT operator FROM blocker WHERE assessment = old.assessment AND target = old.target);
	DELETE FROM held WHERE target = old.target AND project = old.project AND model = old.model AND branches = 0
		AND operator IN (SELECT operator FROM blocker WHERE assessment = old.assessment AND target = old.target);
END;

CREATE TRIGGER standing_changed AFTER UPDATE ON standing BEGIN
	INSERT INTO held SELECT new.target, operator, new.project, new.model, 1 FROM blocker
		WHERE assessment = new.assessment AND target = new.target ON CONFLICT DO UPDATE SET branches = branches + 1;
	UPDATE held SET branches = branches - 1 WHERE target = old.target AND project = old.project AND model = old.model
		AND operator IN (SELECT operator FROM blocker WHERE assessment = old.assessment AND target = old.target);
	DELETE FROM held WHERE target = old.target AND project = old.project AND model = old.model AND branches = 0
		AND operator IN (SELECT operator FROM blocker WHERE assessment = old.assessment AND target = old.target);
END;

DROP TRIGGER run_added;
CREATE TRIGGER run_added AFTER INSERT ON run BEGIN
	INSERT INTO standing SELECT new.project, new.model, new.branch, target, new.number, new.assessment
		FROM verdict WHERE assessment = new.assessment AND new.model <> ''
		ON CONFLICT DO UPDATE SET run = excluded.run, assessment = excluded.assessment;
	INSERT INTO demand_rollup SELECT '', target, operator, status, 1, share FROM blocker WHERE assessment = new.assessment
		ON CONFLICT DO UPDATE SET runs = runs + 1, share = demand_rollup.share + excluded.share;
	INSERT INTO demand_rollup SELECT new.project, target, operator, status, 1, share FROM blocker
		WHERE assessment = new.assessment AND new.project <> ''
		ON CONFLICT DO UPDATE SET runs = runs + 1, share = demand_rollup.share + excluded.share;
END;

-- An older run takes the place of the one that goes.
DROP TRIGGER run_removed;
CREATE TRIGGER run_removed AFTER DELETE ON run BEGIN
	DELETE FROM run_tag WHERE run = old.number;
	UPDATE standing SET (run, assessment) = (SELECT coalesce(max(number), 0), coalesce(max(run.assessment), 0)
		FROM run WHERE number = (SELECT older.number FROM run AS older JOIN verdict ON verdict.assessment = older.assessment
			WHERE older.project = old.project AND older.model = old.model AND older.branch = old.branch
			AND verdict.target = standing.target ORDER BY older.number DESC LIMIT 1)) WHERE run = old.number;
	DELETE FROM standing WHERE run = 0;
	UPDATE demand_rollup SET runs = runs - 1, share = demand_rollup.share - blocker.share FROM blocker
		WHERE blocker.assessment = old.assessment AND demand_rollup.target = blocker.target
		AND demand_rollup.operator = blocker.operator AND demand_rollup.status = blocker.status
		AND demand_rollup.scope IN ('', old.project);
	DELETE FROM demand_rollup WHERE runs = 0 AND scope IN ('', old.project) AND (target, operator) IN
		(SELECT target, operator FROM blocker WHERE assessment = old.assessment);
END;

INSERT INTO demand_rollup SELECT '', target, operator, status, sum(runs), sum(share) FROM demand GROUP BY target, operator, status;
INSERT INTO demand_rollup SELECT project, target, operator, status, runs, share FROM demand WHERE project <> '';
DROP TABLE demand;
INSERT INTO held SELECT s.target, blocker.operator, s.project, s.model, count(*) FROM standing AS s
	CROSS JOIN blocker ON blocker.assessment = s.assessment AND blocker.target = s.target GROUP BY 1, 2, 3, 4;
