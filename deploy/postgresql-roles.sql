-- Rights of the roles on a store in PostgreSQL (opcheckd(8), ROLES). Run it with psql as opcheck_migrate, who owns the tables,
-- after each `opcheckd migrate`. Safe to repeat.

BEGIN;
GRANT USAGE ON SCHEMA opcheck TO opcheck_serve, opcheck_read;

-- The service: rows of all tables, those of later versions too, but not their shape.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA opcheck TO opcheck_serve;
ALTER DEFAULT PRIVILEGES IN SCHEMA opcheck GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO opcheck_serve;
REVOKE INSERT, UPDATE, DELETE ON opcheck.schema_version FROM opcheck_serve;
-- Begin and drop months of runs, with the rights of their owner.
GRANT EXECUTE ON FUNCTION opcheck.begin_month, opcheck.drop_month TO opcheck_serve;

-- People and dashboards: neither tokens and sessions nor requests, dumps and reports.
GRANT SELECT ON opcheck.assessment, opcheck.verdict, opcheck.blocker, opcheck.used, opcheck.run, opcheck.run_tag, opcheck.run_text,
	opcheck.former_model, opcheck.project_waivers, opcheck.standing, opcheck.demand_rollup, opcheck.held, opcheck.held_rollup,
	opcheck.operator_use, opcheck.run_total, opcheck.run_total_now, opcheck.unfolded_run, opcheck.run_month, opcheck.schema_version TO opcheck_read;
COMMIT;
