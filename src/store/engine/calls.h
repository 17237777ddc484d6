#pragma once
/* Inside the engine: the calls that each library implements, and what they share. */
#include <stdbool.h>

#include "base/view/str.h"
#include "store/engine/engine.h"
#include "store/engine/row.h"

/* A statement, and its current row. */
struct rows {
	struct engine *engine;
	const char *text;
	const struct record *record; /* of its rows; NULL: no column of it is read */
	struct row_columns columns;
	struct parameter_names names; /* of its parameters, in their order; empty: their places count */
	struct err refused;           /* its values, or its preparation; code 0: accepted */
	bool is_matched;              /* columns are known */
	void *own;                    /* of the library; NULL: not prepared */
};

struct engine {
	const struct engine_calls *calls;
	const struct engine_table *table;
	const struct store_place *place;
	struct rows *statements;
	void (*on_commit)(void *ctx); /* NULL: not wanted */
	void *ctx;
	bool may_come_back; /* until the next commit: a failed transaction may turn out to count */
};

struct engine_ear;
struct engine_calls {
	enum dialect dialect;
	size_t bytes; /* of its struct, which begins with struct engine */
	int (*open)(struct engine *engine, bool sets_up, struct err *err);
	void (*close)(struct engine *engine);
	int (*prepare)(struct rows *rows, struct err *err);
	void (*drop)(struct rows *rows);
	void (*bind)(struct rows *rows, const struct db_value *values);
	int (*step)(struct rows *rows, struct err *err);
	void (*reset)(struct rows *rows);
	/* Runs a statement without rows once for each set of values; NULL: one after the other is as fast. */
	int (*run_all)(struct rows *rows, const struct value_sets *sets, struct err *err);
	int (*column_count)(const struct rows *rows);
	const char *(*column_name)(const struct rows *rows, int column);
	struct str (*text)(const struct rows *rows, int column); /* valid until the next step */
	int64_t (*number)(const struct rows *rows, int column);
	int (*listen)(struct engine *engine, const struct engine_ear *ear, struct err *err); /* NULL: no signals */
	uint64_t (*now)(struct engine *engine);
	void (*bound)(struct engine *engine, uint64_t seconds, bool running);
	void (*wait_at_most)(struct engine *engine, unsigned ms);
};
