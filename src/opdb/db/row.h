#pragma once
/*
 * Rows of a prepared query, read column by column from the left.
 *
 * A value that does not fit marks the row as damaged; row_next then answers ERR_DB_DAMAGED instead of going on, so that
 * a loop over rows checks nothing by itself. Text is copied into the arena.
 */
#include "opdb/db/handle.h"

struct row {
	const struct opdb *db;
	struct sqlite3_stmt *statement;
	struct arena *arena;
	enum query query; /* of row_begin */
	int column;
	bool damaged; /* a value did not fit */
	bool full;    /* the arena's budget is used up */
};

/* Starts a query of its own, which row_close finishes. ERR_DB_DAMAGED. */
int row_open(const struct opdb *db, const char *sql, struct arena *arena, struct row *ret, struct err *err);
void row_close(struct row *row);

/* Starts a query; its parameters are bound in their order by the functions below before the first row_next. */
struct row row_begin(const struct opdb *db, enum query query, struct arena *arena);
void row_bind_text(struct row *row, int parameter, struct str value);
void row_bind_number(struct row *row, int parameter, int64_t value);

/* 1 at a row, 0 after the last one, or an error. */
int row_next(struct row *row, struct err *err);

/* For a loop that ends before the last row. */
void row_stop(struct row *row);

/* The next column: text ("" for NULL); a number below limit; one of words as its index; 1-based id up to count, 0 for
   NULL. */
struct str row_text(struct row *row);
unsigned row_number(struct row *row, size_t limit);
unsigned row_word(struct row *row, const struct str *words, size_t count);
unsigned row_id(struct row *row, size_t count);

/* Zeroed memory of the row's arena, and a copy there; NULL, with the row marked full, over its budget. */
void *row_alloc(struct row *row, size_t bytes);
void *row_keep(struct row *row, const void *item, size_t bytes);

/* Moves a list of what the rows were, which grew on the heap, to the arena. *code: of row_next; NULL, and an error
   there, if it was one or the arena is full. */
void *row_list(struct row *row, void *items, size_t bytes, int *code, struct err *err);

/* ERR_DB_DAMAGED with SQLite's reason, or what the caller says is wrong. */
int db_failed(const struct opdb *db, struct err *err);
int db_damaged(struct err *err, const char *what);
