#include "opdb/build.h"

#include "opdb/fact.h"

static int add_version(struct build *build, const struct tsv *tsv, struct err *err)
{
	int code = timeline_add(
		&build->torch, tsv, tsv->cells[0], build_cell(build, tsv, "overloads"), STR("0"), 0, err);

	if (code)
		return code;
	build_bind(build, ":place", (int64_t)build->torch.count - 1);
	code = build_bind_source(build, tsv, build_cell(build, tsv, "source"), ":source", err);
	return code ? code : build_insert(build, tsv, err);
}

static int add_operator(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str has = build_cell(build, tsv, "has");
	unsigned bits;

	if (!has_from(has, &bits))
		return tsv_error(tsv, err,
			"\"%.*s\" is no list of cpu, cuda, implicit, explicit, nonfunctional, structured and view",
			STR_ARG(has));
	build_bind_base(build, build_cell(build, tsv, "op"));
	return build_insert_spans(build, tsv, &build->torch, 0, err);
}

static int check_operators(struct build *build, struct err *err)
{
	return timeline_check(&build->torch, STR("torch/versions.tsv"), err);
}

static int add_signature(struct build *build, const struct tsv *tsv, struct err *err)
{
	if (!str_starts(tsv->cells[1], STR("(")))
		return tsv_error(tsv, err, "a signature begins with \"(\"");
	build_bind_base(build, build_cell(build, tsv, "op"));
	return build_insert_spans(build, tsv, &build->torch, 0, err);
}

static int add_gradient(struct build *build, const struct tsv *tsv, struct err *err)
{
	build_bind_base(build, build_cell(build, tsv, "forward"));
	return build_insert_spans(build, tsv, &build->torch, 0, err);
}

const struct fact_table torch_tables[] = {
	{
		.file = "torch/versions.tsv",
		.columns = "version wheel overloads source",
		.insert = "INSERT INTO torch VALUES (:place, :version, :wheel, :source)",
		.row = add_version,
	},
	{
		.file = "torch/universe.tsv",
		.columns = "op kind has structured_delegate autogen_of variants tags keys torch",
		.insert = "INSERT INTO universe VALUES (:base, :op, :first, :last, :kind, :has, :structured_delegate, "
			  ":autogen_of,"
			  " :variants, :tags, :keys)",
		.keys = 1,
		.row = add_operator,
		.end = check_operators,
	},
	{
		.file = "torch/schemas.tsv",
		.columns = "op signature torch",
		.insert = "INSERT INTO signature VALUES (:base, :op, :first, :last, :signature)",
		.keys = 1,
		.row = add_signature,
	},
	{
		.file = "torch/gradients.tsv",
		.columns = "node forward calls torch",
		.insert = "INSERT INTO gradient VALUES (:base, :node, :forward, :first, :last, :calls)",
		.keys = 2,
		.row = add_gradient,
	},
	{ .file = NULL },
};
