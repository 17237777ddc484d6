#include "store/engine/row.h"

#include "record/kind.h"
#include "store/engine/calls.h"

int row_match(struct rows *rows, struct err *err)
{
	const struct engine_calls *calls = rows->engine->calls;
	const char *names[ROW_COLUMNS + 1], *alone;
	int count = calls->column_count(rows);

	count = count > ROW_COLUMNS ? ROW_COLUMNS + 1 : count;
	for (int i = 0; i < count; i++)
		names[i] = calls->column_name(rows, i);
	alone = columns_match_names(&(struct column_names){ names, count }, rows->record, &rows->columns);
	return alone ? err_set(err, ERR_STORE, "a row has not both a column and a field for '%s': %s", alone,
			       rows->text)
		     : 0;
}

static void read_column(const struct rows *row, int column, const struct field *field, struct arena *arena, void *at)
{
	const struct engine_calls *calls = row->engine->calls;
	struct str text;

	switch (field->kind->type) {
	case MEMBER_TEXT:
		text = calls->text(row, column);
		*(struct str *)at = text.len ? arena_keep(arena, text) : STR("");
		break;
	case MEMBER_BOOL:
		*(bool *)at = calls->number(row, column) != 0;
		break;
	case MEMBER_UNSIGNED:
	case MEMBER_U32:
		*(uint32_t *)at = (uint32_t)calls->number(row, column);
		break;
	default:
		*(int64_t *)at = calls->number(row, column);
	}
}

struct reading {
	const struct rows *row;
	const int *column; /* the next */
	struct arena *arena;
};

static void read_fields(struct reading *reading, const struct record *record, void *ret)
{
	for (const struct field *field = record->fields; field->key; field++) {
		if (field->kind->is_inline)
			read_fields(reading, field->record, field_in(field, ret));
		else
			read_column(reading->row, *reading->column++, field, reading->arena, field_in(field, ret));
	}
}

void row_read(const struct rows *row, struct arena *arena, void *ret)
{
	read_fields(&(struct reading){ row, row->columns.at, arena }, row->record, ret);
}
