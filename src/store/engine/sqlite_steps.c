#include "store/engine/sqlite_steps.h"

#include <sqlite3.h>
#include <stdint.h>

#include "base/memory/mem.h"

extern const char store_0001[], store_0002[], store_0003[], store_0004[], store_0005[], store_0006[], store_0007[],
	store_0008[], store_0009[], store_0010[], store_0011[], store_0012[], store_0013[], store_0014[], store_0015[],
	store_0016[], store_0017[], store_0018[], store_0019[];

/* steps[n] leads from version n to n + 1 and sets the version itself. */
static const char *const steps[] = { store_0001, store_0002, store_0003, store_0004, store_0005, store_0006, store_0007,
	store_0008, store_0009, store_0010, store_0011, store_0012, store_0013, store_0014, store_0015, store_0016,
	store_0017, store_0018, store_0019 };

/* The application id that the first step sets: "opcs". */
enum { APPLICATION_ID = 0x6f706373 };

unsigned sqlite_steps_version(void)
{
	return ARRAY_SIZE(steps);
}

static int failed(sqlite3 *sqlite, struct err *err)
{
	return err_set(err, ERR_STORE, "cannot set up the store: %s", sqlite3_errmsg(sqlite));
}

static int header_value(sqlite3 *sqlite, const char *pragma, int64_t *ret, struct err *err)
{
	sqlite3_stmt *statement = NULL;
	int result = sqlite3_prepare_v2(sqlite, pragma, -1, &statement, NULL);

	if (result == SQLITE_OK)
		result = sqlite3_step(statement);
	if (result == SQLITE_ROW)
		*ret = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return result == SQLITE_ROW ? 0 : failed(sqlite, err);
}

/* The version of a store, 0 of an empty file. */
static int read_version(sqlite3 *sqlite, int64_t *ret, struct err *err)
{
	int64_t id = 0, tables = 0;
	int status = header_value(sqlite, "PRAGMA application_id", &id, err);

	if (!status)
		status = header_value(sqlite, "PRAGMA user_version", ret, err);
	if (!status)
		status = header_value(sqlite, "SELECT count(*) FROM sqlite_schema", &tables, err);
	if (!status && id != APPLICATION_ID && (id || *ret || tables))
		return err_set(err, ERR_STORE, "the file is not a store of opcheckd");
	if (!status && (*ret < 0 || *ret > (int64_t)ARRAY_SIZE(steps))) {
		err_set(err, ERR_STORE, "the store has schema version %lld, this opcheckd knows versions up to %zu",
			(long long)*ret, ARRAY_SIZE(steps));
		return err_hint(err, "run the opcheckd that wrote it, or give another state directory");
	}
	return status;
}

int sqlite_steps_check(sqlite3 *sqlite, struct err *err)
{
	int64_t version = 0;

	return read_version(sqlite, &version, err);
}

static int run_step(sqlite3 *sqlite, size_t number, struct err *err)
{
	int64_t version = 0;
	int status = 0;

	if (sqlite3_exec(sqlite, "BEGIN IMMEDIATE", NULL, NULL, NULL))
		return failed(sqlite, err);
	if (sqlite3_exec(sqlite, steps[number], NULL, NULL, NULL))
		status = failed(sqlite, err);
	if (!status)
		status = header_value(sqlite, "PRAGMA user_version", &version, err);
	if (!status && version != (int64_t)number + 1)
		status = err_set(err, ERR_INTERNAL, "step %zu of the store leads to version %lld", number + 1,
			(long long)version);
	if (!status && sqlite3_exec(sqlite, "COMMIT", NULL, NULL, NULL))
		status = failed(sqlite, err);
	if (status)
		sqlite3_exec(sqlite, "ROLLBACK", NULL, NULL, NULL);
	return status;
}

int sqlite_steps_run(sqlite3 *sqlite, struct err *err)
{
	int64_t version = 0;
	int status = read_version(sqlite, &version, err);

	for (size_t i = (size_t)version; i < ARRAY_SIZE(steps) && !status; i++)
		status = run_step(sqlite, i, err);
	return status;
}
