#include "opdb/db/columns.h"

#include <sqlite3.h>

#include "record/kind.h"

static size_t count_named(const struct column_names *names, const char *name, int *ret_last)
{
	size_t count = 0;

	for (int i = 0; i < names->count; i++) {
		if (strcmp(names->items[i], name) == 0) {
			*ret_last = i;
			count++;
		}
	}
	return count;
}

static const char *match_fields(
	const struct column_names *names, const struct record *record, struct row_columns *ret, size_t *count)
{
	for (const struct field *field = record->fields; field->key; field++) {
		const char *alone = NULL;

		if (field->kind->is_inline)
			alone = match_fields(names, field->record, ret, count);
		else if (*count == ROW_COLUMNS || count_named(names, field->key, &ret->at[*count]) != 1)
			alone = field->key;
		else
			*count += 1;
		if (alone)
			return alone;
	}
	return NULL;
}

const char *columns_match_names(const struct column_names *names, const struct record *record, struct row_columns *ret)
{
	size_t count = 0;
	const char *alone = match_fields(names, record, ret, &count);

	for (int i = 0; !alone && i < names->count; i++) {
		if (!ANY(field, count, ret->at[field] == i))
			alone = names->items[i];
	}
	return alone;
}

const char *columns_match(sqlite3_stmt *statement, const struct record *record, struct row_columns *ret)
{
	const char *names[ROW_COLUMNS + 1];
	struct column_names found = { names, sqlite3_column_count(statement) };

	if (found.count > ROW_COLUMNS)
		found.count = ROW_COLUMNS + 1;
	for (int i = 0; i < found.count; i++)
		names[i] = sqlite3_column_name(statement, i);
	return columns_match_names(&found, record, ret);
}

void columns_sql(struct buf *ret, const struct record *record, const char *sql)
{
	for (const struct field *field = record->fields; field->key && !str_starts(str_from(sql), STR("SELECT"));
		field++)
		buf_printf(ret, "%s%s", field == record->fields ? "SELECT " : ", ", field->key);
	buf_printf(ret, " %s", sql);
}
