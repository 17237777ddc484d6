#include "opdb/db/names.h"

#include "base/memory/mem.h"
#include "base/value/nearest.h"
#include "opdb/db/fact_rows.h"
#include "opdb/db/queries.h"

enum { NAME_BYTES = 4096 };

/* The full name of a row of ns and base. */
static struct str full_name(struct row *row)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(NAME_BYTES);
	struct str copy = STR("");
	struct name_row read;

	query_row_read(row, &read);
	buf_printf(&text, "%.*s::%.*s", STR_ARG(read.ns), STR_ARG(read.base));
	if (!arena_copy(row->arena, buf_str(&text), &copy))
		row->full = true;
	return copy;
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

static int move_to_arena(
	struct growing_names *names, struct arena *arena, int code, struct name_list *ret, struct err *err)
{
	struct str *items = code < 0 ? NULL : arena_alloc(arena, names->count * sizeof(items[0]));

	if (code >= 0 && !items)
		code = err_set(err, ERR_LIMIT, "the list of names takes too much memory");
	if (items) {
		if (names->count)
			memcpy(items, names->items, names->count * sizeof(items[0]));
		ret->items = items;
		ret->count = names->count;
	}
	mem_release(&names->items);
	return code < 0 ? code : 0;
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
		struct str name = full_name(&row);

		if (str_starts(name, prefix))
			MEM_PUSH(&names, name);
		else if (colons != STR_NONE)
			break;
	}
	row_stop(&row);
	return move_to_arena(&names, arena, more, ret, err);
}

int opdb_nearest_names(
	const struct opdb *db, struct str name, struct arena *arena, struct name_list *ret, struct err *err)
{
	struct nearest nearest = NEAREST_TO(name);
	struct growing_names names = { 0 };
	struct row row = row_begin(db, QUERY_NAMES, arena);
	int more;

	row_bind_text(&row, 1, STR(""));
	row_bind_text(&row, 2, STR(""));
	while ((more = row_next(&row, err)) > 0)
		nearest_offer(&nearest, full_name(&row));
	for (size_t i = 0; i < nearest.count; i++)
		MEM_PUSH(&names, nearest.names[i]);
	return move_to_arena(&names, arena, more, ret, err);
}

int opdb_nearest_apis(
	const struct opdb *db, struct str api, struct arena *arena, struct name_list *ret, struct err *err)
{
	struct nearest nearest = NEAREST_TO(api);
	struct growing_names names = { 0 };
	struct row row = row_begin(db, QUERY_API_NAMES, arena);
	int more;

	while ((more = row_next(&row, err)) > 0)
		nearest_offer(&nearest, only_text(&row));
	for (size_t i = 0; i < nearest.count; i++)
		MEM_PUSH(&names, nearest.names[i]);
	return move_to_arena(&names, arena, more, ret, err);
}

/* The full name of a base name in aten. */
static struct str aten_name(struct row *row, struct str base)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(NAME_BYTES);
	struct str name = STR("");

	buf_printf(&text, "aten::%.*s", STR_ARG(base));
	if (!arena_copy(row->arena, buf_str(&text), &name))
		row->full = true;
	return name;
}

int opdb_names_of_api(
	const struct opdb *db, struct str api, struct arena *arena, struct name_list *ret, struct err *err)
{
	struct growing_names names = { 0 };
	struct row row = row_begin(db, QUERY_API_OPERATORS, arena);
	int more;

	row_bind_text(&row, 1, api);
	while ((more = row_next(&row, err)) > 0)
		MEM_PUSH(&names, aten_name(&row, only_text(&row)));
	return move_to_arena(&names, arena, more, ret, err);
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
		call.name = aten_name(&row, call.name);
		MEM_PUSH(&calls, call);
	}
	if (!more && calls.count) {
		ret->items = arena_alloc(arena, calls.count * sizeof(calls.items[0]));
		if (!ret->items)
			more = err_set(err, ERR_LIMIT, "the operators of an API take too much memory");
		else
			memcpy(ret->items, calls.items, calls.count * sizeof(calls.items[0]));
		ret->count = ret->items ? calls.count : 0;
	}
	mem_release(&calls.items);
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
	return move_to_arena(&names, arena, more, ret, err);
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
