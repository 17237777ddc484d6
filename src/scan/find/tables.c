#include "scan/find/tables.h"

#include <inttypes.h>

#include "opdb/db/apis.h"
#include "report/doc/csv_cell.h"
#include "scan/find/check_names.h"

const struct str source_table_files[SOURCE_TABLES] = { STR("unsupported_api.csv"), STR("unknown_api.csv"),
	STR("api_limits.csv"), STR("cuda_op_list.csv"), STR("change_list.csv"), STR("affinity.csv") };

static const char *const heads[SOURCE_TABLES] = { "path,line,column,api,target,chips,source",
	"path,line,column,api,target,source", "path,line,column,api,target,chips,types,types_excluded,limits,source",
	"path,line,column,name,rule,target", "path,line,column,rule,expression,replacement,target",
	"path,line,column,rule,expression,replacement,target" };

/* "train.py,12,5" and further cells */
static void put_api_row(struct buf *out, const struct source_place *place, const struct str *cells, size_t count)
{
	uint32_t line, column;

	syntax_place(&place->script->syntax, place_anchor(place), &line, &column);
	csv_put_text(out, place->script->path);
	buf_printf(out, ",%" PRIu32 ",%" PRIu32, line, column);
	for (size_t i = 0; i < count; i++) {
		buf_byte(out, ',');
		csv_put_text(out, cells[i]);
	}
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

static void put_limits(
	struct buf *out, const struct source_place *place, const struct target *target, const struct api_limits *limits)
{
	for (size_t i = 0; i < limits->count; i++) {
		const struct api_limit *limit = &limits->items[i];

		if (limit->says != API_NOT_SUPPORTED && !limit->types.len && !limit->excluded.len &&
			!limit->remarks.len)
			continue;
		put_api_row(out, place,
			(struct str[]){ place->name, str_from(target->id),
				limit->says == API_NOT_SUPPORTED ? STR("") : limit->chips, limit->types,
				limit->excluded, limit->remarks, limits->url },
			7);
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
		if (table == TABLE_UNSUPPORTED_API)
			put_api_row(out, place,
				(struct str[]){ place->name, str_from(target->id), limits.items[0].chips, limits.url },
				4);
		else
			put_api_row(out, place, (struct str[]){ place->name, str_from(target->id), limits.url }, 3);
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

static int put_calls(struct api_walk *walk, const struct script *script)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct str names[MEANINGS_MOST];
	int status = 0;

	for (uint32_t node = 1; node < script->syntax.count && !status; node++, arena_reset(&arena)) {
		size_t count = script->syntax.items[node].kind == SYN_CALL
				       ? names_of_call(&walk->program->check, script, node, &arena, names)
				       : 0;

		for (size_t i = 0; i < count && !status; i++) {
			if (str_starts(names[i], STR("torch.")))
				status = put_call(walk, script, node, names[i]);
		}
	}
	return status;
}

/* --- what a port does */

static void put_changes(struct source_tables *tables, const struct source_place *place)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct str rule = str_from(place->rule->rule);
	struct str expression = place_text(&arena, syntax_text(&place->script->syntax, place->node));

	for (size_t i = 0; i < tables->target_count; i++) {
		enum target_kind kind = tables->targets[i].release->target;
		struct str id = str_from(tables->targets[i].id), replacement = place_replacement(place, kind, &arena);
		bool must = place_action(place, kind) == SOURCE_MUST_CHANGE;

		if (replacement.len && place->rule->on[kind].action != SOURCE_FINE)
			put_api_row(&tables->csv[must ? TABLE_CHANGE_LIST : TABLE_AFFINITY], place,
				(struct str[]){ rule, expression, replacement, id }, 4);
		if (str_eq(rule, STR("src-extension")))
			put_api_row(
				&tables->csv[TABLE_CUDA_OP_LIST], place, (struct str[]){ place->name, rule, id }, 3);
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
