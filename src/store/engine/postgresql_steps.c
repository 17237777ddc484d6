#include "store/engine/postgresql_steps.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/view/str.h"

extern const char store_pg_comments[], store_pg_0011[], store_pg_0012[], store_pg_0013[], store_pg_0014[],
	store_pg_0015[], store_pg_0017[], store_pg_0018[], store_pg_0019[];

/* The first one makes the tables, the others lead from the version before them. */
static const struct {
	unsigned version;
	const char *sql;
} steps[] = { { 11, store_pg_0011 }, { 12, store_pg_0012 }, { 13, store_pg_0013 }, { 14, store_pg_0014 },
	{ 15, store_pg_0015 }, { 17, store_pg_0017 }, { 18, store_pg_0018 }, { 19, store_pg_0019 } };

/* "opcs", a number that other programs do not lock; another process may need some time for its steps. */
static const char lock_steps[] = "SET LOCAL lock_timeout = 120000; SELECT pg_advisory_xact_lock(1869640563, 1)";

static int failed(PGconn *connection, PGresult *result, struct err *err)
{
	const char *reason = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	bool refused = state && strcmp(state, "42501") == 0;

	err_set(err, refused ? ERR_CONFIG : ERR_STORE, "cannot set up the store: %s",
		reason ? reason : PQerrorMessage(connection));
	return refused ? err_hint(err, "give the role its rights with postgresql-roles.sql") : -err->code;
}

static unsigned known_version(void)
{
	return steps[ARRAY_SIZE(steps) - 1].version;
}

static int refuse_older(uint64_t version, struct err *err)
{
	err_set(err, ERR_STORE, "the store has schema version %llu, this opcheckd needs version %u",
		(unsigned long long)version, known_version());
	return err_hint(err, "run opcheckd migrate --store ADDRESS with the role that owns its tables");
}

static int run_text(PGconn *connection, const char *sql, struct err *err)
{
	PGresult *result = PQexec(connection, sql);
	ExecStatusType done = PQresultStatus(result);
	int status = done == PGRES_COMMAND_OK || done == PGRES_TUPLES_OK ? 0 : failed(connection, result, err);

	PQclear(result);
	return status;
}

/* The version of the tables; 0 without any. Asks rows of the catalog: to_regclass() answers from a cache that may lack
   what another process made while this one waited for the lock. */
static int read_version(PGconn *connection, uint64_t *ret, struct err *err)
{
	static const char is_there[] =
		"SELECT 1 FROM pg_tables WHERE schemaname = 'opcheck' AND tablename = 'schema_version'";
	static const char version[] = "SELECT version FROM opcheck.schema_version";
	PGresult *result = PQexec(connection, is_there);
	int status = 0;

	*ret = 0;
	if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result)) {
		PQclear(result);
		result = PQexec(connection, version);
	}
	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		status = failed(connection, result, err);
	else if (PQntuples(result) && !decimal_unsigned(str_from(PQgetvalue(result, 0, 0)), ret))
		status = err_set(err, ERR_STORE, "the database is not a store of opcheckd");
	PQclear(result);
	return status;
}

static int check_version(uint64_t version, bool sets_up, struct err *err)
{
	if (version > known_version()) {
		err_set(err, ERR_STORE, "the store has schema version %llu, this opcheckd knows versions up to %u",
			(unsigned long long)version, known_version());
		return err_hint(err, "run the opcheckd that wrote it, or give another database");
	}
	return version < known_version() && !sets_up ? refuse_older(version, err) : 0;
}

/* Another process may have run the step meanwhile. */
static int run_step(PGconn *connection, size_t index, struct err *err)
{
	uint64_t version = 0;
	int status = run_text(connection, lock_steps, err);

	if (!status)
		status = read_version(connection, &version, err);
	if (status || version >= steps[index].version)
		return status;
	if (!version)
		status = run_text(connection, "CREATE SCHEMA IF NOT EXISTS opcheck", err);
	if (!status)
		status = run_text(connection, steps[index].sql, err);
	return status || index + 1 < ARRAY_SIZE(steps) ? status : run_text(connection, store_pg_comments, err);
}

int postgresql_steps_run(PGconn *connection, bool sets_up, struct err *err)
{
	uint64_t version = 0;
	int status = read_version(connection, &version, err);

	if (!status)
		status = check_version(version, sets_up, err);
	for (size_t i = 0; i < ARRAY_SIZE(steps) && !status && sets_up; i++) {
		struct err ignored;

		if (version >= steps[i].version)
			continue;
		status = run_text(connection, "BEGIN", err);
		if (!status)
			status = run_step(connection, i, err);
		if (!status)
			status = run_text(connection, "COMMIT", err);
		if (status)
			run_text(connection, "ROLLBACK", &ignored);
		if (status == -ERR_CONFIG && version) /* the role may not change its tables */
			status = refuse_older(version, err);
	}
	return status;
}
