#include "opdb/build.h"

#include <sqlite3.h>

#include "opdb/dtype.h"

/* "npu::npu_rms_norm" without its namespace, and that in *ret_ns. */
static struct str without_namespace(struct str op, struct str *ret_ns)
{
	size_t colons = str_find(op, STR("::"));

	*ret_ns = colons == STR_NONE ? STR("") : str_sub(op, 0, colons);
	return colons == STR_NONE ? op : str_skip(op, colons + 2);
}

static int add_reported(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str ns, op = without_namespace(build_cell(build, tsv, "op"), &ns);
	struct str date = build_cell(build, tsv, "date");

	if (!ns.len || !op.len)
		return tsv_error(tsv, err, "an operator is written with its namespace, such as aten::add");
	if (date.len && !tsv_is_date(date))
		return tsv_error(tsv, err, "\"%.*s\" is no date", STR_ARG(date));
	build_bind_text(build, ":ns", ns);
	build_bind_text(build, ":op", op);
	build_bind_base(build, op);
	return build_insert(build, tsv, err);
}

/* One row for each operator that documents mean when they name the API. */
static int add_api_operator(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str names = build_cell(build, tsv, "about"), name = { 0 };
	int code = build_bind_source(build, tsv, build_cell(build, tsv, "source"), ":source", err);

	while (!code && names.len && str_cut(&names, ' ', &name)) {
		build_bind_text(build, ":base", name);
		code = build_insert(build, tsv, err);
	}
	return code;
}

static int add_leaf(struct build *build, const struct tsv *tsv, struct err *err)
{
	int code = build_bind_source(build, tsv, build_cell(build, tsv, "source"), ":source", err);

	build_bind_base(build, build_cell(build, tsv, "op"));
	return code ? code : build_insert(build, tsv, err);
}

static int add_document(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str release = build_cell(build, tsv, "release");
	int parameter = sqlite3_bind_parameter_index(build->insert, ":release");
	unsigned place;
	int code = timeline_add(&build->documents, tsv, tsv->cells[0], STR("0"), STR("0"), 0, err);

	if (code)
		return code;
	if (!release.len)
		sqlite3_bind_null(build->insert, parameter);
	else if (axis_find(&build->releases[TARGET_NPU].axis, release, &place))
		build_bind(build, ":release", place);
	else
		return tsv_error(tsv, err, "unknown release \"%.*s\"", STR_ARG(release));
	build_bind(build, ":place", (int64_t)build->documents.count - 1);
	code = build_bind_source(build, tsv, build_cell(build, tsv, "source"), ":source", err);
	return code ? code : build_insert(build, tsv, err);
}

/* Words of a cell have to be data types. */
static int check_types(const struct build *build, const struct tsv *tsv, const char *column, struct err *err)
{
	struct str words = build_cell(build, tsv, column);
	unsigned types;

	if (!dtypes_from(words, &types))
		return tsv_error(tsv, err, "\"%.*s\" is no list of data types", STR_ARG(words));
	return 0;
}

static int add_api(struct build *build, const struct tsv *tsv, struct err *err)
{
	int code = check_types(build, tsv, "dtypes", err);

	if (!code)
		code = check_types(build, tsv, "excluded", err);
	return code ? code : build_insert_spans(build, tsv, &build->documents, 0, err);
}

/* Stores a row for its spans of releases without counting it as one of their registrations. */
static int insert_aside(struct build *build, const struct tsv *tsv, enum target_kind target, struct err *err)
{
	const struct axis *releases = &build->releases[target].axis;
	struct timeline *aside = &build->aside[target];
	int code = 0;

	for (size_t i = aside->count; !code && i < releases->count; i++)
		code = timeline_add(aside, tsv, releases->items[i], STR("0"), STR("0"), 0, err);
	return code ? code : build_insert_spans(build, tsv, aside, 0, err);
}

static int add_chip_branch(struct build *build, const struct tsv *tsv, struct err *err)
{
	int code = build_bind_source(build, tsv, build_cell(build, tsv, "source"), ":source", err);

	return code ? code : insert_aside(build, tsv, TARGET_NPU, err);
}

static int add_autocast(struct build *build, const struct tsv *tsv, enum target_kind target, struct err *err)
{
	int code = build_bind_source(build, tsv, build_cell(build, tsv, "source"), ":source", err);

	if (code)
		return code;
	build_bind_base(build, build_cell(build, tsv, "op"));
	return insert_aside(build, tsv, target, err);
}

static int add_npu_autocast(struct build *build, const struct tsv *tsv, struct err *err)
{
	return add_autocast(build, tsv, TARGET_NPU, err);
}

static int add_musa_autocast(struct build *build, const struct tsv *tsv, struct err *err)
{
	return add_autocast(build, tsv, TARGET_MUSA, err);
}

static int add_dtype_rule(struct build *build, const struct tsv *tsv, struct err *err)
{
	int code = check_types(build, tsv, "refused", err);

	if (!code)
		code = build_bind_source(build, tsv, build_cell(build, tsv, "source"), ":source", err);
	return code ? code : build_insert(build, tsv, err);
}

static int add_kernel_types(struct build *build, const struct tsv *tsv, struct err *err)
{
	int code = check_types(build, tsv, "dtypes", err);

	if (!code)
		code = build_bind_source(build, tsv, build_cell(build, tsv, "source"), ":source", err);
	return code ? code : build_insert(build, tsv, err);
}

const struct fact_table limit_tables[] = {
	{
		.file = "rules/dtypes.tsv",
		.columns = "rule target chips kernels refused reason source",
		.insert = "INSERT INTO dtype_rule (name, target, chips, kernels, refused, reason, source)"
			  " VALUES (:rule, :target, :chips, :kernels, :refused, :reason, :source)",
		.row = add_dtype_rule,
	},
	{
		.file = "npu/kernel_types.tsv",
		.columns = "op says dtypes detail source",
		.insert = "INSERT INTO kernel_types VALUES (:op, :says, :dtypes, :detail, :source)",
		.row = add_kernel_types,
	},
	{
		.file = "reported.tsv",
		.columns = "target torch_version plugin_version op observed detail source date",
		.insert = "INSERT INTO reported (ns, base, target, op, torch, plugin, observed, detail, source, date)"
			  " VALUES (:ns, :base, :target, :op, :torch_version, :plugin_version, :observed, :detail, "
			  ":source, :date)",
		.row = add_reported,
	},
	{
		.file = "torch/apis.tsv",
		.columns = "api about calls source",
		.insert = "INSERT INTO api_operator VALUES (:base, :api)",
		.row = add_api_operator,
	},
	{
		.file = "torch/leaves.tsv",
		.columns = "op calls source",
		.insert = "INSERT INTO leaf VALUES (:base, :op, :calls, :source)",
		.row = add_leaf,
	},
	{
		.file = "npu/documents.tsv",
		.columns = "document release ref path source",
		.insert = "INSERT INTO document VALUES (:place, :document, :release, :ref, :path, :source)",
		.row = add_document,
	},
	{
		.file = "npu/apis.tsv",
		.columns = "api hardware supported dtypes excluded remarks documents",
		.insert = "INSERT INTO api VALUES (:api, :hardware, :first, :last, :supported, :dtypes, :excluded, "
			  ":remarks)",
		.keys = 2,
		.row = add_api,
	},
	{
		.file = "npu/chips.tsv",
		.columns = "kernel impl path condition action source releases",
		.insert = "INSERT INTO chip_branch VALUES (:kernel, :impl, :path, :condition, :first, :last, :action, "
			  ":source)",
		.keys = 4,
		.row = add_chip_branch,
	},
	{
		.file = "npu/autocast.tsv",
		.columns = "op list path source releases",
		.insert = "INSERT INTO autocast VALUES (:base, :op, 'npu', :list, :first, :last, :path, :source)",
		.keys = 2,
		.row = add_npu_autocast,
	},
	{
		.file = "musa/autocast.tsv",
		.columns = "op list path source releases",
		.insert = "INSERT INTO autocast VALUES (:base, :op, 'musa', :list, :first, :last, :path, :source)",
		.keys = 2,
		.row = add_musa_autocast,
	},
	{ .file = NULL },
};
