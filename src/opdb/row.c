#include "opdb/row.h"

#include <sqlite3.h>

#include "base/utf8.h"

static int damage_hint(struct err *err)
{
	return err_hint(err, "build the database again with `opcheck db build`, or install it again");
}

int db_failed(const struct opdb *db, struct err *err)
{
	err_set(err, ERR_DB_DAMAGED, "the database answers: %s", sqlite3_errmsg(db->sqlite));
	return damage_hint(err);
}

int db_damaged(struct err *err, const char *what)
{
	err_set(err, ERR_DB_DAMAGED, "the database is damaged: %s", what);
	return damage_hint(err);
}

struct row row_begin(const struct opdb *db, enum query query, struct arena *arena)
{
	sqlite3_reset(db->queries[query]);
	return (struct row){ .db = db, .statement = db->queries[query], .arena = arena };
}

void row_bind_text(struct row *row, int parameter, struct str value)
{
	sqlite3_bind_text(row->statement, parameter, value.ptr, (int)value.len, SQLITE_STATIC);
}

void row_bind_number(struct row *row, int parameter, int64_t value)
{
	sqlite3_bind_int64(row->statement, parameter, value);
}

/* Lets go of the file's pages and of the bound text, which is the caller's. */
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
		return row_end(row, err_set(err, ERR_LIMIT, "the facts that are asked for take too much memory"));
	if (row->damaged)
		return row_end(row, db_damaged(err, "a value does not fit its column"));
	result = sqlite3_step(row->statement);
	row->column = 0;
	if (result == SQLITE_ROW)
		return 1;
	return row_end(row, result == SQLITE_DONE ? 0 : db_failed(row->db, err));
}

/* The next column as it stands in SQLite's memory; NULL is "". */
static struct str peek(struct row *row)
{
	int column = row->column++, type = sqlite3_column_type(row->statement, column);
	const void *text = type == SQLITE_TEXT ? sqlite3_column_text(row->statement, column) : NULL;

	struct str value = text ? (struct str){ text, (size_t)sqlite3_column_bytes(row->statement, column) } : STR("");
	size_t bad_at;

	if ((type != SQLITE_TEXT && type != SQLITE_NULL) || !utf8_valid(value, &bad_at))
		row->damaged = true;
	return value;
}

struct str row_text(struct row *row)
{
	struct str copy = STR("");

	if (!arena_copy(row->arena, peek(row), &copy))
		row->full = true;
	return copy;
}

unsigned row_number(struct row *row, size_t limit)
{
	int column = row->column++;
	int64_t value = sqlite3_column_int64(row->statement, column);

	if (sqlite3_column_type(row->statement, column) != SQLITE_INTEGER || value < 0 || (uint64_t)value >= limit) {
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
	struct str word = peek(row);

	for (size_t i = 0; i < count; i++) {
		if (str_eq(words[i], word))
			return (unsigned)i;
	}
	row->damaged = true;
	return 0;
}
