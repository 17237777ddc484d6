#include "opdb/db/columns.h"

#include <sqlite3.h>

#include "record/kind.h"

static size_t count_named(sqlite3_stmt *statement, const char *name, int *ret_last)
{
	size_t count = 0;

	for (int i = 0; i < sqlite3_column_count(statement); i++) {
		if (strcmp(sqlite3_column_name(statement, i), name) == 0) {
			*ret_last = i;
			count++;
		}
	}
	return count;
}

static const char *match_fields(
	sqlite3_stmt *statement, const struct record *record, struct row_columns *ret, size_t *count)
{
	for (const struct field *field = record->fields; field->key; field++) {
		const char *alone = NULL;

		if (field->kind->is_inline)
			alone = match_fields(statement, field->record, ret, count);
		else if (*count == ROW_COLUMNS || count_named(statement, field->key, &ret->at[*count]) != 1)
			alone = field->key;
		else
			*count += 1;
		if (alone)
			return alone;
	}
	return NULL;
}

static bool is_taken(const struct row_columns *columns, size_t count, int column)
{
	for (size_t i = 0; i < count; i++) {
		if (columns->at[i] == column)
			return true;
	}
	return false;
}

const char *columns_match(sqlite3_stmt *statement, const struct record *record, struct row_columns *ret)
{
	size_t count = 0;
	const char *alone = match_fields(statement, record, ret, &count);

	for (int i = 0; !alone && i < sqlite3_column_count(statement); i++) {
		if (!is_taken(ret, count, i))
			alone = sqlite3_column_name(statement, i);
	}
	return alone;
}
