-- Version 6: runs. An assessment is content, under an id that its input and options make; a run is one submit of it.
-- What a team lists, renames, keeps and removes are runs; an assessment goes with its last one.

PRAGMA user_version = 6;

-- Shares in millionths, by the basis of the report; -1: of an assessment of an earlier version, not known.
ALTER TABLE verdict ADD COLUMN readiness_lo INTEGER NOT NULL DEFAULT -1;
ALTER TABLE verdict ADD COLUMN readiness_hi INTEGER NOT NULL DEFAULT -1;

-- Operators that do not run on a target, or on its CPU alone; the ones with the largest share.
CREATE TABLE blocker (
	assessment INTEGER NOT NULL REFERENCES assessment (number),
	target TEXT NOT NULL,
	operator TEXT NOT NULL,
	status TEXT NOT NULL,           -- unsupported, needs-package, cpu-fallback
	share INTEGER NOT NULL,         -- of the basis, in millionths
	PRIMARY KEY (assessment, target, operator)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
	number INTEGER PRIMARY KEY,     -- order of arrival
	id TEXT NOT NULL UNIQUE CHECK (length(id) = 16), -- random
	assessment INTEGER NOT NULL REFERENCES assessment (number),
	created_at TEXT NOT NULL,       -- RFC 3339, UTC
	project TEXT NOT NULL,          -- '': none
	name TEXT NOT NULL,             -- the dump's, until somebody renames the run
	model TEXT NOT NULL,
	branch TEXT NOT NULL,
	revision TEXT NOT NULL,         -- the commit
	tags TEXT NOT NULL,             -- joined by blanks, in the order of their bytes
	verdict TEXT NOT NULL,          -- the gravest of its targets
	kept INTEGER NOT NULL CHECK (kept IN (0, 1)), -- retention leaves it
	stored_bytes INTEGER NOT NULL   -- of the dump and the packed report
) STRICT;

CREATE TABLE run_tag (
	tag TEXT NOT NULL,
	run INTEGER NOT NULL REFERENCES run (number),
	PRIMARY KEY (tag, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_tag_by_run ON run_tag (run);

-- The newest run of each model and branch that was judged on a target.
CREATE TABLE standing (
	project TEXT NOT NULL,
	model TEXT NOT NULL,
	branch TEXT NOT NULL,
	target TEXT NOT NULL,
	run INTEGER NOT NULL REFERENCES run (number),
	PRIMARY KEY (project, model, branch, target)
) STRICT, WITHOUT ROWID;
CREATE INDEX standing_by_run ON standing (run);

-- How many runs an operator holds up, and with which share all together.
CREATE TABLE demand (
	target TEXT NOT NULL,
	operator TEXT NOT NULL,
	status TEXT NOT NULL,
	project TEXT NOT NULL,
	runs INTEGER NOT NULL,
	share INTEGER NOT NULL,
	PRIMARY KEY (target, operator, status, project)
) STRICT, WITHOUT ROWID;

-- What a search looks in, by three letters at a time. No trigger may write to it.
CREATE VIRTUAL TABLE run_text USING fts5 (text, tokenize = 'trigram');

CREATE TRIGGER run_added AFTER INSERT ON run BEGIN
	INSERT OR REPLACE INTO standing SELECT new.project, new.model, new.branch, target, new.number
		FROM verdict WHERE assessment = new.assessment AND new.model <> '';
	INSERT INTO demand SELECT target, operator, status, new.project, 1, share FROM blocker WHERE assessment = new.assessment
		ON CONFLICT DO UPDATE SET runs = runs + 1, share = demand.share + excluded.share;
END;

-- An older run takes the place of the one that goes.
CREATE TRIGGER run_removed AFTER DELETE ON run BEGIN
	DELETE FROM run_tag WHERE run = old.number;
	UPDATE standing SET run = coalesce((SELECT run.number FROM run JOIN verdict ON verdict.assessment = run.assessment
		WHERE run.project = old.project AND run.model = old.model AND run.branch = old.branch
		AND verdict.target = standing.target ORDER BY run.number DESC LIMIT 1), 0) WHERE run = old.number;
	DELETE FROM standing WHERE run = 0;
	UPDATE demand SET runs = runs - 1, share = demand.share - blocker.share FROM blocker
		WHERE blocker.assessment = old.assessment AND demand.target = blocker.target
		AND demand.operator = blocker.operator AND demand.status = blocker.status AND demand.project = old.project;
	DELETE FROM demand WHERE runs = 0 AND project = old.project AND (target, operator) IN
		(SELECT target, operator FROM blocker WHERE assessment = old.assessment);
END;

-- Each assessment so far was one submit.
INSERT INTO run SELECT number, lower(hex(randomblob(8))), number, created_at, project, name, '', '', '', '',
	coalesce((SELECT verdict FROM verdict WHERE assessment = number
		ORDER BY instr('ready ready-with-warnings inconclusive blocked', verdict) DESC LIMIT 1), 'ready'),
	kept, stored_bytes FROM assessment;
INSERT INTO run_text (rowid, text) SELECT number, name FROM run;

-- Lists, each filter in the order of arrival.
CREATE INDEX run_by_project ON run (project, number, kept, stored_bytes, created_at);
CREATE INDEX run_by_content ON run (assessment, project);
CREATE INDEX run_by_project_content ON run (project, assessment);
CREATE INDEX run_by_model ON run (model, number);
CREATE INDEX run_by_branch ON run (branch, number);
CREATE INDEX run_by_verdict ON run (verdict, number);
CREATE INDEX run_by_standing ON run (project, model, branch, number);

DROP INDEX assessment_by_project;
ALTER TABLE assessment DROP COLUMN project;
ALTER TABLE assessment DROP COLUMN kept;

-- Of the caller who sent the dump.
ALTER TABLE ticket ADD COLUMN project TEXT NOT NULL DEFAULT '';
