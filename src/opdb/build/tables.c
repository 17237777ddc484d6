#include "opdb/build/tables.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/value/date.h"
#include "base/value/decimal.h"
#include "opdb/build/recipes.h"
#include "opdb/model/chip.h"
#include "opdb/model/dtype.h"
#include "opdb/model/fact.h"
#include "opdb/model/timing.h"
#include "opdb/model/unit.h"

/* --- rules for cells: each checks the cell of a column and binds the values derived from it. ERR_FACT. */

#define CELL_RULE(name)                                                                                                \
	static int name(struct build *build UNUSED, const struct tsv *tsv UNUSED, const char *column UNUSED,           \
		struct err *err UNUSED)

/* ":torch" of "torch"; the longest name of a column has half as many characters. */
enum { PARAMETER_BYTES = 64 };

/* Any text */
CELL_RULE(cell_any)
{
	return 0;
}

/* "add.out": binds :base */
CELL_RULE(cell_op)
{
	build_bind_text(build, ":base", base_of(build_cell(build, tsv, column)));
	return 0;
}

/* "aten::add.out": binds :ns, :op and :base */
CELL_RULE(cell_full_op)
{
	struct str op = build_cell(build, tsv, column);
	size_t colons = str_find(op, STR("::"));

	if (colons == STR_NONE || !colons || colons + 2 == op.len)
		return tsv_error(tsv, err, "an operator is written with its namespace, such as aten::add");
	build_bind_text(build, ":ns", str_sub(op, 0, colons));
	build_bind_text(build, ":op", str_skip(op, colons + 2));
	build_bind_text(build, ":base", base_of(str_skip(op, colons + 2)));
	return 0;
}

/* "mmcv::nms", or a function of a package's own: binds :ns, :op and :base */
CELL_RULE(cell_call_name)
{
	if (str_has(build_cell(build, tsv, column), STR("::")))
		return cell_full_op(build, tsv, column, err);
	build_bind_text(build, ":ns", STR(""));
	build_bind_text(build, ":base", build_cell(build, tsv, column));
	return 0;
}

/* A word of enum unit */
CELL_RULE(cell_unit)
{
	struct str word = build_cell(build, tsv, column);
	enum unit unit;

	if (unit_from(word, &unit))
		return 0;
	return tsv_error(tsv, err, "\"%.*s\" is not a unit", STR_ARG(word));
}

/* A name of sources.tsv or "": binds its id to the column's own parameter */
CELL_RULE(cell_source)
{
	char parameter[PARAMETER_BYTES];

	snprintf(parameter, sizeof(parameter), ":%s", column);
	return build_bind_source(build, tsv, parameter, build_cell(build, tsv, column), err);
}

/* An address */
CELL_RULE(cell_https)
{
	struct str address = build_cell(build, tsv, column);

	if (!str_starts(address, STR("https://")))
		return tsv_error(tsv, err, "%s \"%.*s\" is not an https address", column, STR_ARG(address));
	return 0;
}

/* "(Tensor self) -> Tensor" */
CELL_RULE(cell_signature)
{
	return str_starts(build_cell(build, tsv, column), STR("("))
		       ? 0
		       : tsv_error(tsv, err, "a signature begins with \"(\"");
}

/* A cell may have these words alone, joined by blanks. */
static int check_list(struct str list, const struct tsv *tsv, const struct words *words, struct err *err)
{
	CLEANUP(buf_clear) struct buf known = BUF_INIT(sizeof(err->text));
	unsigned bits;

	if (words_bits(words, list, &bits))
		return 0;
	words_put(&known, words, UINT_MAX, ", ");
	return tsv_error(tsv, err, "\"%.*s\" is not a list of %s", STR_ARG(list), buf_text(&known));
}

/* Words of enum has_bit */
CELL_RULE(cell_has)
{
	return check_list(build_cell(build, tsv, column), tsv, &has_words, err);
}

/* Words of enum implied_need */
CELL_RULE(cell_needs)
{
	return check_list(build_cell(build, tsv, column), tsv, &need_words, err);
}

/* Data types joined by blanks */
CELL_RULE(cell_dtypes)
{
	struct str words = build_cell(build, tsv, column);
	unsigned types;

	return dtypes_from(words, &types) ? 0
					  : tsv_error(tsv, err, "\"%.*s\" is not a list of data types", STR_ARG(words));
}

/* The same: binds them as bits to the column's own parameter */
CELL_RULE(cell_dtype_bits)
{
	unsigned types = 0;
	int code = cell_dtypes(build, tsv, column, err);

	dtypes_from(build_cell(build, tsv, column), &types);
	return code ? code : build_bind_cell(build, column, types);
}

/* Families of NPUs joined by blanks: the same */
CELL_RULE(cell_chip_bits)
{
	struct str words = build_cell(build, tsv, column), word = { 0 }, usual;
	unsigned chips = 0;

	while (words.len && str_cut(&words, ' ', &word)) {
		const struct chip *chip = chip_find(TARGET_NPU, word, &usual);

		if (!chip)
			return tsv_error(tsv, err, "\"%.*s\" is not a family of NPUs", STR_ARG(word));
		chips |= chip_bit(chip);
	}
	return build_bind_cell(build, column, chips);
}

/* YYYY-MM-DD or "" */
CELL_RULE(cell_date)
{
	struct str date = build_cell(build, tsv, column);

	return !date.len || date_has_shape(date) ? 0 : tsv_error(tsv, err, "\"%.*s\" is not a date", STR_ARG(date));
}

/* The date of a release, of which the newest is kept */
CELL_RULE(cell_built)
{
	struct str date = build_cell(build, tsv, column);

	if (!date_has_shape(date))
		return tsv_error(tsv, err, "\"%.*s\" is not a date", STR_ARG(date));
	if (str_cmp(date, build->newest_date) > 0)
		build->newest_date = date;
	return 0;
}

/* Binds the place of a name, NULL for "". */
static int bind_place(struct build *build, const struct tsv *tsv, const char *column, enum line line, struct err *err)
{
	struct str name = build_cell(build, tsv, column);
	char parameter[PARAMETER_BYTES];
	unsigned place;

	snprintf(parameter, sizeof(parameter), ":%s", column);
	if (!name.len)
		build_bind_null(build, parameter);
	else if (axis_find(&build->lines[line].axis, name, &place))
		build_bind(build, parameter, place);
	else
		return tsv_error(tsv, err,
			line == LINE_TORCH ? "unknown version of PyTorch \"%.*s\"" : "unknown release \"%.*s\"",
			STR_ARG(name));
	return 0;
}

/* A version of PyTorch or "": binds :torch */
CELL_RULE(cell_torch)
{
	return bind_place(build, tsv, column, LINE_TORCH, err);
}

/* A release of npu or "": binds :release */
CELL_RULE(cell_release)
{
	return bind_place(build, tsv, column, LINE_NPU, err);
}

/* A release of the row's target or "": binds :until */
CELL_RULE(cell_until)
{
	bool npu = str_eq(build_cell(build, tsv, "target"), STR("npu"));

	return bind_place(build, tsv, column, npu ? LINE_NPU : LINE_MUSA, err);
}

/* A rule about backends: binds :rule */
CELL_RULE(cell_rule)
{
	struct str rule = build_cell(build, tsv, column);
	unsigned place;

	if (!axis_find(&build->names[NAMES_RULES], rule, &place))
		return tsv_error(tsv, err, "unknown rule \"%.*s\"", STR_ARG(rule));
	build_bind(build, ":rule", (int64_t)place + 1);
	return 0;
}

/* A name of fallbacks.tsv: binds :boxed, :fallback and :fallback_source */
CELL_RULE(cell_fallback)
{
	struct str name = build_cell(build, tsv, column);
	size_t at = STR_POSITION(build->fallbacks.items, build->fallbacks.count, name);
	const struct fallback *fallback;

	if (at == STR_NONE)
		return tsv_error(tsv, err, "unknown fallback \"%.*s\"", STR_ARG(name));
	fallback = &build->fallbacks.items[at];
	build_bind_text(build, ":boxed", fallback->boxed);
	build_bind_text(build, ":fallback", fallback->text);
	return build_bind_source(build, tsv, ":fallback_source", fallback->source, err);
}

/* Remarks on a published version: binds :known and :beta */
CELL_RULE(cell_published)
{
	static const struct str remark_names[] = { STR("beta"), STR("no-facts") };
	static const struct words remark_words = { remark_names, ARRAY_SIZE(remark_names), 0 };
	struct str remarks = build_cell(build, tsv, column), release = build_cell(build, tsv, "release");
	bool known = !str_has(remarks, STR("no-facts"));
	unsigned place;

	if (check_list(remarks, tsv, &remark_words, err))
		return -err->code;
	if (known != axis_find(&build->lines[LINE_NPU].axis, release, &place))
		return tsv_error(
			tsv, err, known ? "unknown release \"%.*s\"" : "release \"%.*s\" has facts", STR_ARG(release));
	build_bind(build, ":known", known);
	build_bind(build, ":beta", str_has(remarks, STR("beta")));
	return 0;
}

/* Names that run instead: no star unless the rule is manual */
CELL_RULE(cell_equivalent)
{
	struct str names = build_cell(build, tsv, column);

	if (str_has(names, STR("*")) && !str_eq(build_cell(build, tsv, "mode"), STR("manual")))
		return tsv_error(tsv, err, "only a manual rule may name \"%.*s\" with a star", STR_ARG(names));
	return 0;
}

/* --- rows that make others */

static int remember_fallback(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct fallback fallback = { tsv->cells[0], tsv->cells[1], tsv->cells[2], tsv->cells[3] };

	if (STR_IS_AMONG(build->fallbacks.items, build->fallbacks.count, fallback.name))
		return tsv_error(tsv, err, "fallback \"%.*s\" exists already", STR_ARG(fallback.name));
	MEM_PUSH(&build->fallbacks, fallback);
	return 0;
}

/* A rule, and the sources in which it was read; their order is kept. */
static int store_rule(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str names = build_cell(build, tsv, "sources"), name = { 0 };
	int code = build_insert(build, tsv, err);

	build_swap(build);
	for (unsigned place = 0; !code && str_cut(&names, ' ', &name); place++) {
		build_bind(build, ":id", (int64_t)build->names[NAMES_RULES].count);
		build_bind(build, ":place", place);
		code = build_bind_source(build, tsv, ":source", name, err) ?: build_insert(build, tsv, err);
	}
	build_swap(build);
	return code;
}

/* "bmm=1 cat=0.75": one row for each operator that an API calls. */
static int store_calls(struct build *build, const struct tsv *tsv, bool backward, struct err *err)
{
	struct str calls = build_cell(build, tsv, backward ? "backward" : "calls"), call = { 0 }, name;
	int code = 0;

	build_bind_text(build, ":api", build_cell(build, tsv, "api"));
	build_bind(build, ":is_backward", backward);
	while (!code && calls.len && str_cut(&calls, ' ', &call)) {
		int64_t share;

		str_cut(&call, '=', &name);
		if (!name.len || !decimal_scaled(call, 100, &share))
			return tsv_error(tsv, err, "\"%.*s\" is not an operator with its share", STR_ARG(name));
		build_bind_text(build, ":base", name);
		build_bind(build, ":share", share);
		code = build_insert(build, tsv, err);
	}
	return code;
}

/* One row for each operator that documents mean when they name the API, and one for each that it calls. */
static int store_api(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str names = build_cell(build, tsv, "about"), name = { 0 };
	int code = 0;

	while (!code && names.len && str_cut(&names, ' ', &name)) {
		build_bind_text(build, ":base", name);
		code = build_insert(build, tsv, err);
	}
	build_swap(build);
	for (unsigned backward = 0; backward < 2 && !code; backward++)
		code = store_calls(build, tsv, backward, err);
	build_swap(build);
	return code;
}

static int store_timing(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct chip_peaks chip;
	struct work_ratio ratio;
	const char *wrong = tsv->count == CHIP_PEAKS_CELLS ? chip_peaks_read(tsv->cells, &chip)
							   : work_ratio_read(tsv->cells, &ratio);

	if (wrong)
		return tsv_error(tsv, err, "the cell of column \"%s\" does not fit", wrong);
	return build_insert(build, tsv, err);
}

/* Rules for a release's own columns, the same for both targets. */
#define RELEASE_CELLS                                                                                                  \
	{                                                                                                              \
		{ "date", cell_built }, { "torch", cell_torch }, { "fallback", cell_fallback },                        \
		{                                                                                                      \
			"list", cell_source                                                                            \
		}                                                                                                      \
	}

const struct cell_rule fact_cells[] = { { "op", cell_op }, { "source", cell_source }, { "dtypes", cell_dtypes },
	{ NULL } };

const struct fact_table fact_tables[] = {
	{ "sources.tsv", "source target repository ref path kind remark",
		"source id name=source target repository ref path kind remark", .names = NAMES_SOURCES,
		.cells = { { "repository", cell_https }, { "source", cell_any } } },
	{ "torch/versions.tsv", "version wheel overloads source", "torch place version wheel source",
		.lists = LINE_TORCH },
	{ "torch/universe.tsv", "op kind has structured_delegate autogen_of variants tags keys torch",
		"universe base op first last kind has structured_delegate autogen_of variants tags keys", .keys = 1,
		.spans = LINE_TORCH, .counted = true, .cells = { { "has", cell_has } } },
	{ "torch/schemas.tsv", "op signature torch", "signature base op first last text=signature", .keys = 1,
		.spans = LINE_TORCH, .cells = { { "signature", cell_signature } } },
	{ "torch/gradients.tsv", "node forward calls torch", "gradient base node forward first last calls", .keys = 2,
		.spans = LINE_TORCH, .cells = { { "forward", cell_op } } },
	{ "fallbacks.tsv", "fallback boxed text source", NULL, .store = remember_fallback,
		.cells = { { "source", cell_any } } },
	{ "npu/releases.tsv",
		"release ref torch plugin kind date commit op_plugin op_plugin_branch op_plugin_yaml codegen key "
		"custom_ns fallback list rows dense_rows",
		"release target='npu' place name=release ref torch plugin kind date commit_id=commit op_plugin "
		"op_plugin_yaml codegen key boxed fallback fallback_source list",
		.lists = LINE_NPU, .cells = RELEASE_CELLS },
	{ "npu/versions.tsv", "torch pip cann release remark source",
		"package_version torch pip cann release known beta source", .cells = { { "remark", cell_published } } },
	{ "npu/support.tsv",
		"ns op key origin acl_op op_api symint exposed_py internal_format_opapi status note host_path "
		"acl_launch source releases",
		"support ns base target='npu' op key first last status origin acl_op op_api acl_launch symint "
		"exposed_py internal_format=internal_format_opapi host_path kernel='' note source",
		.keys = 3, .spans = LINE_NPU, .counted = true },
	{ "musa/releases.tsv", "release ref torch plugin kind date commit key fallback list rows dense_rows",
		"release target='musa' place name=release ref torch plugin kind date commit_id=commit op_plugin='' "
		"op_plugin_yaml='' codegen='' key boxed fallback fallback_source list",
		.lists = LINE_MUSA, .cells = RELEASE_CELLS },
	{ "musa/support.tsv", "ns op key origin status note kernel host_path source releases",
		"support ns base target='musa' op key first last status origin acl_op='' op_api='' acl_launch='' "
		"symint='' exposed_py='' internal_format='' host_path kernel note source",
		.keys = 3, .spans = LINE_MUSA, .counted = true },
	{ "rules/backend_rules.tsv", "rule specific_to mode npu musa reached_from reason sources",
		"rule id name=rule specific_to mode npu musa reached_from reason",
		.part = "rule_source rule=id place source", .names = NAMES_RULES, .store = store_rule,
		.cells = { { "npu", cell_equivalent }, { "musa", cell_equivalent } } },
	{ "rules/backend_names.tsv", "base rule", "rule_name base rule", .cells = { { "rule", cell_rule } } },
	{ "rules/bodies.tsv", "base body reason source", "body base body reason source" },
	{ "rules/operators.tsv", "rule operator reached reason source",
		"operator_rule rule name=operator reached reason source" },
	{ "rules/renamed.tsv", "base instead reason source", "renamed base instead reason source" },
	{ "namespaces.tsv", "ns kind npu musa remark source", "namespace ns kind npu musa remark source" },
	{ "packages.tsv", "target ns op key package path source package_refs",
		"package_kernel target ns base op key package path refs=package_refs source" },
	{ "rules/implied.tsv", "rule seen needs target torch calls source",
		"implied name=rule seen needs target torch calls source",
		.cells = { { "needs", cell_needs }, { "torch", cell_torch } } },
	{ "rules/dtypes.tsv", "rule target chips kernels refused until reason source",
		"dtype_rule name=rule target chips kernels refused until reason source",
		.cells = { { "refused", cell_dtypes }, { "until", cell_until } } },
	{ "npu/kernel_types.tsv", "op says dtypes detail source", "kernel_types base=op says dtypes detail source" },
	{ "reported.tsv",
		"target torch_version plugin_version op observed detail source date chip dtype confidence condition",
		"reported ns base target op torch=torch_version plugin=plugin_version observed detail source date chip "
		"dtype confidence condition",
		.cells = { { "op", cell_full_op }, { "date", cell_date }, { "dtype", cell_dtypes },
			{ "source", cell_any } } },
	{ "torch/apis.tsv", "api about calls backward source", "api_operator base api",
		.part = "api_call api base backward=is_backward share", .store = store_api },
	{ "torch/leaves.tsv", "op calls source", "leaf base op calls source" },
	{ "npu/documents.tsv", "document release ref path source",
		"document place name=document release ref path source", .lists = LINE_DOCUMENTS,
		.cells = { { "release", cell_release } } },
	{ "npu/apis.tsv", "api hardware supported dtypes excluded remarks documents",
		"api api hardware first last supported dtypes excluded remarks", .keys = 2, .spans = LINE_DOCUMENTS,
		.cells = { { "excluded", cell_dtypes } } },
	{ "npu/chips.tsv", "kernel impl path condition action source releases",
		"chip_branch kernel impl path condition first last action source", .keys = 4, .spans = LINE_NPU },
	{ "npu/autocast.tsv", "op list path source releases",
		"autocast base op target='npu' list first last path source", .keys = 2, .spans = LINE_NPU },
	{ "musa/autocast.tsv", "op list path source releases",
		"autocast base op target='musa' list first last path source", .keys = 2, .spans = LINE_MUSA },
	{ "npu/cann.tsv", "cann plugin source", "cann place name=cann plugin source", .lists = LINE_CANN },
	{ "npu/units.tsv", "op unit dtypes chips kernels note cann",
		"unit base op unit dtypes chips kernels note first last", .keys = 4, .spans = LINE_CANN,
		.cells = { { "dtypes", cell_dtype_bits }, { "chips", cell_chip_bits }, { "unit", cell_unit } } },
	{ "npu/units_by_hand.tsv", "op unit dtypes chips kernels note cann",
		"unit base op unit dtypes chips kernels note first last", .keys = 4, .spans = LINE_CANN,
		.cells = { { "dtypes", cell_dtype_bits }, { "chips", cell_chip_bits }, { "unit", cell_unit } } },
	{ "npu/custom_units.tsv", "op unit dtypes chips kernels note cann",
		"unit base op unit dtypes chips kernels note first last", .keys = 4, .spans = LINE_CANN,
		.cells = { { "dtypes", cell_dtype_bits }, { "chips", cell_chip_bits }, { "unit", cell_unit } } },
	{ "npu/arguments.tsv", "op test chips en zh path ref source cann",
		"argument_limit target='npu' base op test chips en zh path ref source spans='cann' first last",
		.keys = 3, .spans = LINE_CANN, .cells = { { "chips", cell_chip_bits } } },
	{ "npu/arguments_by_hand.tsv", "op test chips en zh path ref source cann",
		"argument_limit target='npu' base op test chips en zh path ref source spans='cann' first last",
		.keys = 3, .spans = LINE_CANN, .cells = { { "chips", cell_chip_bits } } },
	{ "npu/custom_arguments.tsv", "op test chips en zh path ref source cann",
		"argument_limit target='npu' base op test chips en zh path ref source spans='cann' first last",
		.keys = 3, .spans = LINE_CANN, .cells = { { "chips", cell_chip_bits } } },
	{ "npu/plugin_arguments.tsv", "op test chips en zh path ref source releases",
		"argument_limit target='npu' base op test chips en zh path ref source spans='release' first last",
		.keys = 3, .spans = LINE_NPU, .cells = { { "chips", cell_chip_bits } } },
	{ "musa/arguments.tsv", "op test en zh path source releases",
		"argument_limit target='musa' base op test chips=0 en zh path ref='' source spans='release' first last",
		.keys = 2, .spans = LINE_MUSA },
	{ "musa/arguments_by_hand.tsv", "op test en zh path source releases",
		"argument_limit target='musa' base op test chips=0 en zh path ref='' source spans='release' first last",
		.keys = 2, .spans = LINE_MUSA },
	{ "npu/calls.tsv", "op call path plugin source", "aclnn_call base op call path plugin source" },
	{ "npu/custom_calls.tsv", "op call path plugin source", "aclnn_call base op call path plugin source" },
	{ "npu/casts.tsv", "op kernel argument dtypes becomes path plugin source cann",
		"npu_cast base=op kernel argument dtypes becomes path plugin source first last", .keys = 5,
		.spans = LINE_CANN, .cells = { { "dtypes", cell_dtype_bits } } },
	{ "npu/aclnn.tsv", "call path ref source", "aclnn call path ref source" },
	{ "npu/slow_casts.tsv", "from to chips source cann", "slow_cast of=from becomes=to chips source first last",
		.keys = 3, .spans = LINE_CANN,
		.cells = { { "from", cell_dtype_bits }, { "to", cell_dtype_bits }, { "chips", cell_chip_bits } } },
	{ "npu/unit_conditions.tsv", "kernel decided test en zh usual_ppm source",
		"unit_condition kernel decided test en zh usual_ppm source" },
	{ "musa/kernel_limits.tsv", "op argument takes refuses other host path source releases",
		"kernel_limit base op argument takes refuses other host path source first last", .keys = 6,
		.spans = LINE_MUSA },
	{ "musa/limits_by_hand.tsv", "op argument takes refuses other host path source releases",
		"kernel_limit base op argument takes refuses other host path source first last", .keys = 6,
		.spans = LINE_MUSA },
	{ "musa/tested_types.tsv", "op types path source releases",
		"tested_types base=op dtypes=types path source first last", .keys = 3, .spans = LINE_MUSA,
		.cells = { { "types", cell_dtypes } } },
	{ "npu/collectives.tsv", "collective reduce_op dtypes supported note path source releases",
		"collective target='npu' name=collective reduce_op dtypes supported note path source first last",
		.keys = 5, .spans = LINE_NPU },
	{ "musa/collectives.tsv", "collective reduce_op dtypes supported note path source releases",
		"collective target='musa' name=collective reduce_op dtypes supported note path source first last",
		.keys = 5, .spans = LINE_MUSA },
	{ "rules/collective_names.tsv", "name collective source", "collective_name ns base collective source",
		.cells = { { "name", cell_call_name } } },
	{ "package_sources.tsv", "package installs newest source", "package_source package installs newest source" },
	{ "package_builds.tsv", "package version source torch", "package_build package version source first last",
		.keys = 2, .spans = LINE_TORCH },
	{ "package_ops.tsv", "op target package argument since last takes refuses how note skips path",
		"package_op ns base op target package argument since last takes refuses how note skips path",
		.cells = { { "op", cell_call_name }, { "takes", cell_dtypes }, { "refuses", cell_dtypes },
			{ "skips", cell_dtypes } } },
	{ "cost/chips.tsv", CHIP_PEAKS_COLUMNS,
		"chip_peak chip target family fp32 tf32 fp16 bf16 int8 bandwidth floor assumed measured source",
		.cells = { { "source", cell_any } }, .store = store_timing },
	{ "cost/ratios.tsv", WORK_RATIO_COLUMNS, "work_ratio class family bin p10 p50 p90 calls workloads",
		.store = store_timing },
	{ RECIPES_FILE, RECIPES_COLUMNS,
		"recipe id name=recipe operators fits=when effort torch fixed=static tolerance sources cost_en cost_zh "
		"advice_en=en advice_zh=zh code",
		.part = "recipe_span recipe=id target first last", .names = NAMES_RECIPES, .store = recipe_store },
};

const size_t fact_table_count = ARRAY_SIZE(fact_tables);

struct str fact_table_columns(const char *file)
{
	for (size_t i = 0; i < fact_table_count; i++) {
		if (strcmp(fact_tables[i].file, file) == 0)
			return str_from(fact_tables[i].columns);
	}
	return STR("");
}
