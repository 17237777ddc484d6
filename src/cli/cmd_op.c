#include "base/mem.h"
#include "base/date.h"
#include "check/correction.h"
#include "check/lookup.h"
#include "check/targets.h"
#include "cli/command.h"
#include "report/doc_build.h"
#include "report/render.h"

struct op_options {
	struct common_options common;
	bool all, recipes, issue;
	struct correction correction; /* --observed */
	char today[DATE_BYTES];
};

/* clang-format off */
static const struct option op_table[] = {
	{ 't', "target", "TARGET", "release to ask about, repeatable (npu and musa)", LIST(common_options, targets) },
	OPTION_TORCH,
	{ 0, "all", NULL, "every overload of the release's PyTorch", FIELD(op_options, all) },
	{ 0, "recipes", NULL, "every recipe: what to write instead, with code", FIELD(op_options, recipes) },
	{ 0, "issue-draft", NULL, "a draft for an issue at the vendor, as Markdown", FIELD(op_options, issue) },
	{ 0, "observed", "STATUS", "print an overlay that says so (csv: a report)",
		FIELD(op_options, correction.observed) },
	{ 0, "dtype", "TYPES", "--observed: with these data types (bf16)", FIELD(op_options, correction.dtypes) },
	{ 0, "reason", "TEXT", "--observed: what happened", FIELD(op_options, correction.reason) },
	{ 0, "evidence", "URL", "--observed: where others can read it", FIELD(op_options, correction.evidence) },
	OPTIONS_OUTPUT("text (default), json, csv, md"),
	OPTION_LANG,
	OPTION_DB,
	OPTION_OVERLAY,
	{ 0 },
};
/* clang-format on */

/* What one run works with. */
struct query {
	const struct op_options *options;
	struct target_list targets;
	struct lookup lookup; /* of one operator */
	enum lang lang;
	enum doc_format document; /* where the format is one of documents */
	struct buf *out;
	struct err *err;
};

/* --- CSV rows, also of --all */

static void put_csv_head(struct query *query)
{
	buf_add(query->out, STR("target,release,op,status,via,flags\r\n"));
}

/* target is "npu", release the branch or tag: the two columns together are the id. */
static void put_csv_row(struct query *query, const struct target *target, const struct overload_answer *row)
{
	struct str id = str_from(target->id), kind;

	str_cut(&id, '@', &kind);
	csv_put_text(query->out, kind);
	buf_byte(query->out, ',');
	csv_put_text(query->out, id);
	buf_byte(query->out, ',');
	csv_put_text(query->out, row->name);
	buf_byte(query->out, ',');
	buf_add(query->out, op_status_name(row->status));
	buf_byte(query->out, ',');
	csv_put_text(query->out, row->via);
	buf_byte(query->out, ',');
	for (unsigned i = 0, written = 0; i < OP_FLAG_COUNT; i++) {
		if (row->flags & (1u << i))
			buf_printf(query->out, "%s%.*s", written++ ? " " : "", STR_ARG(op_flag_name(i)));
	}
	buf_add(query->out, STR("\r\n"));
}

struct all_rows {
	struct query *query;
	const struct target *target;
	struct jsonw *json;
};

static int put_overload(void *ctx, const struct overload_answer *overload)
{
	struct all_rows *rows = ctx;

	if (!rows->json) {
		put_csv_row(rows->query, rows->target, overload);
		return 0;
	}
	jsonw_object(rows->json);
	jsonw_key_str(rows->json, "target", str_from(rows->target->id));
	jsonw_key_str(rows->json, "name", overload->name);
	jsonw_key_str(rows->json, "status", op_status_name(overload->status));
	jsonw_key_str(rows->json, "via", overload->via);
	jsonw_object_end(rows->json);
	return 0;
}

static int put_all(struct query *query, bool as_json)
{
	struct jsonw json = jsonw_start(query->out, 2);
	struct resolver *resolver = resolver_new(query->options->common.opdb);
	int status = 0;

	if (as_json) {
		jsonw_object(&json);
		jsonw_key(&json, "overloads");
		jsonw_list(&json);
	} else {
		put_csv_head(query);
	}
	for (size_t i = 0; i < query->targets.count && !status; i++) {
		struct all_rows rows = { query, &query->targets.items[i], as_json ? &json : NULL };

		status = resolve_all(resolver, rows.target, put_overload, &rows, query->err);
	}
	if (as_json) {
		jsonw_list_end(&json);
		jsonw_object_end(&json);
	}
	resolver_free(resolver);
	return status;
}

/* --- one operator */

static struct doc new_document(const struct query *query)
{
	return doc_new(query->document, &(struct render_options){ .lang = query->lang });
}

static void put_text(struct query *query, const struct lookup *lookup)
{
	struct doc doc = new_document(query);

	lookup_build(&doc, lookup);
	doc_put(&doc, query->out);
}

static int put_recipes(struct query *query, bool as_json)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct jsonw json = jsonw_start(query->out, 2);
	struct recipe_list list = { 0 };
	int status = recipe_list_all(&list, query->options->common.opdb, &arena, query->err);

	if (!status && as_json) {
		jsonw_object(&json);
		recipe_list_put_json(&list, &json);
		jsonw_object_end(&json);
	} else if (!status) {
		struct doc doc = new_document(query);

		recipe_list_build(&doc, &list);
		doc_put(&doc, query->out);
	}
	recipe_list_clear(&list);
	arena_clear(&arena);
	return status;
}

static void put_csv(struct query *query, const struct lookup *lookup)
{
	struct buf full = BUF_UNLIMITED;

	buf_printf(
		&full, "%.*s%s%.*s", STR_ARG(lookup->name), lookup->overload.len ? "." : "", STR_ARG(lookup->overload));
	put_csv_head(query);
	for (size_t i = 0; i < lookup->count; i++) {
		const struct lookup_answer *answer = &lookup->answers[i];

		put_csv_row(query, answer->target,
			&(struct overload_answer){ .name = buf_str(&full),
				.status = answer->judgement.status,
				.via = answer->verdict.via,
				.flags = answer->judgement.flags });
	}
	buf_clear(&full);
}

static int put_one(struct query *query, struct str format)
{
	if (query->options->correction.observed.len)
		return correction_put(&query->lookup, &query->options->correction, str_eq(format, STR("csv")),
			query->out, query->err);
	if (query->options->issue)
		return lookup_put_issue(&query->lookup, query->lang, query->out, query->err);
	if (str_eq(format, STR("json")))
		lookup_put_json(&query->lookup, query->out);
	else if (str_eq(format, STR("csv")))
		put_csv(query, &query->lookup);
	else
		put_text(query, &query->lookup);
	return 0;
}

/* --- the command */

static int put_op_answer(
	const void *answer, struct str format, const struct render_options *render, struct buf *out, struct err *err)
{
	struct query query = *(const struct query *)answer;
	bool as_json = str_eq(format, STR("json"));

	query.lang = render->lang;
	query.document = doc_format_of_name(format);
	query.out = out;
	query.err = err;
	return query.options->all       ? put_all(&query, as_json)
	       : query.options->recipes ? put_recipes(&query, as_json)
					: put_one(&query, format);
}

static int settle_op(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct op_options *options = ctx;
	const struct correction *given = &options->correction;
	size_t names = !options->all && !options->recipes;

	if (given->observed.len && !options->common.targets.count) {
		err_set(err, ERR_ARGUMENT, "--observed needs the release it was observed on");
		return err_hint(err, "for example --target npu@2.7.1:910B");
	}
	if (!given->observed.len && (given->dtypes.len || given->reason.len || given->evidence.len))
		return err_set(err, ERR_ARGUMENT, "--dtype, --reason and --evidence belong to --observed");
	return command_operands(arguments, names, names, "the operator", err);
}

static void init_op(void *ctx)
{
	struct op_options *options = ctx;

	date_today(options->today);
	options->correction.date = str_from(options->today);
}

static int run_op(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct op_options *options = ctx;
	const struct common_options *common = &options->common;
	struct query query = { .options = options };
	struct target_question question = { common->targets.items, common->targets.count, common->torch };
	int status = targets_choose(common->opdb, &question, &query.targets, err);

	if (!status && arguments->count)
		status = lookup_run(common->opdb, str_from(arguments->items[0]), &query.targets, &query.lookup, err);
	if (!status)
		status = common_write(common, put_op_answer, &query, err);
	lookup_clear(&query.lookup);
	target_list_clear(&query.targets);
	return status;
}

const struct command cmd_op = {
	.name = "op",
	.summary = "explain one operator, or list all of a release",
	.usage = "NAME [OPTION]... | --all [OPTION]... | --recipes [OPTION]...",
	.examples = "  opcheck op aten::isin -t npu@2.7.1\n"
		    "  opcheck op --all -t musa -f csv > operators.csv",
	.options = op_table,
	.options_size = sizeof(struct op_options),
	.formats = "text json csv md",
	.max_operands = 1,
	.database = true,
	.init = init_op,
	.settle = settle_op,
	.run = run_op,
};
