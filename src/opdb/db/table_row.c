#include "opdb/db/table_row.h"

#include "base/memory/mem.h"
#include "opdb/model/dtype.h"

const struct kind kind_ordinal = { "ordinal", "integer", MEMBER_NONE };
const struct kind kind_id = { "id", "integer", MEMBER_NONE };
const struct kind kind_source = { "source", "integer", MEMBER_UNSIGNED };
const struct kind kind_rule = { "rule", "integer", MEMBER_UNSIGNED };
const struct kind kind_torch = { "torch", "integer", MEMBER_UNSIGNED };
const struct kind kind_cann = { "cann", "integer", MEMBER_UNSIGNED };
const struct kind kind_release = { "release", "integer", MEMBER_UNSIGNED };
const struct kind kind_recipe = { "recipe", "integer", MEMBER_UNSIGNED };
const struct kind kind_document = { "document", "integer", MEMBER_UNSIGNED };
const struct kind kind_dtypes = { "dtypes", "string", MEMBER_UNSIGNED };
const struct kind kind_dtype_bits = { "dtype-bits", "integer", MEMBER_UNSIGNED, .most = DTYPE_ALL };

/* The list whose items a number selects. */
static const struct {
	const struct kind *kind;
	size_t count_at;
	bool is_id; /* from 1 on, 0 for none */
} selected[] = {
	{ &kind_source, offsetof(struct opdb, sources.count), true },
	{ &kind_rule, offsetof(struct opdb, rules.count), true },
	{ &kind_torch, offsetof(struct opdb, torch.count), false },
	{ &kind_cann, offsetof(struct opdb, cann.count), false },
	{ &kind_release, offsetof(struct opdb, releases.count), false },
	{ &kind_recipe, offsetof(struct opdb, recipes.count), false },
	{ &kind_document, offsetof(struct opdb, documents.count), false },
};

static unsigned read_number(struct row *row, const struct field *field)
{
	int64_t most = field->kind->most;

	for (size_t i = 0; i < ARRAY_SIZE(selected); i++) {
		size_t count = *(const size_t *)(const void *)((const char *)row->db + selected[i].count_at);

		if (selected[i].kind == field->kind)
			return selected[i].is_id ? row_id(row, count) : row_number(row, count);
	}
	return field->words ? row_word(row, field->words->items, field->words->count)
			    : row_number(row, most && most < UINT32_MAX ? (size_t)most + 1 : UINT32_MAX);
}

static void read_field(struct row *row, const struct field *field, size_t rows, void *at)
{
	switch (field->kind->type) {
	case MEMBER_NONE:
		row->damaged |= row_number(row, UINT32_MAX) != rows + (field->kind == &kind_id);
		break;
	case MEMBER_TEXT:
		*(struct str *)at = row_text(row);
		break;
	case MEMBER_BOOL:
		*(bool *)at = row_number(row, 2) == 1;
		break;
	case MEMBER_I64:
		*(int64_t *)at = row_number(row, UINT32_MAX);
		break;
	default:
		if (field->kind == &kind_dtypes)
			row->damaged |= !dtypes_from(row_text(row), at);
		else
			*(unsigned *)at = read_number(row, field);
	}
}

void table_row_read(
	struct row *row, const struct record *record, const struct row_columns *columns, size_t rows, void *ret)
{
	const int *column = columns->at;

	for (const struct field *field = record->fields; field->key; field++) {
		row->column = *column++;
		read_field(row, field, rows, field_in(field, ret));
	}
}
