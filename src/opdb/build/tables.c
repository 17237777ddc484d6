#include "opdb/build/table.h"

#include <string.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "opdb/build/cells.h"
#include "opdb/build/recipes.h"

static int remember_fallback(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct fallback fallback = { tsv->cells[0], tsv->cells[1], tsv->cells[2], tsv->cells[3] };

	for (size_t i = 0; i < build->fallbacks.count; i++) {
		if (str_eq(build->fallbacks.items[i].name, fallback.name))
			return tsv_error(tsv, err, "fallback \"%.*s\" is there already", STR_ARG(fallback.name));
	}
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
		code = build_bind_source(build, tsv, ":source", name, err);
		if (!code)
			code = build_insert(build, tsv, err);
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
			return tsv_error(tsv, err, "\"%.*s\" is no operator with its share", STR_ARG(name));
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

/* Columns of releases and of support that are bound the same way on both targets. */
#define RELEASE_CELLS                                                                                                  \
	{                                                                                                              \
		{ "date", cell_built }, { "torch", cell_torch }, { "fallback", cell_fallback },                        \
			{ "list", cell_source },                                                                       \
	}
#define OP_AND_SOURCE                                                                                                  \
	{                                                                                                              \
		{ "op", cell_op },                                                                                     \
		{                                                                                                      \
			"source", cell_source                                                                          \
		}                                                                                                      \
	}

/* What kernels take: read from them, and by hand where a program cannot read it. */
#define KERNEL_LIMITS(name)                                                                                            \
	{                                                                                                              \
		.file = (name), .columns = "op argument takes refuses other host path source releases",                \
		.insert = "INSERT INTO kernel_limit VALUES (:base, :op, :argument, :takes, :refuses, :other, :host, "  \
			  ":path, :source, :first, :last)",                                                            \
		.keys = 6, .spans = LINE_MUSA, .cells = OP_AND_SOURCE,                                                 \
	}

const struct fact_table fact_tables[] = {
	{
		.file = "sources.tsv",
		.columns = "source target repository ref path kind remark",
		.insert = "INSERT INTO source VALUES (:id, :source, :target, :repository, :ref, :path, :kind, :remark)",
		.names = NAMES_SOURCES,
		.cells = { { "repository", cell_https } },
	},
	{
		.file = "torch/versions.tsv",
		.columns = "version wheel overloads source",
		.insert = "INSERT INTO torch VALUES (:place, :version, :wheel, :source)",
		.lists = LINE_TORCH,
		.cells = { { "source", cell_source } },
	},
	{
		.file = "torch/universe.tsv",
		.columns = "op kind has structured_delegate autogen_of variants tags keys torch",
		.insert = "INSERT INTO universe VALUES (:base, :op, :first, :last, :kind, :has, :structured_delegate,"
			  " :autogen_of, :variants, :tags, :keys)",
		.keys = 1,
		.spans = LINE_TORCH,
		.counted = true,
		.cells = { { "has", cell_has }, { "op", cell_op } },
	},
	{
		.file = "torch/schemas.tsv",
		.columns = "op signature torch",
		.insert = "INSERT INTO signature VALUES (:base, :op, :first, :last, :signature)",
		.keys = 1,
		.spans = LINE_TORCH,
		.cells = { { "signature", cell_signature }, { "op", cell_op } },
	},
	{
		.file = "torch/gradients.tsv",
		.columns = "node forward calls torch",
		.insert = "INSERT INTO gradient VALUES (:base, :node, :forward, :first, :last, :calls)",
		.keys = 2,
		.spans = LINE_TORCH,
		.cells = { { "forward", cell_op } },
	},
	{
		.file = "fallbacks.tsv",
		.columns = "fallback boxed text source",
		.store = remember_fallback,
	},
	{
		.file = "npu/releases.tsv",
		.columns = "release ref torch plugin kind date commit op_plugin op_plugin_branch op_plugin_yaml "
			   "codegen key"
			   " custom_ns fallback list rows dense_rows",
		.insert = "INSERT INTO release VALUES ('npu', :place, :release, :ref, :torch, :plugin, :kind, :date, "
			  ":commit,"
			  " :op_plugin, :op_plugin_yaml, :codegen, :key, :boxed, :fallback, :fallback_source, :list)",
		.lists = LINE_NPU,
		.cells = RELEASE_CELLS,
	},
	{
		.file = "npu/versions.tsv",
		.columns = "torch pip cann release remark source",
		.insert = "INSERT INTO package_version (torch, pip, cann, release, known, beta, source)"
			  " VALUES (:torch, :pip, :cann, :release, :known, :beta, :source)",
		.cells = { { "remark", cell_published }, { "source", cell_source } },
	},
	{
		.file = "npu/support.tsv",
		.columns =
			"ns op key origin acl_op op_api symint exposed_py internal_format_opapi status note host_path"
			" acl_launch source releases",
		.insert =
			"INSERT INTO support VALUES (:ns, :base, 'npu', :op, :key, :first, :last, :status, :origin,"
			" :acl_op, :op_api, :acl_launch, :symint, :exposed_py, :internal_format_opapi, :host_path, '',"
			" :note, :source)",
		.keys = 3,
		.spans = LINE_NPU,
		.counted = true,
		.cells = OP_AND_SOURCE,
	},
	{
		.file = "musa/releases.tsv",
		.columns = "release ref torch plugin kind date commit key fallback list rows dense_rows",
		.insert = "INSERT INTO release VALUES ('musa', :place, :release, :ref, :torch, :plugin, :kind, :date, "
			  ":commit,"
			  " '', '', '', :key, :boxed, :fallback, :fallback_source, :list)",
		.lists = LINE_MUSA,
		.cells = RELEASE_CELLS,
	},
	{
		.file = "musa/support.tsv",
		.columns = "ns op key origin status note kernel host_path source releases",
		.insert = "INSERT INTO support VALUES (:ns, :base, 'musa', :op, :key, :first, :last, :status, :origin,"
			  " '', '', '', '', '', '', :host_path, :kernel, :note, :source)",
		.keys = 3,
		.spans = LINE_MUSA,
		.counted = true,
		.cells = OP_AND_SOURCE,
	},
	{
		.file = "rules/backend_rules.tsv",
		.columns = "rule specific_to mode npu musa reached_from reason sources",
		.insert = "INSERT INTO rule VALUES (:id, :rule, :specific_to, :mode, :npu, :musa, :reached_from, "
			  ":reason)",
		.insert_part = "INSERT INTO rule_source VALUES (:id, :place, :source)",
		.names = NAMES_RULES,
		.cells = { { "npu", cell_equivalent }, { "musa", cell_equivalent } },
		.store = store_rule,
	},
	{
		.file = "rules/backend_names.tsv",
		.columns = "base rule",
		.insert = "INSERT INTO rule_name VALUES (:base, :rule)",
		.cells = { { "rule", cell_rule } },
	},
	{
		.file = "rules/bodies.tsv",
		.columns = "base body reason source",
		.insert = "INSERT INTO body VALUES (:base, :body, :reason, :source)",
		.cells = { { "source", cell_source } },
	},
	{
		.file = "rules/operators.tsv",
		.columns = "rule operator reached reason source",
		.insert = "INSERT INTO operator_rule VALUES (:rule, :operator, :reached, :reason, :source)",
		.cells = { { "source", cell_source } },
	},
	{
		.file = "rules/renamed.tsv",
		.columns = "base instead reason source",
		.insert = "INSERT INTO renamed VALUES (:base, :instead, :reason, :source)",
		.cells = { { "source", cell_source } },
	},
	{
		.file = "namespaces.tsv",
		.columns = "ns kind npu musa remark source",
		.insert = "INSERT INTO namespace VALUES (:ns, :kind, :npu, :musa, :remark, :source)",
		.cells = { { "source", cell_source } },
	},
	{
		.file = "packages.tsv",
		.columns = "target ns op key package path source package_refs",
		.insert = "INSERT INTO package_kernel VALUES (:target, :ns, :base, :op, :key, :package, :path, "
			  ":package_refs,"
			  " :source)",
		.cells = OP_AND_SOURCE,
	},
	{
		.file = "rules/implied.tsv",
		.columns = "rule seen needs target torch calls source",
		.insert = "INSERT INTO implied (name, seen, needs, target, torch, calls, source)"
			  " VALUES (:rule, :seen, :needs, :target, :torch, :calls, :source)",
		.cells = { { "needs", cell_needs }, { "torch", cell_torch }, { "source", cell_source } },
	},
	{
		.file = "rules/dtypes.tsv",
		.columns = "rule target chips kernels refused reason source",
		.insert = "INSERT INTO dtype_rule (name, target, chips, kernels, refused, reason, source)"
			  " VALUES (:rule, :target, :chips, :kernels, :refused, :reason, :source)",
		.cells = { { "refused", cell_dtypes }, { "source", cell_source } },
	},
	{
		.file = "npu/kernel_types.tsv",
		.columns = "op says dtypes detail source",
		.insert = "INSERT INTO kernel_types VALUES (:op, :says, :dtypes, :detail, :source)",
		.cells = { { "dtypes", cell_dtypes }, { "source", cell_source } },
	},
	{
		.file = "reported.tsv",
		.columns = "target torch_version plugin_version op observed detail source date chip dtype confidence",
		.insert = "INSERT INTO reported (ns, base, target, op, torch, plugin, observed, detail, source, date, "
			  "chip, dtype, confidence)"
			  " VALUES (:ns, :base, :target, :op, :torch_version, :plugin_version, :observed, :detail,"
			  " :source, :date, :chip, :dtype, :confidence)",
		.cells = { { "op", cell_full_op }, { "date", cell_date }, { "dtype", cell_dtypes } },
	},
	{
		.file = "torch/apis.tsv",
		.columns = "api about calls backward source",
		.insert = "INSERT INTO api_operator VALUES (:base, :api)",
		.insert_part = "INSERT INTO api_call VALUES (:api, :base, :is_backward, :share)",
		.cells = { { "source", cell_source } },
		.store = store_api,
	},
	{
		.file = "torch/leaves.tsv",
		.columns = "op calls source",
		.insert = "INSERT INTO leaf VALUES (:base, :op, :calls, :source)",
		.cells = OP_AND_SOURCE,
	},
	{
		.file = "npu/documents.tsv",
		.columns = "document release ref path source",
		.insert = "INSERT INTO document VALUES (:place, :document, :release, :ref, :path, :source)",
		.lists = LINE_DOCUMENTS,
		.cells = { { "release", cell_release }, { "source", cell_source } },
	},
	{
		.file = "npu/apis.tsv",
		.columns = "api hardware supported dtypes excluded remarks documents",
		.insert = "INSERT INTO api VALUES (:api, :hardware, :first, :last, :supported, :dtypes, :excluded, "
			  ":remarks)",
		.keys = 2,
		.spans = LINE_DOCUMENTS,
		.cells = { { "dtypes", cell_dtypes }, { "excluded", cell_dtypes } },
	},
	{
		.file = "npu/chips.tsv",
		.columns = "kernel impl path condition action source releases",
		.insert = "INSERT INTO chip_branch VALUES (:kernel, :impl, :path, :condition, :first, :last, :action, "
			  ":source)",
		.keys = 4,
		.spans = LINE_NPU,
		.cells = { { "source", cell_source } },
	},
	{
		.file = "npu/autocast.tsv",
		.columns = "op list path source releases",
		.insert = "INSERT INTO autocast VALUES (:base, :op, 'npu', :list, :first, :last, :path, :source)",
		.keys = 2,
		.spans = LINE_NPU,
		.cells = OP_AND_SOURCE,
	},
	{
		.file = "musa/autocast.tsv",
		.columns = "op list path source releases",
		.insert = "INSERT INTO autocast VALUES (:base, :op, 'musa', :list, :first, :last, :path, :source)",
		.keys = 2,
		.spans = LINE_MUSA,
		.cells = OP_AND_SOURCE,
	},
	{
		.file = "npu/cann.tsv",
		.columns = "cann plugin source",
		.insert = "INSERT INTO cann VALUES (:place, :cann, :plugin, :source)",
		.lists = LINE_CANN,
		.cells = { { "source", cell_source } },
	},
	{
		.file = "npu/units.tsv",
		.columns = "op unit dtypes chips kernels note cann",
		.insert =
			"INSERT INTO unit VALUES (:base, :op, :unit, :dtypes, :chips, :kernels, :note, :first, :last)",
		.keys = 4,
		.spans = LINE_CANN,
		.cells = { { "op", cell_op }, { "dtypes", cell_dtype_bits }, { "chips", cell_chip_bits },
			{ "unit", cell_unit } },
	},
	{
		.file = "npu/units_by_hand.tsv",
		.columns = "op unit dtypes chips kernels note cann",
		.insert =
			"INSERT INTO unit VALUES (:base, :op, :unit, :dtypes, :chips, :kernels, :note, :first, :last)",
		.keys = 4,
		.spans = LINE_CANN,
		.cells = { { "op", cell_op }, { "dtypes", cell_dtype_bits }, { "chips", cell_chip_bits },
			{ "unit", cell_unit } },
	},
	{
		.file = "npu/calls.tsv",
		.columns = "op call path plugin source",
		.insert = "INSERT INTO aclnn_call VALUES (:base, :op, :call, :path, :plugin, :source)",
		.cells = OP_AND_SOURCE,
	},
	{
		.file = "npu/casts.tsv",
		.columns = "op kernel argument dtypes becomes path plugin source cann",
		.insert = "INSERT INTO npu_cast VALUES (:op, :kernel, :argument, :dtypes, :becomes, :path, :plugin, "
			  ":source, :first, :last)",
		.keys = 5,
		.spans = LINE_CANN,
		.cells = { { "dtypes", cell_dtype_bits }, { "source", cell_source } },
	},
	{
		.file = "npu/aclnn.tsv",
		.columns = "call path ref source",
		.insert = "INSERT INTO aclnn VALUES (:call, :path, :ref, :source)",
		.cells = { { "source", cell_source } },
	},
	{
		.file = "npu/slow_casts.tsv",
		.columns = "from to chips source cann",
		.insert = "INSERT INTO slow_cast VALUES (:from, :to, :chips, :source, :first, :last)",
		.keys = 3,
		.spans = LINE_CANN,
		.cells = { { "from", cell_dtype_bits }, { "to", cell_dtype_bits }, { "chips", cell_chip_bits },
			{ "source", cell_source } },
	},
	{
		.file = "npu/unit_conditions.tsv",
		.columns = "kernel decided test en zh source",
		.insert = "INSERT INTO unit_condition VALUES (:kernel, :decided, :test, :en, :zh, :source)",
		.cells = { { "source", cell_source } },
	},
	KERNEL_LIMITS("musa/kernel_limits.tsv"),
	KERNEL_LIMITS("musa/limits_by_hand.tsv"),
	{
		.file = "musa/tested_types.tsv",
		.columns = "op types path source releases",
		.insert = "INSERT INTO tested_types VALUES (:op, :types, :path, :source, :first, :last)",
		.keys = 3,
		.spans = LINE_MUSA,
		.cells = { { "types", cell_dtypes }, { "source", cell_source } },
	},
	{
		.file = "npu/collectives.tsv",
		.columns = "collective reduce_op dtypes supported note path source releases",
		.insert = "INSERT INTO collective VALUES ('npu', :collective, :reduce_op, :dtypes, :supported, :note,"
			  " :path, :source, :first, :last)",
		.keys = 5,
		.spans = LINE_NPU,
		.cells = { { "dtypes", cell_dtypes }, { "source", cell_source } },
	},
	{
		.file = "musa/collectives.tsv",
		.columns = "collective reduce_op dtypes supported note path source releases",
		.insert = "INSERT INTO collective VALUES ('musa', :collective, :reduce_op, :dtypes, :supported, :note,"
			  " :path, :source, :first, :last)",
		.keys = 5,
		.spans = LINE_MUSA,
		.cells = { { "dtypes", cell_dtypes }, { "source", cell_source } },
	},
	{
		.file = "rules/collective_names.tsv",
		.columns = "name collective source",
		.insert = "INSERT INTO collective_name VALUES (:ns, :base, :collective, :source)",
		.cells = { { "name", cell_call_name }, { "source", cell_source } },
	},
	{
		.file = "package_sources.tsv",
		.columns = "package installs newest source",
		.insert = "INSERT INTO package_source VALUES (:package, :installs, :newest, :source)",
		.cells = { { "source", cell_source } },
	},
	{
		.file = "package_ops.tsv",
		.columns = "op target package argument since last takes refuses how note skips path",
		.insert = "INSERT INTO package_op (ns, base, op, target, package, argument, since, last, takes,"
			  " refuses, how, note, skips, path) VALUES (:ns, :base, :op, :target, :package, :argument,"
			  " :since, :last, :takes, :refuses, :how, :note, :skips, :path)",
		.cells = { { "op", cell_call_name }, { "takes", cell_dtypes }, { "refuses", cell_dtypes },
			{ "skips", cell_dtypes } },
	},
	{
		.file = RECIPES_FILE,
		.columns = RECIPES_COLUMNS,
		.insert = "INSERT INTO recipe VALUES (:id, :recipe, :operators, :when, :effort, :torch, :static, "
			  ":tolerance,"
			  " :sources, :cost_en, :cost_zh, :en, :zh, :code)",
		.insert_part = "INSERT INTO recipe_span VALUES (:id, :target, :first, :last)",
		.names = NAMES_RECIPES,
		.store = recipe_store,
	},
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
