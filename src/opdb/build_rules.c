#include "opdb/build.h"

#include <sqlite3.h>

#include "base/mem.h"

/* Stores which sources a rule was read in; their order is kept. */
static int add_rule_sources(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str names = build_cell(build, tsv, "sources"), name;
	sqlite3_stmt *rule = build->insert;
	int code = 0;

	if (sqlite3_prepare_v2(
		    build->db, "INSERT INTO rule_source VALUES (:id, :place, :source)", -1, &build->insert, NULL))
		code = tsv_error(tsv, err, "%s", sqlite3_errmsg(build->db));
	for (unsigned place = 0; !code && str_cut(&names, ' ', &name); place++) {
		build_bind(build, ":id", (int64_t)build->rules.count);
		build_bind(build, ":place", place);
		code = build_bind_source(build, tsv, name, ":source", err);
		if (!code)
			code = build_insert(build, tsv, err);
	}
	sqlite3_finalize(build->insert);
	build->insert = rule;
	return code;
}

/* A name that a composite may switch to by itself has to be one that the resolver can look up. */
static int check_equivalents(const struct build *build, const struct tsv *tsv, const char *column, struct err *err)
{
	struct str names = build_cell(build, tsv, column);

	if (str_has(names, STR("*")) && !str_eq(build_cell(build, tsv, "mode"), STR("manual")))
		return tsv_error(tsv, err, "only a manual rule may name \"%.*s\" with a star", STR_ARG(names));
	return 0;
}

static int add_rule(struct build *build, const struct tsv *tsv, struct err *err)
{
	int code = check_equivalents(build, tsv, "npu", err);

	if (!code)
		code = check_equivalents(build, tsv, "musa", err);
	if (code)
		return code;
	if (!axis_add(&build->rules, tsv->cells[0]))
		return tsv_error(tsv, err, "rule \"%.*s\" is there already", STR_ARG(tsv->cells[0]));
	build_bind(build, ":id", (int64_t)build->rules.count);
	code = build_insert(build, tsv, err);
	return code ? code : add_rule_sources(build, tsv, err);
}

static int add_rule_name(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str rule = build_cell(build, tsv, "rule");
	unsigned place;

	if (!axis_find(&build->rules, rule, &place))
		return tsv_error(tsv, err, "unknown rule \"%.*s\"", STR_ARG(rule));
	build_bind(build, ":rule", (int64_t)place + 1);
	return build_insert(build, tsv, err);
}

/* A row whose only computed value is its source. */
static int add_sourced(struct build *build, const struct tsv *tsv, struct err *err)
{
	int code = build_bind_source(build, tsv, build_cell(build, tsv, "source"), ":source", err);

	return code ? code : build_insert(build, tsv, err);
}

static int add_package_kernel(struct build *build, const struct tsv *tsv, struct err *err)
{
	build_bind_base(build, build_cell(build, tsv, "op"));
	return add_sourced(build, tsv, err);
}

static bool are_needs(struct str words)
{
	static const struct str known[] = { STR("backward"), STR("optimizer"), STR("fp16") };
	struct str word = { 0 };
	size_t i = 0;

	while (i < ARRAY_SIZE(known) && words.len && str_cut(&words, ' ', &word)) {
		for (i = 0; i < ARRAY_SIZE(known) && !str_eq(known[i], word); i++)
			;
	}
	return i < ARRAY_SIZE(known);
}

static int add_implied(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str torch = build_cell(build, tsv, "torch"), needs = build_cell(build, tsv, "needs");
	unsigned place;

	if (!are_needs(needs))
		return tsv_error(tsv, err, "\"%.*s\" is no list of backward, optimizer and fp16", STR_ARG(needs));
	if (!torch.len)
		sqlite3_bind_null(build->insert, sqlite3_bind_parameter_index(build->insert, ":torch"));
	else if (axis_find(&build->torch.axis, torch, &place))
		build_bind(build, ":torch", place);
	else
		return tsv_error(tsv, err, "unknown version \"%.*s\"", STR_ARG(torch));
	return add_sourced(build, tsv, err);
}

const struct fact_table rule_tables[] = {
	{
		.file = "rules/backend_rules.tsv",
		.columns = "rule specific_to mode npu musa reached_from reason sources",
		.insert = "INSERT INTO rule VALUES (:id, :rule, :specific_to, :mode, :npu, :musa, :reached_from, "
			  ":reason)",
		.row = add_rule,
	},
	{
		.file = "rules/backend_names.tsv",
		.columns = "base rule",
		.insert = "INSERT INTO rule_name VALUES (:base, :rule)",
		.row = add_rule_name,
	},
	{
		.file = "rules/bodies.tsv",
		.columns = "base body reason source",
		.insert = "INSERT INTO body VALUES (:base, :body, :reason, :source)",
		.row = add_sourced,
	},
	{
		.file = "namespaces.tsv",
		.columns = "ns kind npu musa remark source",
		.insert = "INSERT INTO namespace VALUES (:ns, :kind, :npu, :musa, :remark, :source)",
		.row = add_sourced,
	},
	{
		.file = "packages.tsv",
		.columns = "target ns op key package path source package_refs",
		.insert = "INSERT INTO package_kernel VALUES (:target, :ns, :base, :op, :key, :package, :path, "
			  ":package_refs, :source)",
		.row = add_package_kernel,
	},
	{
		.file = "rules/implied.tsv",
		.columns = "rule seen needs target torch calls source",
		.insert = "INSERT INTO implied (name, seen, needs, target, torch, calls, source)"
			  " VALUES (:rule, :seen, :needs, :target, :torch, :calls, :source)",
		.row = add_implied,
	},
	{ .file = NULL },
};
