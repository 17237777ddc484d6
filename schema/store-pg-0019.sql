-- Version 19: writers of runs wait neither for each other's disk nor for a row. A run is noted as unfolded; fold_runs() brings
-- the rollups up to it, for many runs at once. Locks of 1869640563: 2 is shared by those that add runs and held alone by those
-- that change or remove some; 3 is held by the one that folds.

UPDATE schema_version SET version = 19;

CREATE TABLE unfolded_run (
	id text COLLATE "C" PRIMARY KEY,
	run bigint NOT NULL,
	assessment bigint NOT NULL,
	project text COLLATE "C" NOT NULL,
	model text COLLATE "C" NOT NULL,
	branch text COLLATE "C" NOT NULL,
	tags text COLLATE "C" NOT NULL,
	verdict text COLLATE "C" NOT NULL
);
COMMENT ON TABLE unfolded_run IS 'Runs that the rollups do not have yet.';

-- Of two runs with one id, the second waits for the first at the key of this table; the first one may be folded then.
CREATE OR REPLACE FUNCTION run_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO unfolded_run VALUES (new.id, new.number, new.assessment, new.project, new.model, new.branch, new.tags, new.verdict);
	IF (SELECT count(*) FROM run WHERE id = new.id) > 1 THEN
		RAISE unique_violation USING MESSAGE = 'a run with the id ' || new.id || ' exists';
	END IF;
	RETURN NULL;
END $$;
DROP TRIGGER run_id_taken ON run;
DROP FUNCTION run_id_taken;
DROP TRIGGER run_counted ON run;
CREATE TRIGGER run_counted AFTER DELETE OR UPDATE OF model, tags ON run FOR EACH ROW EXECUTE FUNCTION run_counted();
-- A commit that notifies makes the next one wait for its disk: who adds a run signals afterwards.
DROP TRIGGER run_changed ON run;
CREATE TRIGGER run_changed AFTER UPDATE OR DELETE ON run FOR EACH STATEMENT EXECUTE FUNCTION signal_change();

-- One statement, so that its parts see the same runs. Joins go by the index of the assessment, however large the tables are.
CREATE FUNCTION fold_runs() RETURNS void LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
	IF NOT EXISTS (SELECT 1 FROM unfolded_run) THEN
		RETURN;
	END IF;
	PERFORM pg_advisory_xact_lock(1869640563, 3);
	WITH gone AS (DELETE FROM unfolded_run RETURNING *),
	demand AS (INSERT INTO demand_rollup AS r SELECT scope, target, operator, status, sum(runs), sum(runs * share)
		FROM (SELECT scope, assessment, count(*) AS runs FROM gone CROSS JOIN LATERAL
			(SELECT DISTINCT unnest(ARRAY['', project])) AS s (scope) GROUP BY 1, 2) AS g
		JOIN blocker USING (assessment) GROUP BY 1, 2, 3, 4
		ON CONFLICT (scope, target, operator, status) DO UPDATE SET runs = r.runs + excluded.runs, share = r.share + excluded.share),
	uses AS (INSERT INTO operator_use AS r SELECT project, operator, sum(runs)
		FROM (SELECT project, assessment, count(*) AS runs FROM gone GROUP BY 1, 2) AS g JOIN used USING (assessment) GROUP BY 1, 2
		ON CONFLICT (project, operator) DO UPDATE SET runs = r.runs + excluded.runs),
	totals AS (INSERT INTO run_total AS r SELECT t.model, t.branch, t.tag, project, verdict, sum(runs)
		FROM (SELECT model, branch, tags, project, verdict, count(*) AS runs FROM gone GROUP BY 1, 2, 3, 4, 5) AS g,
		totals_of(g.model, g.branch, tags) AS t GROUP BY 1, 2, 3, 4, 5
		ON CONFLICT (model, branch, tag, project, verdict) DO UPDATE SET runs = r.runs + excluded.runs)
	INSERT INTO standing AS s SELECT DISTINCT ON (project, model, branch, target) project, model, branch, target, run, assessment
		FROM gone JOIN verdict USING (assessment) WHERE model <> '' ORDER BY project, model, branch, target, run DESC
		ON CONFLICT (project, model, branch, target) DO UPDATE SET run = excluded.run, assessment = excluded.assessment
		WHERE excluded.run > s.run;
	PERFORM pg_notify('opcheck', 'change');
END $$;

-- What changes or removes runs finds them in the rollups.
CREATE FUNCTION fold_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(1869640563, 2);
	PERFORM fold_runs();
	RETURN NULL;
END $$;
CREATE TRIGGER fold_before BEFORE DELETE OR UPDATE OF model, tags ON run FOR EACH STATEMENT EXECUTE FUNCTION fold_before();
DO $$
BEGIN
	EXECUTE replace(pg_get_functiondef('drop_month'::regproc), 'old := old_month(', 'PERFORM fold_runs(); old := old_month(');
END $$;

CREATE VIEW run_total_now AS SELECT model, branch, tag, project, verdict, runs FROM run_total UNION ALL
	SELECT t.model, t.branch, t.tag, project, verdict, 1 FROM unfolded_run AS u, totals_of(u.model, u.branch, tags) AS t;
COMMENT ON VIEW run_total_now IS 'run_total with the runs that are not folded.';

-- --- numbers, which are given before a commit, so that a lower one may follow

-- Holds a lock by the highest number that was given: those of this transaction are higher.
CREATE FUNCTION begin_adding() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = opcheck, public AS $$
BEGIN
	PERFORM pg_advisory_xact_lock_shared(1869640563, 2);
	PERFORM pg_advisory_xact_lock_shared(CASE WHEN is_called THEN last_value ELSE 0 END) FROM run_number_seq;
END $$;

-- The number up to which a snapshot that is taken from now on has all runs: given already, and of no transaction that adds.
CREATE FUNCTION settled_runs() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = opcheck, public AS $$
DECLARE
	given bigint := (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM run_number_seq);
BEGIN
	RETURN least(given, (SELECT min(classid::bigint << 32 | objid::bigint) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())));
END $$;
