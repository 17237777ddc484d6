#include "opdb/db/names.h"

#include "base/memory/mem.h"
#include "base/value/nearest.h"
#include "opdb/db/fact_rows.h"
#include "opdb/db/queries.h"

enum { NAME_BYTES = 4096 };

static struct str full_name(struct row *row, struct str ns, struct str base)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(NAME_BYTES);
	struct str name = STR("");

	buf_printf(&text, "%.*s::%.*s", STR_ARG(ns), STR_ARG(base));
	row->full |= !arena_copy(row->arena, buf_str(&text), &name);
	return name;
}

/* The full name of a row of ns and base. */
static struct str name_in(struct row *row)
{
	struct name_row read;

	query_row_read(row, &read);
	return full_name(row, read.ns, read.base);
}

/* The text of a row that is nothing else. */
static struct str only_text(struct row *row)
{
	struct str text;

	query_row_read(row, &text);
	return text;
}

/* A list on the heap while it grows. */
struct growing_names {
	struct str *items;
	size_t count, capacity;
};

static int end_names(struct row *row, struct growing_names *names, int code, struct name_list *ret, struct err *err)
{
	struct str *items = row_list(row, names->items, names->count * sizeof(items[0]), &code, err);

	ret->items = items ? items : ret->items;
	ret->count = items ? names->count : ret->count;
	return code;
}

int opdb_names_with_prefix(
	const struct opdb *db, struct str prefix, struct arena *arena, struct name_list *ret, struct err *err)
{
	size_t colons = str_find(prefix, STR("::"));
	struct row row = row_begin(db, QUERY_NAMES, arena);
	struct growing_names names = { 0 };
	int more = 1;

	row_bind_text(&row, 1, colons == STR_NONE ? STR("") : str_sub(prefix, 0, colons));
	row_bind_text(&row, 2, colons == STR_NONE ? STR("") : str_skip(prefix, colons + 2));
	while ((!ret->max || names.count < ret->max) && (more = row_next(&row, err)) > 0) {
		struct str name = name_in(&row);

		if (str_starts(name, prefix))
			MEM_PUSH(&names, name);
		else if (colons != STR_NONE)
			break;
	}
	row_stop(&row);
	return end_names(&row, &names, more, ret, err);
}

/* The nearest of the names of a query's rows. */
static int find_nearest(
	struct row *row, struct str wanted, struct str (*read)(struct row *), struct name_list *ret, struct err *err)
{
	struct nearest nearest = NEAREST_TO(wanted);
	struct growing_names names = { 0 };
	int more;

	while ((more = row_next(row, err)) > 0)
		nearest_offer(&nearest, read(row));
	for (size_t i = 0; i < nearest.count; i++)
		MEM_PUSH(&names, nearest.names[i]);
	return end_names(row, &names, more, ret, err);
}

int opdb_nearest_names(
	const struct opdb *db, struct str name, struct arena *arena, struct name_list *ret, struct err *err)
{
	struct row row = row_begin(db, QUERY_NAMES, arena);

	row_bind_text(&row, 1, STR(""));
	row_bind_text(&row, 2, STR(""));
	return find_nearest(&row, name, name_in, ret, err);
}

int opdb_nearest_apis(
	const struct opdb *db, struct str api, struct arena *arena, struct name_list *ret, struct err *err)
{
	struct row row = row_begin(db, QUERY_API_NAMES, arena);

	return find_nearest(&row, api, only_text, ret, err);
}

int opdb_names_of_api(
	const struct opdb *db, struct str api, struct arena *arena, struct name_list *ret, struct err *err)
{
	struct growing_names names = { 0 };
	struct row row = row_begin(db, QUERY_API_OPERATORS, arena);
	int more;

	row_bind_text(&row, 1, api);
	while ((more = row_next(&row, err)) > 0)
		MEM_PUSH(&names, full_name(&row, STR("aten"), only_text(&row)));
	return end_names(&row, &names, more, ret, err);
}

int opdb_api_calls(const struct opdb *db, struct str api, struct arena *arena, struct api_calls *ret, struct err *err)
{
	MEM_LIST(struct api_call) calls = { 0 };
	struct row row = row_begin(db, QUERY_API_CALLS, arena);
	int more;

	*ret = (struct api_calls){ 0 };
	row_bind_text(&row, 1, api);
	while ((more = row_next(&row, err)) > 0) {
		struct api_call call;

		query_row_read(&row, &call);
		call.name = full_name(&row, STR("aten"), call.name);
		MEM_PUSH(&calls, call);
	}
	ret->items = row_list(&row, calls.items, calls.count * sizeof(calls.items[0]), &more, err);
	ret->count = ret->items ? calls.count : 0;
	return more;
}

int opdb_names_of_call(
	const struct opdb *db, struct str call, struct arena *arena, struct name_list *ret, struct err *err)
{
	struct growing_names names = { 0 };
	struct row row = row_begin(db, QUERY_CALL_OPERATORS, arena);
	int more;

	row_bind_text(&row, 1, call);
	while ((more = row_next(&row, err)) > 0)
		MEM_PUSH(&names, only_text(&row));
	return end_names(&row, &names, more, ret, err);
}

bool opdb_has_whole_namespace(const struct opdb *db, struct str ns)
{
	for (size_t i = 0; i < db->namespaces.count; i++) {
		const struct namespace_rule *space = &db->namespaces.items[i];

		if (str_eq(space->ns, ns))
			return space->kind == NAMESPACE_PLUGIN || space->kind == NAMESPACE_QUANTIZED ||
			       space->kind == NAMESPACE_PACKAGE;
	}
	return str_eq(ns, STR("aten"));
}

const struct operator_rule *operator_rule_find(const struct opdb *db, enum operator_rule_kind kind, struct str name)
{
	return FIND(i, db->operator_rules.items, db->operator_rules.count,
		db->operator_rules.items[i].kind == kind && str_eq(db->operator_rules.items[i].name, name));
}
