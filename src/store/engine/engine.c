#include "store/engine/engine.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "store/engine/calls.h"
#include "store/engine/postgresql.h"
#include "store/engine/sqlite.h"

static void drop(struct rows *rows)
{
	rows->engine->calls->drop(rows);
	mem_release(&rows->names.items);
}

void engine_close(struct engine *engine)
{
	if (!engine)
		return;
	for (size_t i = 0; i < engine->table->count; i++)
		drop(&engine->statements[i]);
	engine->calls->close(engine);
	free(engine->statements);
	free(engine);
}

int engine_open(const struct store_place *place, const struct engine_table *table, bool sets_up, struct engine **ret,
	struct err *err)
{
	const struct engine_calls *calls = place->url ? &postgresql_calls : &sqlite_calls;
	struct engine *engine = mem_zalloc(calls->bytes);
	int status;

	engine->calls = calls;
	engine->place = place;
	engine->table = table;
	engine->statements = mem_zalloc(table->count * sizeof(engine->statements[0]));
	for (size_t i = 0; i < table->count; i++) {
		const struct statement_text *text = &table->texts[i];
		bool differs = text->postgresql && calls->dialect == DIALECT_POSTGRESQL;

		engine->statements[i] = (struct rows){
			.engine = engine, .text = differs ? text->postgresql : text->text, .record = text->row
		};
	}
	status = calls->open(engine, sets_up, err);
	if (status)
		engine_close(engine);
	else
		*ret = engine;
	return status;
}

void engine_on_commit(struct engine *engine, void (*call)(void *ctx), void *ctx)
{
	engine->on_commit = call;
	engine->ctx = ctx;
}

enum dialect engine_dialect(const struct engine *engine)
{
	return engine->calls->dialect;
}

const char *engine_name(const struct engine *engine)
{
	return engine->place->url ? engine->place->url : engine->place->directory;
}

uint64_t engine_now(struct engine *engine)
{
	return engine->calls->now(engine);
}

void engine_bound(struct engine *engine, uint64_t seconds, bool running)
{
	engine->calls->bound(engine, seconds, running);
}

void engine_wait(struct engine *engine, unsigned ms)
{
	engine->calls->wait_at_most(engine, ms);
}

bool engine_may_come_back(const struct engine *engine)
{
	return engine->may_come_back;
}

/* --- statements */

/* Puts values that have names in the order of the parameters. */
static int arrange(
	struct rows *rows, const struct db_value **values, struct db_value arranged[VALUES_MOST + 1], struct err *err)
{
	int status = values_check(*values, err);

	if (!status && !rows->own)
		status = rows->engine->calls->prepare(rows, err);
	if (status || !(*values)->kind || (!rows->names.count && !(*values)->name))
		return status;
	status = values_arrange(*values, &rows->names, arranged, err);
	*values = arranged;
	return status;
}

static struct rows *bind_values(struct rows *rows, const struct db_value *values)
{
	struct db_value arranged[VALUES_MOST + 1];

	rows_stop(rows);
	rows->refused.code = 0;
	if (!arrange(rows, &values, arranged, &rows->refused))
		rows->engine->calls->bind(rows, values);
	return rows;
}

struct rows *engine_bind(struct engine *engine, size_t which, const struct db_value *values)
{
	return bind_values(&engine->statements[which], values);
}

struct rows *engine_query(
	struct engine *engine, const char *text, const struct record *record, const struct db_value *values)
{
	struct rows *rows = mem_zalloc(sizeof(*rows));

	*rows = (struct rows){ .engine = engine, .text = mem_text(text), .record = record };
	return bind_values(rows, values);
}

void rows_free(struct rows **rows)
{
	if (!*rows)
		return;
	drop(*rows);
	free((char *)(uintptr_t)(*rows)->text);
	free(*rows);
}

int engine_ask(struct engine *engine, const char *text, const struct db_value *values, struct err *err)
{
	CLEANUP(rows_free) struct rows *rows = engine_query(engine, text, NULL, values);

	return rows_step(rows, err);
}

int rows_step(struct rows *rows, struct err *err)
{
	int status;

	if (rows->refused.code) {
		*err = rows->refused;
		return -err->code;
	}
	status = rows->engine->calls->step(rows, err);
	if (status == 1 && rows->record && !rows->is_matched) {
		status = row_match(rows, err) ? -err->code : 1;
		rows->is_matched = status == 1;
	}
	if (status != 1)
		rows_stop(rows);
	return status;
}

void rows_read(const struct rows *rows, struct arena *arena, void *ret)
{
	row_read(rows, arena, ret);
}

void rows_stop(struct rows *rows)
{
	if (rows->own)
		rows->engine->calls->reset(rows);
}

int rows_one(struct rows *rows, struct arena *arena, void *ret, struct err *err)
{
	int found = rows_step(rows, err), status = found;

	if (found == 1) {
		rows_read(rows, arena, ret);
		status = rows_step(rows, err);
		rows_stop(rows);
	}
	return status < 0 ? status : found;
}

int engine_run(struct engine *engine, size_t which, const struct db_value *values, struct err *err)
{
	struct rows *rows = engine_bind(engine, which, values);
	int status = rows_step(rows, err);

	if (status == 1)
		rows_stop(rows);
	return status;
}

/* Values of all runs in the order of the parameters. */
static int arrange_sets(struct rows *rows, const struct value_sets *sets, struct db_value *ret, struct err *err)
{
	struct db_value arranged[VALUES_MOST + 1];
	int status = 0;

	for (size_t i = 0; i < sets->count && !status; i++) {
		const struct db_value *values = &sets->items[i * sets->each];

		status = arrange(rows, &values, arranged, err);
		for (size_t at = 0; at == 0 || values[at - 1].kind; at++)
			ret[i * sets->each + at] = values[at];
	}
	return status;
}

int engine_run_all(struct engine *engine, size_t which, const struct value_sets *sets, struct err *err)
{
	CLEANUP(mem_release) struct db_value *items = mem_zalloc((sets->count * sets->each + 1) * sizeof(*items));
	const struct value_sets arranged = { items, sets->each, sets->count };
	struct rows *rows = &engine->statements[which];
	int status = arrange_sets(rows, sets, items, err);

	if (!status && engine->calls->run_all && sets->count > 1)
		return engine->calls->run_all(rows, &arranged, err);
	for (size_t i = 0; i < sets->count && !status; i++)
		status = rows_step(bind_values(rows, &sets->items[i * sets->each]), err);
	return status;
}
