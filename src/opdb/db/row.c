#include "opdb/db/row.h"

#include <sqlite3.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/utf8.h"

static int damage_hint(struct err *err)
{
	return err_hint(err, "build the database again with `opcheck db build`, or install it again");
}

int db_failed(const struct opdb *db, struct err *err)
{
	if (sqlite3_errcode(db->sqlite) == SQLITE_NOMEM) {
		mem_failed();
		return err_set(err, ERR_DB_OPEN, "out of memory while reading the database");
	}
	err_set(err, ERR_DB_DAMAGED, "database error: %s", sqlite3_errmsg(db->sqlite));
	return damage_hint(err);
}

int db_damaged(struct err *err, const char *what)
{
	err_set(err, ERR_DB_DAMAGED, "the database is damaged: %s", translated(what));
	return damage_hint(err);
}

int row_open(const struct opdb *db, const char *sql, struct arena *arena, struct row *ret, struct err *err)
{
	*ret = (struct row){ .db = db, .arena = arena };
	return sqlite3_prepare_v2(db->sqlite, sql, -1, &ret->statement, NULL) ? db_failed(db, err) : 0;
}

void row_close(struct row *row)
{
	sqlite3_finalize(row->statement);
}

struct row row_begin(const struct opdb *db, enum query query, struct arena *arena)
{
	sqlite3_reset(db->queries[query]);
	return (struct row){ .db = db, .statement = db->queries[query], .arena = arena, .query = query };
}

void row_bind_text(struct row *row, int parameter, struct str value)
{
	sqlite3_bind_text(row->statement, parameter, value.ptr, (int)value.len, SQLITE_STATIC);
}

void row_bind_number(struct row *row, int parameter, int64_t value)
{
	sqlite3_bind_int64(row->statement, parameter, value);
}

/* Releases the file's pages and the bound text, which is the caller's. */
void row_stop(struct row *row)
{
	sqlite3_reset(row->statement);
	sqlite3_clear_bindings(row->statement);
}

static int row_end(struct row *row, int code)
{
	row_stop(row);
	return code;
}

int row_next(struct row *row, struct err *err)
{
	int result;

	if (row->full)
		return row_end(row, err_set(err, ERR_LIMIT, "the facts take too much memory"));
	if (row->damaged)
		return row_end(row, db_damaged(err, "a value does not fit its column"));
	result = sqlite3_step(row->statement);
	row->column = 0;
	if (result == SQLITE_ROW)
		return 1;
	return row_end(row, result == SQLITE_DONE ? 0 : db_failed(row->db, err));
}

/* The next column in SQLite's own memory; NULL is "". */
static struct str column_text(struct row *row)
{
	/* one thread has the connection, which has no mutex: the value may be looked into where it is */
	sqlite3_value *column = sqlite3_column_value(row->statement, row->column++);
	int type = sqlite3_value_type(column);
	/* not value_text, which may need memory for a byte of zero behind it */
	const void *text = type == SQLITE_TEXT ? sqlite3_value_blob(column) : NULL;
	struct str value = text ? (struct str){ text, (size_t)sqlite3_value_bytes(column) } : STR("");
	size_t bad_at;

	if ((type != SQLITE_TEXT && type != SQLITE_NULL) || !utf8_valid(value, &bad_at))
		row->damaged = true;
	return value;
}

void *row_alloc(struct row *row, size_t bytes)
{
	void *memory = arena_alloc(row->arena, bytes);

	row->full |= !memory;
	return memory;
}

void *row_keep(struct row *row, const void *item, size_t bytes)
{
	void *memory = row_alloc(row, bytes);

	return memory ? memcpy(memory, item, bytes) : NULL;
}

void *row_list(struct row *row, void *items, size_t bytes, int *code, struct err *err)
{
	void *kept = *code < 0 ? NULL : row_alloc(row, bytes);

	if (*code >= 0)
		*code = kept ? 0 : err_set(err, ERR_LIMIT, "the facts take too much memory");
	if (kept && bytes)
		memcpy(kept, items, bytes);
	free(items);
	return kept;
}

struct str row_text(struct row *row)
{
	struct str copy = STR("");

	if (!arena_copy(row->arena, column_text(row), &copy))
		row->full = true;
	return copy;
}

unsigned row_number(struct row *row, size_t limit)
{
	sqlite3_value *column = sqlite3_column_value(row->statement, row->column++);
	int64_t value = sqlite3_value_int64(column);

	if (sqlite3_value_type(column) != SQLITE_INTEGER || value < 0 || (uint64_t)value >= limit) {
		row->damaged = true;
		return 0;
	}
	return (unsigned)value;
}

unsigned row_id(struct row *row, size_t count)
{
	if (sqlite3_column_type(row->statement, row->column) == SQLITE_NULL) {
		row->column++;
		return 0;
	}
	return row_number(row, count + 1);
}

unsigned row_word(struct row *row, const struct str *words, size_t count)
{
	struct str word = column_text(row);

	for (size_t i = 0; i < count; i++) {
		if (str_eq(words[i], word))
			return (unsigned)i;
	}
	row->damaged = true;
	return 0;
}
