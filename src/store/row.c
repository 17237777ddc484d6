#include "store/row.h"

#include <sqlite3.h>

#include "record/kind.h"

int row_match(sqlite3_stmt *statement, const struct record *record, struct row_columns *ret, struct err *err)
{
	const char *alone = columns_match(statement, record, ret);

	return alone ? err_set(err, ERR_STORE, "a row has not both a column and a field for '%s': %s", alone,
			       sqlite3_sql(statement))
		     : 0;
}

static struct str column_text(sqlite3_stmt *row, int column, struct arena *arena)
{
	/* column_text may need memory, for a byte of zero behind it */
	bool is_number = sqlite3_column_type(row, column) == SQLITE_INTEGER;
	const void *text = is_number ? sqlite3_column_text(row, column) : sqlite3_column_blob(row, column);

	if (!text)
		return STR("");
	return arena_keep(arena, (struct str){ text, (size_t)sqlite3_column_bytes(row, column) });
}

static void read_column(sqlite3_stmt *row, int column, const struct field *field, struct arena *arena, void *at)
{
	switch (field->kind->type) {
	case MEMBER_TEXT:
		*(struct str *)at = column_text(row, column, arena);
		break;
	case MEMBER_BOOL:
		*(bool *)at = sqlite3_column_int64(row, column) != 0;
		break;
	case MEMBER_UNSIGNED:
	case MEMBER_U32:
		*(uint32_t *)at = (uint32_t)sqlite3_column_int64(row, column);
		break;
	default:
		*(int64_t *)at = sqlite3_column_int64(row, column);
	}
}

static const int *read_fields(
	sqlite3_stmt *row, const struct record *record, const int *column, struct arena *arena, void *ret)
{
	for (const struct field *field = record->fields; field->key; field++) {
		if (field->kind->is_inline)
			column = read_fields(row, field->record, column, arena, field_in(field, ret));
		else
			read_column(row, *column++, field, arena, field_in(field, ret));
	}
	return column;
}

void row_read(sqlite3_stmt *row, const struct record *record, const struct row_columns *columns, struct arena *arena,
	void *ret)
{
	read_fields(row, record, columns->at, arena, ret);
}
