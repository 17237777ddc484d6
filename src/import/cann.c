/*
 * Which unit of CANN runs an operator with which types: the tables of opdb/extract/cann.py into npu/units.tsv,
 * npu/calls.tsv and npu/aclnn.tsv.
 *
 * aten_aicpu.tsv has the verdicts of two releases. Other versions and chips follow for the operators that have one call
 * into CANN alone, from the verdicts of that call; for the others nothing is said of them.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "import/given.h"
#include "import/import.h"
#include "import/verdicts.h"
#include "opdb/build/table.h"
#include "opdb/model/chip.h"
#include "opdb/text/fact_text.h"

static const char units_file[] = "npu/units.tsv", casts_file[] = "npu/casts.tsv", calls_file[] = "npu/calls.tsv",
		  aclnn_file[] = "npu/aclnn.tsv", cann_file[] = "npu/cann.tsv";

enum { VERSIONS = 64 };

/* Types that the tables of verdicts leave out: a list of what a call takes says that it does not take them. */
enum { BEYOND = DTYPE_COMPLEX32 | DTYPE_FP8 | DTYPE_UINT16 | DTYPE_UINT32 | DTYPE_UINT64 };

/* A call into CANN that a release of op-plugin makes for an operator. */
struct call {
	struct str op, call, path, release;
};

struct code_place {
	struct str repository, ref, path;
};

/* Where the code of a call is. */
struct call_code {
	struct str call;
	struct code_place place;
};

struct cann {
	struct arena arena;
	struct axis versions, plugins; /* of CANN, and the release of torch_npu made for each */
	struct str editions[VERSIONS]; /* by version of CANN: the release of op-plugin whose calls stand for it */
	struct verdict_grid ops, aclnn, taken;
	MEM_LIST(struct call) calls;
	MEM_LIST(struct call_code) codes;
	struct map calls_of, code_of;
	struct fact_rows casts; /* of op-plugin before a call */
};

/* --- cells */

static int chip_number(const struct given *given, struct str name, unsigned *ret, struct err *err)
{
	for (*ret = 0; chip_at(TARGET_NPU, *ret); ++*ret) {
		if (str_eq(chip_at(TARGET_NPU, *ret)->family, name))
			return 0;
	}
	return given_error(given, err, "no chip is called \"%s\"", shown(name).text);
}

/* Words for types that are no tensors of a program. */
static bool is_other_type(struct str word)
{
	return str_has_word(STR("hif8 int4 fp4_e2m1 fp4_e1m2 any"), word);
}

static int types_in(const struct given *given, struct str words, unsigned *ret, struct err *err)
{
	struct str word = { 0 };

	for (*ret = 0; words.len && str_cut(&words, ' ', &word);) {
		unsigned types = dtype_from(word);

		if (!types && !is_other_type(word))
			return given_error(given, err, "no data type is called \"%s\"", shown(word).text);
		*ret |= types;
	}
	return 0;
}

/* The word of a verdict in the tables, as npu/units.tsv has it. */
static int unit_in(const struct given *given, struct str word, enum unit *ret, struct err *err)
{
	if (str_eq(word, STR("aicore+")))
		*ret = UNIT_HELPER;
	else if (str_eq(word, STR("aicore-undeclared")))
		*ret = UNIT_UNDECLARED;
	else if (!unit_from(word, ret))
		return given_error(given, err, "no verdict is called \"%s\"", shown(word).text);
	return 0;
}

/* Takes the next version off a list such as "8.3 8.5.0"; others than those of npu/cann.tsv are passed over. */
static bool next_place(const struct cann *cann, struct str *rest, unsigned *ret)
{
	struct str word = { 0 };

	while (rest->len && str_cut(rest, ' ', &word)) {
		if (axis_find(&cann->versions, word, ret))
			return true;
	}
	return false;
}

/* Sets the verdict of every type in the mask; one that is there already is an error. */
static int set_verdicts(const struct given *given, struct verdict_cell *cell, unsigned types,
	const struct unit_verdict *verdict, struct err *err)
{
	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		if (!(types >> i & 1))
			continue;
		if (cell->types[i].unit != UNIT_UNKNOWN)
			return given_error(given, err, "%.*s has two verdicts for %.*s", STR_ARG(cell->name),
				STR_ARG(dtype_name(i)));
		cell->types[i] = *verdict;
	}
	return 0;
}

/* --- tables */

enum { CALL_OP, CALL_ACLNN, CALL_CONDITION, CALL_SOURCE, CALL_RELEASE };

/* "Ascend/op-plugin@7.1.0:op_plugin/ops/opapi/X.cpp:31 (by hand)" */
static int split_source(const struct given *given, struct str source, struct code_place *ret, struct err *err)
{
	size_t at = str_find(source, STR("@")), colon;

	source = str_head(source, ' ');
	colon = str_find(source, STR(":"));
	if (at == STR_NONE || colon == STR_NONE || colon < at)
		return given_error(given, err, "source \"%s\" is not REPOSITORY@REF:PATH", shown(source).text);
	*ret = (struct code_place){ str_sub(source, 0, at), str_sub(source, at + 1, colon),
		str_skip(source, colon + 1) };
	return 0;
}

static int take_call(void *ctx, const struct given *given, struct err *err)
{
	struct cann *cann = ctx;
	struct call call = {
		.op = given->cells[CALL_OP], .call = given->cells[CALL_ACLNN], .release = given->cells[CALL_RELEASE]
	};
	struct code_place place;
	int code = split_source(given, given->cells[CALL_SOURCE], &place, err);

	if (code)
		return code;
	call.path = place.path;
	map_add(&cann->calls_of, hash_str(hash_seed(), call.op), (uint32_t)cann->calls.count);
	MEM_PUSH(&cann->calls, call);
	return 0;
}

enum { AICPU_ACLNN, AICPU_CHIP, AICPU_VERDICT, AICPU_DTYPES, AICPU_KERNELS, AICPU_REF };

/* Why a type is rejected stands where the kernels of the others do: "docs only". */
static struct unit_verdict verdict_of(enum unit unit, struct str kernels)
{
	struct str none = STR("");

	return unit == UNIT_REJECTED ? (struct unit_verdict){ unit, none, kernels }
				     : (struct unit_verdict){ unit, kernels, none };
}

static int take_call_verdict(void *ctx, const struct given *given, struct err *err)
{
	struct cann *cann = ctx;
	struct str refs = given->cells[AICPU_REF];
	unsigned chip, types, place;
	enum unit unit;
	struct unit_verdict verdict;
	int code = chip_number(given, given->cells[AICPU_CHIP], &chip, err);

	if (!code)
		code = types_in(given, given->cells[AICPU_DTYPES], &types, err);
	if (!code)
		code = unit_in(given, given->cells[AICPU_VERDICT], &unit, err);
	if (code)
		return code;
	verdict = verdict_of(unit, given->cells[AICPU_KERNELS]);
	while (next_place(cann, &refs, &place)) {
		code = set_verdicts(
			given, verdict_at(&cann->aclnn, given->cells[AICPU_ACLNN], chip, place), types, &verdict, err);
		if (code)
			return code;
	}
	return 0;
}

enum { ATEN_OP, ATEN_RELEASE, ATEN_CHIP, ATEN_VERDICT, ATEN_DTYPES, ATEN_KERNELS, ATEN_ACLNN };

static int take_verdict(void *ctx, const struct given *given, struct err *err)
{
	static const struct str declared = { "acl_op: ", 8 };
	struct cann *cann = ctx;
	struct unit_verdict verdict = { .kernels = given->cells[ATEN_KERNELS], .note = STR("") };
	unsigned chip, types, place;
	int code = chip_number(given, given->cells[ATEN_CHIP], &chip, err);

	if (!code)
		code = types_in(given, given->cells[ATEN_DTYPES], &types, err);
	if (!code)
		code = unit_in(given, given->cells[ATEN_VERDICT], &verdict.unit, err);
	if (code)
		return code;
	if (!axis_find(&cann->plugins, given->cells[ATEN_RELEASE], &place))
		return given_error(given, err, "%s has no version of torch_npu \"%s\"", cann_file,
			shown(given->cells[ATEN_RELEASE]).text);
	if (str_starts(given->cells[ATEN_ACLNN], declared))
		verdict.note = STR("acl_op");
	return set_verdicts(given, verdict_at(&cann->ops, given->cells[ATEN_OP], chip, place), types, &verdict, err);
}

enum { TYPES_ACLNN, TYPES_ARGUMENT, TYPES_CHIP, TYPES_DTYPES, TYPES_LIMITS, TYPES_SOURCE, TYPES_REF, TYPES_FROM };

/* Names of the tensor that a verdict's type is the type of. */
static bool is_first_argument(struct str name)
{
	return str_has_word(STR("self selfRef input inputRef x"), name);
}

static int take_types(void *ctx, const struct given *given, struct err *err)
{
	struct cann *cann = ctx;
	struct str chips = given->cells[TYPES_CHIP], name = { 0 };
	unsigned types, chip, place;
	int code = types_in(given, given->cells[TYPES_DTYPES], &types, err);

	if (code || !types || !str_eq(given->cells[TYPES_FROM], STR("code")) ||
		!is_first_argument(given->cells[TYPES_ARGUMENT]))
		return code;
	while (!code && str_cut(&chips, ' ', &name)) {
		struct str refs = given->cells[TYPES_REF];

		code = chip_number(given, name, &chip, err);
		while (!code && next_place(cann, &refs, &place))
			verdict_at(&cann->taken, given->cells[TYPES_ACLNN], chip, place)->taken |= types;
	}
	return code;
}

enum { CODE_ACLNN, CODE_L0OP, CODE_SOURCE, CODE_REF };

/* "ops-math" as the source of that name, "cann-ops-math". The newest ref is kept. */
static int take_code(void *ctx, const struct given *given, struct err *err)
{
	struct cann *cann = ctx;
	struct call_code code = { .call = given->cells[CODE_ACLNN] };
	uint32_t known = MAP_FIND(&cann->code_of, cann->codes.items, code.call);
	int failed = split_source(given, given->cells[CODE_SOURCE], &code.place, err);

	if (failed)
		return failed;
	if (known == MAP_NONE) {
		map_add_name(&cann->code_of, code.call, (uint32_t)cann->codes.count);
		MEM_PUSH(&cann->codes, code);
	} else if (str_natural_cmp(code.place.ref, cann->codes.items[known].place.ref) > 0) {
		cann->codes.items[known] = code;
	}
	return 0;
}

enum { CAST_DTYPES = 3, CAST_PLUGIN = 6, CAST_PLUGINS };

/* A cast of op-plugin; how it is for a version of CANN stands in the plugin for that. */
static int take_cast(void *ctx, const struct given *given, struct err *err)
{
	struct cann *cann = ctx;
	struct str cells[CAST_PLUGINS + 1], plugins = given->cells[CAST_PLUGINS], plugin = { 0 };
	unsigned types, place;
	int code = types_in(given, given->cells[CAST_DTYPES], &types, err);

	memcpy(cells, given->cells, sizeof(cells));
	cells[CAST_PLUGINS] = STR("npu-casts");
	while (!code && plugins.len && str_cut(&plugins, ' ', &plugin)) {
		if (!axis_find(&cann->plugins, plugin, &place))
			return given_error(
				given, err, "%s has no version of torch_npu \"%s\"", cann_file, shown(plugin).text);
		fact_rows_add(&cann->casts, cells, place);
	}
	return code;
}

static const struct given_table casts_table = { "casts.tsv", "op kernel argument dtypes becomes path plugin plugins",
	take_cast };

static const struct given_table tables[] = {
	{ "aten_aclnn.tsv", "op aclnn condition source release", take_call },
	{ "aclnn_aicpu.tsv", "aclnn chip verdict dtypes kernels ref", take_call_verdict },
	{ "aten_aicpu.tsv", "op release chip verdict dtypes kernels aclnn", take_verdict },
	{ "aclnn_dtypes.tsv", "aclnn argument chip dtypes limits source ref from", take_types },
	{ "aclnn_l0.tsv", "aclnn l0op source ref", take_code },
};

/* --- what follows */

/* Calls that no verdict of an operator counts: of helpers, and for weights in the layout FRACTAL_NZ, which only
   operators of the plugin's own take as a rule. */
static bool is_aside_call(struct str op, struct str call)
{
	bool own = str_starts(op, STR("npu_")) || str_starts(op, STR("_npu"));

	return str_starts(call, STR("aclnnDropoutGenMask")) || str_starts(call, STR("aclnnTransQuantParam")) ||
	       (!own && (str_ends(call, STR("WeightNz")) || str_ends(call, STR("WeightNZ"))));
}

static struct map_cursor first_call(const struct cann *cann, struct str op)
{
	return map_start(&cann->calls_of, hash_str(hash_seed(), op));
}

/* The next call that counts of an operator in a release of op-plugin; NULL: no more. */
static const struct call *next_call(const struct cann *cann, struct str op, struct str release, struct map_cursor *at)
{
	while (map_next(&cann->calls_of, at)) {
		const struct call *call = &cann->calls.items[at->index];

		if (str_eq(call->op, op) && str_eq(call->release, release) && !is_aside_call(op, call->call))
			return call;
	}
	return NULL;
}

/* The one call that an operator makes in a release of op-plugin; no pointer when it makes none or several. */
static struct str only_call(const struct cann *cann, struct str op, struct str release)
{
	struct map_cursor at = first_call(cann, op);
	const struct call *call;
	struct str only = { 0 };

	while ((call = next_call(cann, op, release, &at))) {
		if (only.ptr && !str_eq(only, call->call))
			return (struct str){ 0 };
		only = call->call;
	}
	return only;
}

static bool has_calls(const struct cann *cann, struct str release)
{
	for (size_t i = 0; i < cann->calls.count; i++) {
		if (str_eq(cann->calls.items[i].release, release))
			return true;
	}
	return false;
}

/* For every version of CANN the release of op-plugin that stands for it: the next one from its own on whose calls were
   read, else the last such. */
static void choose_editions(struct cann *cann)
{
	struct str next = STR("");

	for (size_t place = cann->plugins.count; place-- > 0;) {
		if (has_calls(cann, cann->plugins.items[place]))
			next = cann->plugins.items[place];
		cann->editions[place] = next;
	}
	for (size_t place = 1; place < cann->plugins.count; place++) {
		if (!cann->editions[place].len)
			cann->editions[place] = cann->editions[place - 1];
	}
}

/* Whether op-plugin goes on with one call a tensor where the call for a list is rejected. */
static bool goes_by_tensor(struct str op)
{
	return str_starts(op, STR("_foreach_"));
}

/* Adds the verdicts of an operator's only call where the tables have none for the operator, and says why one is
   rejected. */
static void follow_call(struct cann *cann, struct str op, struct str call, unsigned chip, unsigned place)
{
	const struct verdict_cell *from = verdict_find(&cann->aclnn, call, chip, place);
	struct verdict_cell *cell = from ? verdict_at(&cann->ops, op, chip, place) : NULL;
	bool by_tensor = goes_by_tensor(op);

	for (unsigned i = 0; cell && i < DTYPE_COUNT; i++) {
		bool rejected = from->types[i].unit == UNIT_REJECTED;
		bool same = rejected && cell->types[i].unit == UNIT_REJECTED;

		if (same || (cell->types[i].unit == UNIT_UNKNOWN && !(rejected && by_tensor)))
			cell->types[i] = from->types[i];
	}
}

static void follow_calls(struct cann *cann)
{
	for (unsigned place = 0; place < cann->versions.count; place++) {
		for (size_t i = 0; i < cann->calls.count; i++) {
			struct str op = cann->calls.items[i].op, call = only_call(cann, op, cann->editions[place]);

			for (unsigned chip = 0; call.ptr && chip_at(TARGET_NPU, chip); chip++)
				follow_call(cann, op, call, chip, place);
		}
	}
}

/* The types beyond those of the verdicts that no call of the operator takes; 0 where the list of one is not known. */
static unsigned beyond_types(const struct cann *cann, const struct verdict_cell *cell)
{
	struct map_cursor at = first_call(cann, cell->name);
	const struct call *call;
	unsigned types = 0;

	while ((call = next_call(cann, cell->name, cann->editions[cell->place], &at))) {
		const struct verdict_cell *taken = verdict_find(&cann->taken, call->call, cell->chip, cell->place);

		if (!taken)
			return 0;
		types |= taken->taken;
	}
	return types ? BEYOND & ~types : 0;
}

static void refuse_beyond(struct cann *cann)
{
	for (size_t i = 0; i < cann->ops.count; i++) {
		struct verdict_cell *cell = &cann->ops.items[i];
		unsigned types = goes_by_tensor(cell->name) ? 0 : beyond_types(cann, cell);

		for (unsigned type = 0; type < DTYPE_COUNT; type++) {
			if (types >> type & 1 && cell->types[type].unit == UNIT_UNKNOWN)
				cell->types[type] = verdict_of(UNIT_REJECTED, STR(""));
		}
	}
}

/* --- the fact text */

static int by_call(const void *a, const void *b)
{
	const struct call *left = a, *right = b;
	int order = str_cmp(left->op, right->op);

	if (!order)
		order = str_cmp(left->call, right->call);
	return order ? order : str_natural_cmp(right->release, left->release);
}

static void put_row(struct buf *out, const struct str *cells, size_t count)
{
	fact_put_cells(out, cells, count);
	buf_byte(out, '\n');
}

/* One row for each call of an operator, read in the newest release that has it. */
static void write_calls(struct cann *cann, struct buf *out)
{
	fact_put_header(out, fact_table_columns(calls_file));
	qsort(cann->calls.items, cann->calls.count, sizeof(cann->calls.items[0]), by_call);
	for (size_t i = 0; i < cann->calls.count; i++) {
		const struct call *call = &cann->calls.items[i], *before = i ? call - 1 : NULL;

		if (!before || !str_eq(before->op, call->op) || !str_eq(before->call, call->call))
			put_row(out,
				(struct str[]){ call->op, call->call, call->path, call->release, STR("npu-calls") }, 5);
	}
}

static bool is_called(const struct cann *cann, struct str name)
{
	for (size_t i = 0; i < cann->calls.count; i++) {
		if (str_eq(cann->calls.items[i].call, name))
			return true;
	}
	return false;
}

static void write_codes(struct cann *cann, struct buf *out)
{
	fact_put_header(out, fact_table_columns(aclnn_file));
	qsort(cann->codes.items, cann->codes.count, sizeof(cann->codes.items[0]), str_order);
	for (size_t i = 0; i < cann->codes.count; i++) {
		const struct call_code *code = &cann->codes.items[i];
		struct str source = arena_printf(&cann->arena, "cann-%.*s", STR_ARG(code->place.repository));

		if (is_called(cann, code->call))
			put_row(out, (struct str[]){ code->call, code->place.path, code->place.ref, source }, 4);
	}
}

/* Versions of CANN, in their order, and the release of torch_npu for each. */
static int read_versions(struct cann *cann, const char *dir, struct err *err)
{
	struct table table = { 0 };
	int code = table_load(&table, dir, cann_file, &cann->arena, err);

	if (!code && table.count > VERSIONS)
		code = err_set(err, ERR_LIMIT, "%s has more than %d versions", cann_file, VERSIONS);
	for (size_t i = 0; i < table.count && !code; i++) {
		axis_add(&cann->versions, *table_cell(&table, i, "cann"));
		axis_add(&cann->plugins, *table_cell(&table, i, "plugin"));
	}
	table_clear(&table);
	return code;
}

static int write_text(struct cann *cann, const char *dir, struct buf *report, struct err *err)
{
	struct changes changes = { 0 };
	struct fact_rows units = { .name = str_from(units_file),
		.columns = fact_table_columns(units_file),
		.width = 6,
		.keys = 4,
		.arena = &cann->arena };
	int code;

	verdict_grid_write(&cann->ops, &units);
	fact_rows_write(&units, &cann->versions, changes_add_any(&changes, dir, units_file, &cann->arena));
	write_calls(cann, changes_add_any(&changes, dir, calls_file, &cann->arena));
	write_codes(cann, changes_add_any(&changes, dir, aclnn_file, &cann->arena));
	if (cann->casts.count)
		fact_rows_write(
			&cann->casts, &cann->versions, changes_add_any(&changes, dir, casts_file, &cann->arena));
	code = changes_write(&changes, dir, err);
	if (!code)
		changes_report(&changes, report);
	changes_clear(&changes);
	fact_rows_clear(&units);
	return code;
}

static void cann_clear(struct cann *cann)
{
	axis_clear(&cann->versions);
	axis_clear(&cann->plugins);
	fact_rows_clear(&cann->casts);
	verdict_grid_clear(&cann->ops);
	verdict_grid_clear(&cann->aclnn);
	verdict_grid_clear(&cann->taken);
	free(cann->calls.items);
	free(cann->codes.items);
	map_clear(&cann->calls_of);
	map_clear(&cann->code_of);
	arena_clear(&cann->arena);
}

int import_cann(const struct import_options *options, const char *path, struct buf *report, struct err *err)
{
	struct cann cann = { .arena = ARENA_INIT(ARENA_UNLIMITED) };
	int code = read_versions(&cann, options->opdb_dir, err);

	cann.casts = (struct fact_rows){ .name = str_from(casts_file),
		.columns = fact_table_columns(casts_file),
		.width = 8,
		.keys = 5,
		.arena = &cann.arena };
	if (!code &&
		given_is_there(&casts_table, path)) /* tables made before there was one leave the casts as they are */
		code = given_read(&casts_table, path, &cann.arena, &cann, err);
	for (size_t i = 0; i < ARRAY_SIZE(tables) && !code; i++)
		code = given_read(&tables[i], path, &cann.arena, &cann, err);
	if (!code) {
		choose_editions(&cann);
		follow_calls(&cann);
		refuse_beyond(&cann);
		code = write_text(&cann, options->opdb_dir, report, err);
	}
	cann_clear(&cann);
	return code;
}
