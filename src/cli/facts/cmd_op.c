#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/date.h"
#include "base/value/utf8.h"
#include "check/asked/targets.h"
#include "check/issue.h"
#include "check/lookup/correction.h"
#include "check/lookup/lookup.h"
#include "check/lookup/lookup_doc.h"
#include "check/lookup/lookup_facts.h"
#include "cli/shared/command.h"
#include "record/kinds.h"
#include "report/doc/html_page.h"
#include "report/doc/sheet.h"

struct op_options {
	struct common_options common;
	bool all, recipes, issue;
	struct correction correction; /* --observed */
	char today[DATE_BYTES];
};

static const struct option op_table[] = {
	{ 't', "target", "TARGET", "release to show, repeatable (npu and musa)", LIST(common_options, targets) },
	OPTION_TORCH,
	{ 0, "all", NULL, "every overload of the release's PyTorch", FIELD(op_options, all) },
	{ 0, "recipes", NULL, "every recipe: what to write instead, with code", FIELD(op_options, recipes) },
	{ 0, "issue-draft", NULL, "a draft for an issue at the vendor, as Markdown", FIELD(op_options, issue) },
	{ 0, "observed", "STATUS", "print an overlay with this status (csv: a report)",
		FIELD(op_options, correction.observed) },
	{ 0, "dtype", "TYPES", "--observed: with these data types (bf16)", FIELD(op_options, correction.dtypes) },
	{ 0, "reason", "TEXT", "--observed: the behaviour seen", FIELD(op_options, correction.reason) },
	{ 0, "evidence", "URL", "--observed: public link to the evidence", FIELD(op_options, correction.evidence) },
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_LANG,
	OPTIONS_DB,
	OPTION_OVERLAY,
	{ 0 },
};

/* State of one run. */
struct query {
	const struct op_options *options;
	struct target_list targets;
	struct lookup lookup; /* of one operator */
	enum lang lang;
	struct str format;
	struct buf *out;
	struct err *err;
};

/* --- rows, also of --all */

/* target is "npu", release the branch or tag: the two columns together are the id. */
struct operator_row {
	struct str target, release, name, via;
	enum op_status status;
	unsigned flags;
};

static const struct field row_fields[] = {
	{ "target", &kind_text, AT(operator_row, target) },
	{ "release", &kind_text, AT(operator_row, release) },
	{ "op", &kind_text, AT(operator_row, name) },
	{ "status", &kind_enum, AT(operator_row, status), .words = &op_status_words },
	{ "via", &kind_text, AT(operator_row, via) },
	{ "flags", &kind_flags, AT(operator_row, flags), .words = &flag_words },
	{ 0 },
};
static const struct record row_record = { sizeof(struct operator_row), row_fields };

static void begin_rows(struct query *query, struct sheet *sheet)
{
	static const struct sheet_shape shape = { "page.operators", &row_record };
	struct str format = sheet_is_format(query->format) ? query->format : STR("csv");

	sheet_begin(sheet, &shape, format, &(struct render_options){ .lang = query->lang }, query->out);
}

static void put_op_row(struct sheet *sheet, const struct target *target, const struct overload_answer *row)
{
	struct str id = str_from(target->id), kind;

	str_cut(&id, '@', &kind);
	sheet_row(sheet, &(struct operator_row){ kind, id, row->name, row->via, row->status, row->flags });
}

struct all_rows {
	const struct target *target;
	struct sheet *sheet;
	struct jsonw *json; /* NULL: the sheet */
};

static int put_overload(void *ctx, const struct overload_answer *overload)
{
	struct all_rows *rows = ctx;

	if (!rows->json) {
		put_op_row(rows->sheet, rows->target, overload);
		return 0;
	}
	jsonw_fill(rows->json, "{'target': $, 'name': $, 'status': $, 'via': $}", str_from(rows->target->id),
		overload->name, op_status_name(overload->status), overload->via);
	return 0;
}

static int put_all(struct query *query, bool as_json)
{
	struct jsonw json = jsonw_start(query->out, 2);
	struct resolver *resolver = resolver_new(query->options->common.opdb);
	struct sheet sheet;
	int status = 0;

	if (as_json)
		jsonw_fill(&json, "{'overloads': [");
	else
		begin_rows(query, &sheet);
	for (size_t i = 0; i < query->targets.count && !status; i++) {
		struct all_rows rows = { &query->targets.items[i], &sheet, as_json ? &json : NULL };

		status = resolve_all(resolver, rows.target, put_overload, &rows, query->err);
	}
	if (as_json)
		jsonw_fill(&json, "]}");
	else
		sheet_end(&sheet);
	resolver_free(resolver);
	return status;
}

/* --- one operator */

static void put_op_text(struct query *query, const struct lookup *lookup)
{
	struct doc doc = answer_doc(query->format, &(struct render_options){ .lang = query->lang }, "page.operators");

	lookup_build(&doc, lookup);
	answer_doc_put(&doc, "page.operators", query->out);
}

static void put_recipe_rows(struct query *query, const struct recipe_list *list)
{
	static const struct field fields[] = {
		{ "recipe", &kind_text, AT(recipe, name) },
		{ "operators", &kind_text, AT(recipe, operators) },
		{ "effort", &kind_text, AT(recipe, effort) },
		{ "torch", &kind_text, AT(recipe, torch) },
		{ "tolerance", &kind_text, AT(recipe, tolerance) },
		{ "advice", &kind_text, AT(recipe, advice_en) },
		{ 0 },
	};
	static const struct record record = { sizeof(struct recipe), fields };
	static const struct sheet_shape shape = { "recipes.title", &record };
	struct sheet sheet;

	sheet_begin(&sheet, &shape, query->format, NULL, query->out);
	for (size_t i = 0; i < list->count; i++) {
		struct recipe recipe = list->items[i].recipe;

		recipe.advice_en = query->lang == LANG_ZH_CN ? recipe.advice_zh : recipe.advice_en;
		sheet_row(&sheet, &recipe);
	}
	sheet_end(&sheet);
}

static int put_recipes(struct query *query, bool as_json)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct jsonw json = jsonw_start(query->out, 2);
	CLEANUP(recipe_list_clear) struct recipe_list list = { 0 };
	int status = recipe_list_take(&list, query->options->common.opdb, &arena, NULL, query->err);

	if (!status && as_json) {
		jsonw_object(&json);
		record_put_list(&json, "recipes", &recipe_record, list.items, list.count);
		jsonw_object_end(&json);
	} else if (!status && str_eq(query->format, STR("csv"))) {
		put_recipe_rows(query, &list);
	} else if (!status) {
		struct doc doc = answer_doc(
			query->format, &(struct render_options){ .lang = query->lang }, "recipes.title");

		recipe_list_build(&doc, &list);
		answer_doc_put(&doc, "recipes.title", query->out);
	}
	return status;
}

static void put_csv(struct query *query, const struct lookup *lookup)
{
	CLEANUP(buf_clear) struct buf full = BUF_UNLIMITED;
	struct sheet sheet;

	buf_printf(
		&full, "%.*s%s%.*s", STR_ARG(lookup->name), lookup->overload.len ? "." : "", STR_ARG(lookup->overload));
	begin_rows(query, &sheet);
	for (size_t i = 0; i < lookup->count; i++) {
		const struct lookup_answer *answer = &lookup->answers[i];

		put_op_row(&sheet, answer->target,
			&(struct overload_answer){ .name = buf_str(&full),
				.status = answer->judgement.verdict.status,
				.via = answer->judgement.verdict.via,
				.flags = answer->judgement.verdict.flags });
	}
	for (size_t i = 0; i < lookup->call_count; i++) {
		const struct lookup_call *call = &lookup->calls[i];

		for (size_t j = 0; j < lookup->targets->count && !str_eq(call->call.name, lookup->name); j++)
			put_op_row(&sheet, &lookup->targets->items[j],
				&(struct overload_answer){ .name = call->call.name,
					.status = call->verdicts[j].status,
					.via = call->verdicts[j].via,
					.flags = call->verdicts[j].flags });
	}
	sheet_end(&sheet);
}

static int put_one(struct query *query)
{
	struct str format = query->format;

	if (!query->lookup.name.len && (query->options->correction.observed.len || query->options->issue)) {
		err_set(query->err, ERR_OPERATOR, "%s calls several operators", shown(query->lookup.api).text);
		return err_hint(query->err, "name the one that it is about, such as %.*s",
			STR_ARG(query->lookup.calls[0].call.name));
	}
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
		put_op_text(query, &query->lookup);
	return 0;
}

/* --- the command */

static int put_op_answer(
	const void *answer, struct str format, const struct render_options *render, struct buf *out, struct err *err)
{
	struct query query = *(const struct query *)answer;
	bool as_json = str_eq(format, STR("json"));

	query.lang = render->lang;
	query.format = format;
	query.out = out;
	query.err = err;
	return query.options->all       ? put_all(&query, as_json)
	       : query.options->recipes ? put_recipes(&query, as_json)
					: put_one(&query);
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
	.formats = "text json csv md html",
	.max_operands = 1,
	.database = true,
	.init = init_op,
	.settle = settle_op,
	.run = run_op,
};
