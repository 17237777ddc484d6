#include "scan/tables.h"

#include <inttypes.h>

#include "opdb/db/apis.h"
#include "report/render.h"

const struct str source_table_files[SOURCE_TABLES] = { STR("unsupported_api.csv"), STR("unknown_api.csv"),
	STR("api_limits.csv"), STR("cuda_op_list.csv"), STR("change_list.csv"), STR("affinity.csv") };

static const char *const heads[SOURCE_TABLES] = { "path,line,column,api,target,chips,source",
	"path,line,column,api,target,source", "path,line,column,api,target,chips,types,types_excluded,limits,source",
	"path,line,column,name,rule,target", "path,line,column,rule,expression,replacement,target",
	"path,line,column,rule,expression,replacement,target" };

/* "train.py,12,5" */
static void put_place(struct buf *out, const struct source_place *place)
{
	uint32_t line, column;

	syntax_place(&place->script->syntax, place_anchor(place), &line, &column);
	csv_put_text(out, place->script->path);
	buf_printf(out, ",%" PRIu32 ",%" PRIu32, line, column);
}

static void put_cell(struct buf *out, struct str text)
{
	buf_byte(out, ',');
	csv_put_text(out, text);
}

static void end_row(struct buf *out)
{
	buf_add(out, STR("\r\n"));
}

/* --- what documents say of an API */

/* Supported on no chip that is named, or not said of any; with limits, one row each. */
static enum source_table table_of(const struct api_limits *limits)
{
	enum source_table table = TABLE_UNKNOWN_API;

	for (size_t i = 0; i < limits->count; i++) {
		if (limits->items[i].says == API_SUPPORTED)
			return TABLE_API_LIMITS;
		if (limits->items[i].says == API_NOT_SUPPORTED)
			table = TABLE_UNSUPPORTED_API;
	}
	return table;
}

static bool is_limited(const struct api_limit *limit)
{
	return limit->says == API_NOT_SUPPORTED || limit->types.len || limit->excluded.len || limit->remarks.len;
}

static void put_limits(
	struct buf *out, const struct source_place *place, const struct target *target, const struct api_limits *limits)
{
	for (size_t i = 0; i < limits->count; i++) {
		const struct api_limit *limit = &limits->items[i];

		if (!is_limited(limit))
			continue;
		put_place(out, place);
		put_cell(out, place->name);
		put_cell(out, str_from(target->id));
		put_cell(out, limit->says == API_NOT_SUPPORTED ? STR("") : limit->chips);
		put_cell(out, limit->types);
		put_cell(out, limit->excluded);
		put_cell(out, limit->remarks);
		put_cell(out, limits->url);
		end_row(out);
	}
}

static int put_api(struct source_tables *tables, const struct source_place *place, struct err *err)
{
	bool is_method = str_starts(place->name, STR("torch.Tensor."));
	int status = 0;

	for (size_t i = 0; i < tables->target_count && !status; i++) {
		const struct target *target = &tables->targets[i];
		CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct api_limits limits = { .arena = &arena };
		enum source_table table;
		struct buf *out;

		status = opdb_api_limits(tables->db, place->name, target->release, &limits, err);
		table = table_of(&limits);
		out = &tables->csv[table];
		if (status || !limits.url.len || (table == TABLE_UNKNOWN_API && is_method))
			continue; /* "x.split()" may be a string's */
		if (table == TABLE_API_LIMITS) {
			put_limits(out, place, target, &limits);
			continue;
		}
		put_place(out, place);
		put_cell(out, place->name);
		put_cell(out, str_from(target->id));
		if (table == TABLE_UNSUPPORTED_API)
			put_cell(out, limits.items[0].chips);
		put_cell(out, limits.url);
		end_row(out);
	}
	return status;
}

/* --- the calls of the scripts */

struct api_walk {
	const struct program *program;
	struct source_tables *tables;
	uint64_t calls;
	struct err *err;
};

/* One that a rule speaks of is in the tables of changes. */
static int put_call(struct api_walk *walk, const struct script *script, uint32_t call, struct str name)
{
	struct source_place place = { .script = script, .node = call, .name = name };

	if (rule_of_name(&walk->program->book, name) || walk->calls++ >= walk->program->check.places_most)
		return 0;
	return put_api(walk->tables, &place, walk->err);
}

static int put_method(struct api_walk *walk, const struct script *script, uint32_t call, uint32_t function)
{
	uint32_t object = syntax_child(&script->syntax, function, SYN_AS_OBJECT);
	uint32_t attribute = syntax_child(&script->syntax, function, SYN_AS_ATTRIBUTE);
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;

	if (!object || !attribute || script->syntax.items[object].kind == SYN_STRING)
		return 0;
	buf_printf(&name, "torch.Tensor.%.*s", STR_ARG(syntax_text(&script->syntax, attribute)));
	if (is_foreign(&walk->program->check, script, object, syntax_text(&script->syntax, attribute)))
		return 0;
	return put_call(walk, script, call, buf_str(&name));
}

static int put_calls(struct api_walk *walk, const struct script *script)
{
	int status = 0;

	for (uint32_t node = 1; node < script->syntax.count && !status; node++) {
		bool is_call = script->syntax.items[node].kind == SYN_CALL;
		uint32_t function = is_call ? syntax_child(&script->syntax, node, SYN_AS_FUNCTION) : 0;
		struct meanings values = { 0 };

		if (!function)
			continue;
		resolve(&walk->program->project, script, function, &values);
		for (size_t i = 0; i < values.count && !status; i++) {
			if (values.items[i].kind == MEANING_NAME &&
				str_starts(meaning_name(&values.items[i]), STR("torch.")))
				status = put_call(walk, script, node, meaning_name(&values.items[i]));
		}
		if (!values.count && script->syntax.items[function].kind == SYN_ATTRIBUTE)
			status = put_method(walk, script, node, function);
	}
	return status;
}

/* --- what a port does */

static void put_change(struct buf *out, const struct source_place *place, struct str replacement, struct str target)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	put_place(out, place);
	put_cell(out, str_from(place->rule->rule));
	put_cell(out, place_text(&arena, syntax_text(&place->script->syntax, place->node)));
	put_cell(out, replacement);
	put_cell(out, target);
	end_row(out);
}

static void put_changes(struct source_tables *tables, const struct source_place *place)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	bool brings_kernels = strcmp(place->rule->rule, "src-extension") == 0;

	for (size_t i = 0; i < tables->target_count; i++) {
		enum target_kind kind = tables->targets[i].release->target;
		struct str id = str_from(tables->targets[i].id), replacement = place_replacement(place, kind, &arena);
		bool must = place_action(place, kind) == SOURCE_MUST_CHANGE;
		struct buf *out = &tables->csv[TABLE_CUDA_OP_LIST];

		if (replacement.len && place->rule->on[kind].action != SOURCE_FINE)
			put_change(&tables->csv[must ? TABLE_CHANGE_LIST : TABLE_AFFINITY], place, replacement, id);
		if (!brings_kernels)
			continue;
		put_place(out, place);
		put_cell(out, place->name);
		put_cell(out, str_from(place->rule->rule));
		put_cell(out, id);
		end_row(out);
	}
}

int source_tables_put(const struct program *program, struct source_tables *tables, struct err *err)
{
	struct api_walk walk = { .program = program, .tables = tables, .err = err };
	int status = 0;

	for (size_t i = 0; i < SOURCE_TABLES; i++)
		buf_printf(&tables->csv[i], "%s\r\n", heads[i]);
	for (size_t i = 0; i < program->check.places.count; i++)
		put_changes(tables, &program->check.places.items[i]);
	for (size_t i = 0; i < program->project.count && !status; i++) {
		if (program->project.scripts[i].kind == SCRIPT_PYTHON)
			status = put_calls(&walk, &program->project.scripts[i]);
	}
	return status;
}
