#include "store/db.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "store/migrate.h"

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

int db_error(struct db *db, struct err *err)
{
	int reason = sqlite3_errcode(db->sqlite), code = ERR_STORE;

	if (reason == SQLITE_FULL || is_full(sqlite3_system_errno(db->sqlite)))
		code = ERR_STORE_FULL;
	else if (reason == SQLITE_CORRUPT || reason == SQLITE_NOTADB)
		code = ERR_STORE_DAMAGED;
	err_set(err, (enum err_code)code, "the store answers: %s", sqlite3_errmsg(db->sqlite));
	return err_file(err, db->directory);
}

/* --- statements */

sqlite3_stmt *db_statement(struct db *db, enum statement statement)
{
	db_stop(db->statements[statement]);
	return db->statements[statement];
}

void db_bind_text(sqlite3_stmt *statement, int parameter, struct str value)
{
	/* the caller's bytes live until the statement is reset */
	sqlite3_bind_text64(statement, parameter, value.ptr, value.len, SQLITE_STATIC, SQLITE_UTF8);
}

void db_bind_bytes(sqlite3_stmt *statement, int parameter, struct str value)
{
	sqlite3_bind_blob64(statement, parameter, value.ptr, value.len, SQLITE_STATIC);
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

int db_step(struct db *db, sqlite3_stmt *statement, struct err *err)
{
	int result = sqlite3_step(statement), status = 0;

	if (result == SQLITE_ROW)
		return 1;
	if (result != SQLITE_DONE) {
		status = db_error(db, err);
		db->may_come_back |= sqlite3_extended_errcode(db->sqlite) == SQLITE_IOERR_FSYNC;
	}
	db_stop(statement);
	return status;
}

void db_snapshot(struct db *db)
{
	struct err ignored;

	pthread_mutex_lock(&db->lock);
	db_step(db, db_statement(db, STATEMENT_SNAPSHOT), &ignored); /* where it fails, so does what comes next */
}

void db_snapshot_end(struct db *db)
{
	struct err ignored;

	db_step(db, db_statement(db, STATEMENT_ROLLBACK), &ignored);
	pthread_mutex_unlock(&db->lock);
}

int db_begin(struct db *db, struct err *err)
{
	return db_step(db, db_statement(db, STATEMENT_BEGIN), err);
}

int db_end(struct db *db, int status, struct err *err)
{
	struct err ignored;

	if (!status)
		status = db_step(db, db_statement(db, STATEMENT_COMMIT), err);
	if (status) /* SQLite may have rolled back by itself already, which makes this one fail */
		db_step(db, db_statement(db, STATEMENT_ROLLBACK), &ignored);
	return status;
}

struct str db_text(sqlite3_stmt *statement, int column, struct arena *arena)
{
	/* column_text may need memory, for a byte of zero behind it */
	bool is_number = sqlite3_column_type(statement, column) == SQLITE_INTEGER;
	const void *text = is_number ? sqlite3_column_text(statement, column) : sqlite3_column_blob(statement, column);

	if (!text)
		return STR("");
	return arena_keep(arena, (struct str){ text, (size_t)sqlite3_column_bytes(statement, column) });
}

uint64_t db_number(sqlite3_stmt *statement, int column)
{
	return (uint64_t)sqlite3_column_int64(statement, column);
}

/* --- opening */

static int set_pragma(struct db *db, size_t index, struct err *err)
{
	sqlite3_stmt *statement = NULL;
	const char *value = NULL;
	int status = 0;

	if (sqlite3_exec(db->sqlite, pragmas[index].set, NULL, NULL, NULL) ||
		sqlite3_prepare_v2(db->sqlite, pragmas[index].get, -1, &statement, NULL))
		return db_error(db, err);
	if (sqlite3_step(statement) == SQLITE_ROW)
		value = (const char *)sqlite3_column_text(statement, 0);
	if (!value || strcmp(value, pragmas[index].value) != 0)
		status = err_set(err, ERR_STORE, "the store does not take '%s'", pragmas[index].set);
	sqlite3_finalize(statement);
	return status;
}

static int prepare_statements(struct db *db, struct err *err)
{
	for (size_t i = 0; i < STATEMENT_COUNT; i++) {
		if (sqlite3_prepare_v3(
			    db->sqlite, statement_texts[i], -1, SQLITE_PREPARE_PERSISTENT, &db->statements[i], NULL))
			return db_error(db, err);
	}
	return 0;
}

static int check_whole(struct db *db, struct err *err)
{
	sqlite3_stmt *statement = NULL;
	const char *answer = NULL;
	int status = 0;

	if (sqlite3_prepare_v2(db->sqlite, "PRAGMA quick_check(1)", -1, &statement, NULL))
		return db_error(db, err);
	if (sqlite3_step(statement) == SQLITE_ROW)
		answer = (const char *)sqlite3_column_text(statement, 0);
	if (!answer || strcmp(answer, "ok") != 0)
		status = err_set(err, ERR_STORE_DAMAGED, "the store is damaged: %s",
			answer ? answer : sqlite3_errmsg(db->sqlite));
	sqlite3_finalize(statement);
	return status;
}

static int set_up(struct db *db, bool writes, struct err *err)
{
	int status = migrate_check(db->sqlite, err);

	for (size_t i = 0; i < ARRAY_SIZE(pragmas) && !status; i++)
		status = set_pragma(db, i, err);
	if (!status && writes)
		status = migrate(db->sqlite, err);
	return status || !writes ? status : check_whole(db, err);
}

int db_open(struct db *db, const char *directory, bool writes, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = BUF_UNLIMITED;
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, status;

	db->directory = directory;
	buf_printf(&path, "%s/store.sqlite", directory);
	if (sqlite3_open_v2(buf_text(&path), &db->sqlite, flags, NULL))
		return db_error(db, err);
	sqlite3_busy_timeout(db->sqlite, DB_BUSY_MS);
	sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	status = set_up(db, writes, err);
	return status ? err_where(err, "%s", buf_text(&path)) : prepare_statements(db, err);
}

void db_close(struct db *db)
{
	for (size_t i = 0; i < STATEMENT_COUNT; i++)
		sqlite3_finalize(db->statements[i]);
	sqlite3_close(db->sqlite);
}
