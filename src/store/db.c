#include "store/db.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

enum { BUSY_MS = 5000 };

#define RECORD_COLUMNS "number, id, created_at, name, input_sha256, input_bytes, options, db_sha256, tool_version"

static const char *const texts[STATEMENT_COUNT] = {
	[STATEMENT_BEGIN] = "BEGIN IMMEDIATE",
	[STATEMENT_COMMIT] = "COMMIT",
	[STATEMENT_ROLLBACK] = "ROLLBACK",
	[STATEMENT_FIND] = "SELECT " RECORD_COLUMNS " FROM assessment WHERE id = ?",
	[STATEMENT_LIST] = "SELECT " RECORD_COLUMNS " FROM assessment WHERE number < ? ORDER BY number DESC LIMIT ?",
	[STATEMENT_COUNT_ALL] = "SELECT count(*) FROM assessment",
	[STATEMENT_VERDICTS] = "SELECT target, verdict, gate FROM verdict WHERE assessment = ? ORDER BY place",
	[STATEMENT_REPORT] = "SELECT json FROM assessment JOIN report ON assessment = number WHERE id = ?",
	[STATEMENT_INPUT_USED] = "SELECT 1 FROM assessment WHERE input_sha256 = ? LIMIT 1",
	[STATEMENT_ADD] = "INSERT INTO assessment"
			  " (id, created_at, name, input_sha256, input_bytes, options, db_sha256, tool_version)"
			  " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
	[STATEMENT_ADD_VERDICT] =
		"INSERT INTO verdict (assessment, place, target, verdict, gate) VALUES (?, ?, ?, ?, ?)",
	[STATEMENT_ADD_REPORT] = "INSERT INTO report (assessment, json) VALUES (?, ?)",
};

/* How the connection must be, and what it says when it is. A misspelt or refused pragma does not fail by itself. */
static const struct {
	const char *set, *get, *value;
} pragmas[] = {
	{ "PRAGMA journal_mode = WAL", "PRAGMA journal_mode", "wal" },
	{ "PRAGMA synchronous = FULL", "PRAGMA synchronous", "2" },
	{ "PRAGMA foreign_keys = ON", "PRAGMA foreign_keys", "1" },
	{ "PRAGMA trusted_schema = OFF", "PRAGMA trusted_schema", "0" },
};

/* --- errors */

static bool is_full(int errno_value)
{
	return errno_value == ENOSPC || errno_value == EDQUOT || errno_value == EFBIG;
}

int store_error(struct store *store, int errno_value, const char *what, struct err *err)
{
	err_os(err, is_full(errno_value) ? ERR_STORE_FULL : ERR_STORE, errno_value, "%s", what);
	return err_file(err, store->directory);
}

int db_error(struct store *store, struct err *err)
{
	bool full = sqlite3_errcode(store->sqlite) == SQLITE_FULL || is_full(sqlite3_system_errno(store->sqlite));

	err_set(err, full ? ERR_STORE_FULL : ERR_STORE, "the store answers: %s", sqlite3_errmsg(store->sqlite));
	return err_file(err, store->directory);
}

/* --- statements */

sqlite3_stmt *db_statement(struct store *store, enum statement statement)
{
	db_stop(store->statements[statement]);
	return store->statements[statement];
}

void db_bind_text(sqlite3_stmt *statement, int parameter, struct str value)
{
	/* the caller's bytes live until the statement is reset */
	sqlite3_bind_text64(statement, parameter, value.ptr, value.len, SQLITE_STATIC, SQLITE_UTF8);
}

void db_bind_number(sqlite3_stmt *statement, int parameter, uint64_t value)
{
	sqlite3_bind_int64(statement, parameter, (int64_t)value);
}

void db_stop(sqlite3_stmt *statement)
{
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
}

int db_step(struct store *store, sqlite3_stmt *statement, struct err *err)
{
	int result = sqlite3_step(statement), status = 0;

	if (result == SQLITE_ROW)
		return 1;
	if (result != SQLITE_DONE)
		status = db_error(store, err);
	db_stop(statement);
	return status;
}

struct str db_text(sqlite3_stmt *statement, int column, struct arena *arena)
{
	const void *text = sqlite3_column_text(statement, column);

	if (!text)
		return STR("");
	return arena_keep(arena, (struct str){ text, (size_t)sqlite3_column_bytes(statement, column) });
}

uint64_t db_number(sqlite3_stmt *statement, int column)
{
	return (uint64_t)sqlite3_column_int64(statement, column);
}

/* --- opening */

static int set_pragma(struct store *store, size_t index, struct err *err)
{
	sqlite3_stmt *statement = NULL;
	const char *value = NULL;
	int status = 0;

	if (sqlite3_exec(store->sqlite, pragmas[index].set, NULL, NULL, NULL) ||
		sqlite3_prepare_v2(store->sqlite, pragmas[index].get, -1, &statement, NULL))
		return db_error(store, err);
	if (sqlite3_step(statement) == SQLITE_ROW)
		value = (const char *)sqlite3_column_text(statement, 0);
	if (!value || strcmp(value, pragmas[index].value) != 0)
		status = err_set(err, ERR_STORE, "the store does not take '%s'", pragmas[index].set);
	sqlite3_finalize(statement);
	return status;
}

static int prepare_statements(struct store *store, struct err *err)
{
	for (size_t i = 0; i < STATEMENT_COUNT; i++) {
		if (sqlite3_prepare_v3(
			    store->sqlite, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &store->statements[i], NULL))
			return db_error(store, err);
	}
	return 0;
}

int db_open(struct store *store, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = BUF_UNLIMITED;
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, status;

	buf_printf(&path, "%s/store.sqlite", store->directory);
	if (sqlite3_open_v2(buf_text(&path), &store->sqlite, flags, NULL))
		return db_error(store, err);
	sqlite3_busy_timeout(store->sqlite, BUSY_MS);
	sqlite3_db_config(store->sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	status = migrate_check(store->sqlite, err);
	for (size_t i = 0; i < ARRAY_SIZE(pragmas) && !status; i++)
		status = set_pragma(store, i, err);
	if (!status)
		status = migrate(store->sqlite, err);
	return status ? err_where(err, "%s", buf_text(&path)) : prepare_statements(store, err);
}

void db_close(struct store *store)
{
	for (size_t i = 0; i < STATEMENT_COUNT; i++)
		sqlite3_finalize(store->statements[i]);
	sqlite3_close(store->sqlite);
}
