#include "store/db.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "store/directory.h"
#include "store/migrate.h"
#include "store/rows.h"

/* Settings of a connection, with the value read back: a misspelt or refused pragma does not fail by itself. */
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

	if (reason == SQLITE_INTERRUPT) {
		err_set(err, ERR_BUSY, "the query takes longer than the limit query-seconds");
		return err_hint(err, "ask for fewer items, or with another filter");
	}
	if (reason == SQLITE_FULL || is_full(sqlite3_system_errno(db->sqlite)))
		code = ERR_STORE_FULL;
	else if (reason == SQLITE_CORRUPT || reason == SQLITE_NOTADB)
		code = ERR_STORE_DAMAGED;
	err_set(err, (enum err_code)code, "store error: %s", sqlite3_errmsg(db->sqlite));
	return err_file(err, db->directory);
}

/* --- statements */

void db_bind_values(sqlite3_stmt *statement, const struct db_value *values)
{
	int count = sqlite3_bind_parameter_count(statement);

	for (int i = 1; i <= count && values->kind; i++, values++) {
		struct str text = values->text;

		if (values->kind == DB_NUMBER)
			sqlite3_bind_int64(statement, i, (int64_t)values->number);
		else if (values->kind == DB_BYTES)
			sqlite3_bind_blob64(statement, i, text.ptr, text.len, SQLITE_STATIC);
		else if (values->kind == DB_TEXT)
			sqlite3_bind_text64(
				statement, i, text.ptr ? text.ptr : "", text.len, SQLITE_STATIC, SQLITE_UTF8);
	}
}

sqlite3_stmt *db_bind(struct db *db, enum statement which, const struct db_value *values)
{
	db_stop(db->statements[which]);
	db_bind_values(db->statements[which], values);
	return db->statements[which];
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

int db_run(struct db *db, enum statement which, const struct db_value *values, struct err *err)
{
	struct sqlite3_stmt *statement = db_bind(db, which, values);
	int status = db_step(db, statement, err);

	if (status == 1)
		db_stop(statement);
	return status;
}

int db_finish(sqlite3_stmt *statement, int status)
{
	db_stop(statement);
	return status < 0 ? status : 0;
}

struct db *db_lock(struct db *db)
{
	pthread_mutex_lock(&db->lock);
	return db;
}

void db_unlock(struct db **db)
{
	if ((*db)->give)
		(*db)->give(*db);
	else
		pthread_mutex_unlock(&(*db)->lock);
}

int store_write(struct store *store, enum statement which, const struct db_value *values, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);

	return db_run(db, which, values, err);
}

int db_begin(struct db *db, struct err *err)
{
	return db_run(db, STATEMENT_BEGIN, BIND_NOTHING, err);
}

int db_end(struct db *db, int status, struct err *err)
{
	struct err ignored;
	int committed = status < 0 ? status : db_run(db, STATEMENT_COMMIT, BIND_NOTHING, err);

	if (committed) /* SQLite may have rolled back by itself already, which makes this one fail */
		db_run(db, STATEMENT_ROLLBACK, BIND_NOTHING, &ignored);
	return committed ? committed : status;
}

void db_read(struct db *db, enum statement which, struct arena *arena, void *ret)
{
	row_read(db->statements[which], statement_rows[which], &db->columns[which], arena, ret);
}

uint64_t db_number(struct db *db, enum statement which)
{
	struct number_row row = { 0 };

	db_read(db, which, NULL, &row);
	return row.number;
}

int db_list_numbers(struct db *db, enum statement which, struct db_numbers *ret, struct err *err)
{
	int status;

	while ((status = db_step(db, db->statements[which], err)) == 1)
		MEM_PUSH(ret, db_number(db, which));
	return status;
}

void *db_keep_items(struct arena *arena, void *items, size_t count, size_t item_bytes)
{
	void *ret = arena_alloc(arena, (count + 1) * item_bytes);

	if (count)
		memcpy(ret, items, count * item_bytes);
	free(items);
	return ret;
}

/* --- opening */

/* Read the only row of a statement, or the error. */
static int ask_text(struct db *db, const char *sql, struct buf *ret, struct err *err)
{
	sqlite3_stmt *statement = NULL;
	const char *answer = NULL;

	if (sqlite3_prepare_v2(db->sqlite, sql, -1, &statement, NULL))
		return db_error(db, err);
	if (sqlite3_step(statement) == SQLITE_ROW)
		answer = (const char *)sqlite3_column_text(statement, 0);
	buf_printf(ret, "%s", answer ? answer : sqlite3_errmsg(db->sqlite));
	sqlite3_finalize(statement);
	return 0;
}

static int set_pragma(struct db *db, size_t index, struct err *err)
{
	CLEANUP(buf_clear) struct buf value = BUF_UNLIMITED;
	bool failed = sqlite3_exec(db->sqlite, pragmas[index].set, NULL, NULL, NULL);
	int status = failed ? db_error(db, err) : ask_text(db, pragmas[index].get, &value, err);

	if (!status && strcmp(buf_text(&value), pragmas[index].value) != 0)
		status = err_set(err, ERR_STORE, "the store refuses '%s'", pragmas[index].set);
	return status;
}

static int prepare_statements(struct db *db, struct err *err)
{
	for (size_t i = 0; i < STATEMENT_COUNT; i++) {
		if (sqlite3_prepare_v3(
			    db->sqlite, statement_texts[i], -1, SQLITE_PREPARE_PERSISTENT, &db->statements[i], NULL))
			return db_error(db, err);
		if (statement_rows[i] && row_match(db->statements[i], statement_rows[i], &db->columns[i], err))
			return err_file(err, db->directory);
	}
	return 0;
}

static int check_whole(struct db *db, struct err *err)
{
	CLEANUP(buf_clear) struct buf answer = BUF_UNLIMITED;
	int status = ask_text(db, "PRAGMA quick_check(1)", &answer, err);

	if (!status && strcmp(buf_text(&answer), "ok") != 0)
		status = err_set(err, ERR_STORE_DAMAGED, "the store is damaged: %s", buf_text(&answer));
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
	directory_share(directory, "store.sqlite"); /* SQLite gives those beside it to the same owner */
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
