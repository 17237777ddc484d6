#pragma once
/*
 * A connection to the database of the store, and the statements that it runs. SQLite and PostgreSQL implement it; their
 * libraries are known in this room alone. One thread uses a connection at a time.
 *
 * Errors are ERR_STORE, ERR_STORE_FULL, ERR_STORE_DAMAGED, ERR_VALUE for text that is not UTF-8, and ERR_BUSY where a
 * later attempt may succeed: a query over its time, a database that cannot be reached.
 */
#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "record/record.h"
#include "store/engine/place.h"
#include "store/engine/value.h"

/* A statement with parameters `?`, `?1` or `:name`; the second text is for PostgreSQL where it differs. */
struct statement_text {
	const char *text, *postgresql;
	const struct record *row; /* NULL: no column is read */
};
struct engine_table {
	const struct statement_text *texts;
	size_t count;
};

struct engine;
struct rows;

/* Connects. sets_up: creates the tables or brings older ones up to date, and checks that the file is whole. */
int engine_open(const struct store_place *place, const struct engine_table *table, bool sets_up, struct engine **ret,
	struct err *err);

void engine_close(struct engine *engine); /* NULL is allowed */

/* Calls a function after each change that others can read from then on. */
void engine_on_commit(struct engine *engine, void (*call)(void *ctx), void *ctx);

/* Its dialect, and its address for messages. */
enum dialect engine_dialect(const struct engine *engine);
const char *engine_name(const struct engine *engine);

/* Seconds since 1970 by the clock of the database. Any thread may ask at any time. */
uint64_t engine_now(struct engine *engine);

/* End each query with ERR_BUSY that takes longer; 0: never. running: the time begins now. */
void engine_bound(struct engine *engine, uint64_t seconds, bool running);

enum { ENGINE_WAIT_MS = 5000 }; /* that a writer waits for another one, at first */

/* Wait at most so long for other writers. */
void engine_wait(struct engine *engine, unsigned ms);

/* Returns whether a failed transaction may turn out to be committed. */
bool engine_may_come_back(const struct engine *engine);

/* A statement of the table, from its start, with these values, whose bytes live until it is reset. */
struct rows *engine_bind(struct engine *engine, size_t which, const struct db_value *values);

/* The same for a statement of its own, to be freed. */
struct rows *engine_query(
	struct engine *engine, const char *text, const struct record *record, const struct db_value *values);
void rows_free(struct rows **rows);
/* Its first step alone, freed. */
int engine_ask(struct engine *engine, const char *text, const struct db_value *values, struct err *err);

/* 1 at a row, 0 at the end, or an error. The statement is reset unless there is a row. */
int rows_step(struct rows *rows, struct err *err);

/* Fills the members that the record of the rows has; text and bytes are copied into the arena. */
void rows_read(const struct rows *rows, struct arena *arena, void *ret);

/* Resets a statement before its last row. */
void rows_stop(struct rows *rows);

/* Runs a statement to its end and reads its only row: 1, 0 without one, or an error. */
int rows_one(struct rows *rows, struct arena *arena, void *ret, struct err *err);

/* Runs a statement up to its first row, which is not read; one without rows once for each set of values. */
int engine_run(struct engine *engine, size_t which, const struct db_value *values, struct err *err);
int engine_run_all(struct engine *engine, size_t which, const struct value_sets *sets, struct err *err);
