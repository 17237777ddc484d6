#include "store/engine/sqlite.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/setup/clock.h"
#include "store/engine/directory.h"
#include "store/engine/sqlite_steps.h"

enum { MS = 1000, STEPS_A_LOOK = 10000 };

struct sqlite_engine {
	struct engine engine;
	sqlite3 *sqlite;
	uint64_t seconds, until_ms; /* of the monotonic clock: the query is ended then; 0: never */
};

/* Settings of a connection, with the value read back: a misspelt or refused pragma does not fail by itself. */
static const struct {
	const char *set, *get, *value;
} pragmas[] = {
	{ "PRAGMA journal_mode = WAL", "PRAGMA journal_mode", "wal" },
	{ "PRAGMA synchronous = FULL", "PRAGMA synchronous", "2" },
	{ "PRAGMA foreign_keys = ON", "PRAGMA foreign_keys", "1" },
	{ "PRAGMA trusted_schema = OFF", "PRAGMA trusted_schema", "0" },
};

static struct sqlite_engine *of(struct engine *engine)
{
	return (struct sqlite_engine *)engine;
}

sqlite3 *sqlite_of(struct engine *engine)
{
	return of(engine)->sqlite;
}

static bool is_full(int errno_value)
{
	return errno_value == ENOSPC || errno_value == EDQUOT || errno_value == EFBIG;
}

static int failed(struct engine *engine, struct err *err)
{
	sqlite3 *sqlite = of(engine)->sqlite;
	int reason = sqlite3_errcode(sqlite), code = ERR_STORE;

	if (reason == SQLITE_INTERRUPT) {
		err_set(err, ERR_BUSY, "the query takes longer than the limit query-seconds");
		return err_hint(err, "ask for fewer items, or with another filter");
	}
	if (reason == SQLITE_FULL || is_full(sqlite3_system_errno(sqlite)))
		code = ERR_STORE_FULL;
	else if (reason == SQLITE_CORRUPT || reason == SQLITE_NOTADB)
		code = ERR_STORE_DAMAGED;
	err_set(err, (enum err_code)code, "store error: %s", sqlite3_errmsg(sqlite));
	return err_file(err, engine->place->directory);
}

/* --- statements */

static int prepare_rows(struct rows *rows, struct err *err)
{
	sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v3(sqlite_of(rows->engine), rows->text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL))
		return failed(rows->engine, err);
	rows->own = statement;
	for (int i = 1; i <= sqlite3_bind_parameter_count(statement); i++) {
		const char *name = sqlite3_bind_parameter_name(statement, i);

		if (name && *name == ':')
			MEM_PUSH(&rows->names, str_from(name + 1));
	}
	return 0;
}

static void drop(struct rows *rows)
{
	sqlite3_finalize(rows->own);
	rows->own = NULL;
}

/* SQLite takes the text and knows its end by the NUL: a copy that fails would be NULL, which json_each reads as no
   number. */
static void bind_numbers(sqlite3_stmt *statement, int parameter, const struct db_value *value)
{
	struct buf json = BUF_UNLIMITED;

	value_put_numbers(&json, value, "[]");
	sqlite3_bind_text(statement, parameter, json.ptr, -1, free);
}

static void bind_parameters(struct rows *rows, const struct db_value *values)
{
	int count = sqlite3_bind_parameter_count(rows->own);

	for (int i = 1; i <= count && values->kind; i++, values++) {
		struct str text = values->text;

		if (values->is_null)
			continue;
		if (values->kind == DB_NUMBER)
			sqlite3_bind_int64(rows->own, i, (int64_t)values->number);
		else if (values->kind == DB_NUMBERS)
			bind_numbers(rows->own, i, values);
		else if (values->kind == DB_BYTES)
			sqlite3_bind_blob64(rows->own, i, text.ptr, text.len, SQLITE_STATIC);
		else
			sqlite3_bind_text64(
				rows->own, i, text.ptr ? text.ptr : "", text.len, SQLITE_STATIC, SQLITE_UTF8);
	}
}

static int step(struct rows *rows, struct err *err)
{
	int result = sqlite3_step(rows->own), status;

	if (result == SQLITE_ROW)
		return 1;
	if (result == SQLITE_DONE)
		return 0;
	status = failed(rows->engine, err);
	rows->engine->may_come_back |= sqlite3_extended_errcode(sqlite_of(rows->engine)) == SQLITE_IOERR_FSYNC;
	return status;
}

static void reset(struct rows *rows)
{
	sqlite3_reset(rows->own);
	sqlite3_clear_bindings(rows->own);
}

static int column_count(const struct rows *rows)
{
	return sqlite3_column_count(rows->own);
}

static const char *column_name(const struct rows *rows, int column)
{
	return sqlite3_column_name(rows->own, column);
}

/* sqlite3_column_text may need memory, for a byte of zero behind it. */
static struct str text(const struct rows *rows, int column)
{
	bool is_number = sqlite3_column_type(rows->own, column) == SQLITE_INTEGER;
	const void *found = is_number ? sqlite3_column_text(rows->own, column) : sqlite3_column_blob(rows->own, column);

	return found ? (struct str){ found, (size_t)sqlite3_column_bytes(rows->own, column) } : STR("");
}

static int64_t number(const struct rows *rows, int column)
{
	return sqlite3_column_int64(rows->own, column);
}

/* --- time */

static uint64_t now(struct engine *engine UNUSED)
{
	return (uint64_t)time(NULL);
}

static int is_over(void *ctx)
{
	const struct sqlite_engine *sqlite = ctx;

	return sqlite->until_ms && (uint64_t)clock_ms() > sqlite->until_ms;
}

static void bound(struct engine *engine, uint64_t seconds, bool running)
{
	struct sqlite_engine *sqlite = of(engine);

	sqlite->until_ms = running && seconds ? (uint64_t)clock_ms() + seconds * MS : 0;
	sqlite3_progress_handler(sqlite->sqlite, sqlite->until_ms ? STEPS_A_LOOK : 0, is_over, sqlite);
}

static void wait_at_most(struct engine *engine, unsigned ms)
{
	sqlite3_busy_timeout(sqlite_of(engine), (int)ms);
}

/* --- opening */

/* Read the only row of a statement, or the error. */
static int ask_text(struct engine *engine, const char *sql, struct buf *ret, struct err *err)
{
	sqlite3 *sqlite = sqlite_of(engine);
	sqlite3_stmt *statement = NULL;
	const char *answer = NULL;

	if (sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL))
		return failed(engine, err);
	if (sqlite3_step(statement) == SQLITE_ROW)
		answer = (const char *)sqlite3_column_text(statement, 0);
	buf_printf(ret, "%s", answer ? answer : sqlite3_errmsg(sqlite));
	sqlite3_finalize(statement);
	return 0;
}

static int set_pragma(struct engine *engine, size_t index, struct err *err)
{
	CLEANUP(buf_clear) struct buf value = BUF_UNLIMITED;
	bool refused = sqlite3_exec(sqlite_of(engine), pragmas[index].set, NULL, NULL, NULL);
	int status = refused ? failed(engine, err) : ask_text(engine, pragmas[index].get, &value, err);

	if (!status && strcmp(buf_text(&value), pragmas[index].value) != 0)
		status = err_set(err, ERR_STORE, "the store refuses '%s'", pragmas[index].set);
	return status;
}

static int prepare_all(struct engine *engine, struct err *err)
{
	for (size_t i = 0; i < engine->table->count; i++) {
		struct rows *rows = &engine->statements[i];

		if (prepare_rows(rows, err))
			return -err->code;
		if (rows->record && row_match(rows, err))
			return err_file(err, engine->place->directory);
		rows->is_matched = true;
	}
	return 0;
}

static int check_whole(struct engine *engine, struct err *err)
{
	CLEANUP(buf_clear) struct buf answer = BUF_UNLIMITED;
	int status = ask_text(engine, "PRAGMA quick_check(1)", &answer, err);

	if (!status && strcmp(buf_text(&answer), "ok") != 0)
		status = err_set(err, ERR_STORE_DAMAGED, "the store is damaged: %s", buf_text(&answer));
	return status;
}

/* As SQLite's own function, which this one replaces. */
static int on_commit(void *ctx, sqlite3 *sqlite, const char *name, int pages)
{
	enum { CHECKPOINT_PAGES = 1000 };

	struct engine *engine = ctx;

	engine->may_come_back = false;
	if (engine->on_commit)
		engine->on_commit(engine->ctx);
	if (pages >= CHECKPOINT_PAGES)
		sqlite3_wal_checkpoint_v2(sqlite, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	return SQLITE_OK;
}

static int set_up(struct engine *engine, bool writes, struct err *err)
{
	int status = sqlite_steps_check(sqlite_of(engine), err);

	for (size_t i = 0; i < ARRAY_SIZE(pragmas) && !status; i++)
		status = set_pragma(engine, i, err);
	if (!status && writes)
		status = sqlite_steps_run(sqlite_of(engine), err);
	return status || !writes ? status : check_whole(engine, err);
}

static int open_file(struct engine *engine, bool sets_up, struct err *err)
{
	struct sqlite_engine *sqlite = of(engine);
	CLEANUP(buf_clear) struct buf path = BUF_UNLIMITED;
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, status;

	buf_printf(&path, "%s/store.sqlite", engine->place->directory);
	if (sqlite3_open_v2(buf_text(&path), &sqlite->sqlite, flags, NULL))
		return failed(engine, err);
	directory_share(engine->place->directory, "store.sqlite"); /* SQLite gives those beside it to the same owner */
	wait_at_most(engine, ENGINE_WAIT_MS);
	sqlite3_db_config(sqlite->sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_wal_hook(sqlite->sqlite, on_commit, engine);
	status = set_up(engine, sets_up, err);
	return status ? err_where(err, "%s", buf_text(&path)) : prepare_all(engine, err);
}

static void close_file(struct engine *engine)
{
	sqlite3_close(sqlite_of(engine));
}

const struct engine_calls sqlite_calls = { DIALECT_SQLITE, sizeof(struct sqlite_engine), open_file, close_file,
	prepare_rows, drop, bind_parameters, step, reset, NULL, column_count, column_name, text, number, NULL, now,
	bound, wait_at_most };
