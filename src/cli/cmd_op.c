#include "base/mem.h"
#include "check/lookup.h"
#include "check/targets.h"
#include "cli/command.h"
#include "opdb/model/dtype.h"
#include "opdb/db/note.h"
#include "opdb/resolve/history.h"
#include "report/pieces.h"
#include "report/textw.h"

struct op_options {
	struct common_options common;
	bool all, recipes, issue;
};

/* clang-format off */
static const struct option op_table[] = {
	{ 't', "target", "TARGET", "release to ask about, repeatable (npu and musa)", LIST(common_options, targets) },
	OPTION_TORCH,
	{ 0, "all", NULL, "every overload of the release's PyTorch", FIELD(op_options, all) },
	{ 0, "recipes", NULL, "every recipe: what to write instead, with code", FIELD(op_options, recipes) },
	{ 0, "issue-draft", NULL, "a draft for an issue at the vendor, as Markdown", FIELD(op_options, issue) },
	OPTIONS_OUTPUT("text (default), json, csv"),
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
	struct buf *out;
	struct err *err;
};

/* --- CSV rows, also of --all */

static void put_csv_head(struct query *query)
{
	buf_add(query->out, STR("target,release,op,status,via,flags\r\n"));
}

/* target is "npu", release the branch or tag: the two columns together are the id. */
static void put_csv_row(struct query *query, const struct target *target, struct str op, enum op_status status,
	struct str via, unsigned flags)
{
	struct str id = str_from(target->id), kind;

	str_cut(&id, '@', &kind);
	csv_put_text(query->out, kind);
	buf_byte(query->out, ',');
	csv_put_text(query->out, id);
	buf_byte(query->out, ',');
	csv_put_text(query->out, op);
	buf_byte(query->out, ',');
	buf_add(query->out, op_status_name(status));
	buf_byte(query->out, ',');
	csv_put_text(query->out, via);
	buf_byte(query->out, ',');
	for (unsigned i = 0, written = 0; i < OP_FLAG_COUNT; i++) {
		if (flags & (1u << i))
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
		put_csv_row(
			rows->query, rows->target, overload->name, overload->status, overload->via, overload->flags);
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

static void put_line(struct query *query, const char *title, struct str value)
{
	struct textw text = { .out = query->out, .width = 80 };
	struct buf printable;

	if (!value.len)
		return;
	printable = textw_printable(value);
	buf_printf(query->out, "  %-10s ", title);
	textw_wrap(&text, buf_str(&printable), 13, 13);
	buf_clear(&printable);
}

static void put_message_line(struct query *query, const char *title, const struct message *message)
{
	struct buf text = BUF_UNLIMITED;

	catalog_put(&text, query->lang, message);
	put_line(query, title, buf_str(&text));
	buf_clear(&text);
}

static void put_status_line(struct query *query, const struct lookup_answer *answer)
{
	buf_printf(query->out, "%s: %.*s", answer->target->id, STR_ARG(answer->verdict.status));
	if (answer->judgement.explicit_status != answer->judgement.status)
		buf_printf(query->out, " (called by name: %.*s)",
			STR_ARG(op_status_name(answer->judgement.explicit_status)));
	buf_byte(query->out, '\n');
}

/* Every overload with its verdict and its signature; those that no program calls by the name stand last. */
static void put_overloads(struct query *query, const struct answer *answer)
{
	for (size_t i = 0; i < answer->overload_count; i++) {
		const struct overload_answer *overload = &answer->overloads[i];
		struct buf text = BUF_UNLIMITED;

		buf_printf(&text, "%.*s: %.*s %.*s", STR_ARG(overload->name), STR_ARG(op_status_name(overload->status)),
			STR_ARG(overload->signature));
		put_line(query, i ? "" : "overloads", buf_str(&text));
		buf_clear(&text);
	}
}

static void put_types(struct query *query, const char *title, unsigned types)
{
	struct buf text = BUF_UNLIMITED;

	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		if (types >> i & 1)
			buf_printf(&text, "%s%.*s", text.len ? ", " : "", STR_ARG(dtype_name(i)));
	}
	put_line(query, title, buf_str(&text));
	buf_clear(&text);
}

/* "report 2026-05-20: fails: text (source)"; one that a better note contradicts is marked. */
static void put_note(struct query *query, const struct note_answer *answer, const char *title)
{
	const struct note *note = answer->note;
	struct buf text = BUF_UNLIMITED;

	buf_add(&text, evidence_kind_name(answer->evidence));
	if (note->date.len)
		buf_printf(&text, " %.*s", STR_ARG(note->date));
	buf_printf(&text, "%s: %.*s: %.*s", answer->told ? "" : ", release not told",
		STR_ARG(note_kind_name(note->kind)), STR_ARG(note->text));
	if (note->ref.len)
		buf_printf(&text, " (%.*s)", STR_ARG(note->ref));
	if (answer->lost)
		buf_add(&text, STR(" [lost to a better one]"));
	put_line(query, title, buf_str(&text));
	buf_clear(&text);
}

static const struct str layout_texts[] = {
	[0] = STR(""),
	[LAYOUT_SPARSE] = STR("no kernel for sparse COO tensors"),
	[LAYOUT_SPARSE_CSR] = STR("no kernel for sparse CSR tensors"),
	[LAYOUT_SPARSE | LAYOUT_SPARSE_CSR] = STR("no kernel for sparse COO and CSR tensors"),
};

static void put_notes(struct query *query, const struct answer *answer)
{
	enum { SHOWN = 12 };

	put_types(query, "takes", answer->accepted);
	put_types(query, "refuses", answer->refused);
	put_types(query, "AI CPU", answer->slow);
	put_line(query, "calls", answer->leaves);
	put_line(query, "layouts", layout_texts[answer->layouts]);
	for (size_t i = 0; i < answer->note_count && i < SHOWN; i++)
		put_note(query, &answer->notes[i], i ? "" : "notes");
	if (answer->note_count > SHOWN) {
		struct buf text = BUF_INIT(100);

		buf_printf(&text, "... and %zu more", answer->note_count - SHOWN);
		put_line(query, "", buf_str(&text));
		buf_clear(&text);
	}
}

static void put_flags(struct query *query, const struct result_verdict *verdict)
{
	struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < verdict->flag_count; i++)
		buf_printf(&text, "%s%.*s", i ? ", " : "", STR_ARG(verdict->flags[i]));
	put_line(query, "flags", buf_str(&text));
	buf_clear(&text);
}

/* How the status came to be: one row for each run of releases. */
static void put_history(struct query *query, const struct history *history)
{
	struct buf backports = BUF_UNLIMITED;

	for (size_t i = 0; i < history->count; i++) {
		const struct transition *run = &history->transitions[i];

		buf_printf(query->out, "  %-10s %-13.*s %.*s", i ? "" : "releases",
			STR_ARG(op_status_name(run->status)), STR_ARG(run->release->name));
		if (run->last != run->release)
			buf_printf(query->out, " .. %.*s", STR_ARG(run->last->name));
		buf_byte(query->out, '\n');
	}
	if (history->earliest)
		buf_printf(query->out, "  %-10s %.*s (%.*s)\n", "since", STR_ARG(history->earliest->name),
			STR_ARG(history->earliest->date));
	for (size_t i = 0; i < history->backport_count; i++)
		buf_printf(&backports, "%s%.*s (%.*s)", i ? ", " : "", STR_ARG(history->backports[i]->name),
			STR_ARG(history->backports[i]->date));
	put_line(query, "backports", buf_str(&backports));
	buf_clear(&backports);
}

/* "source, 2025-12-31: https://..." */
static void put_evidence(struct query *query, const struct result_evidence *evidence)
{
	struct buf text = BUF_UNLIMITED;

	buf_printf(&text, "%.*s%s%.*s: %.*s%.*s", STR_ARG(evidence->kind), evidence->date.len ? ", " : "",
		STR_ARG(evidence->date), STR_ARG(evidence->ref), STR_ARG(evidence->text));
	if (!evidence->ref.len)
		buf_printf(&text, " (%.*s)", STR_ARG(catalog_text(query->lang, STR("report.no-address"))));
	put_line(query, "evidence", buf_str(&text));
	buf_clear(&text);
}

static void put_lookup_answer(struct query *query, const struct lookup_answer *answer)
{
	const struct result_verdict *verdict = &answer->verdict;

	put_status_line(query, answer);
	put_line(query, "via", verdict->via);
	put_overloads(query, &answer->answer);
	put_flags(query, verdict);
	put_line(query, "equivalent", answer->judgement.equivalents);
	put_line(query, "package", answer->judgement.package);
	put_notes(query, &answer->answer);
	put_history(query, &answer->history);
	for (size_t i = 0; i < verdict->condition_count; i++)
		put_message_line(query, "condition", &verdict->conditions[i]);
	for (size_t i = 0; i < verdict->advice_count; i++)
		put_message_line(query, "advice", &verdict->advice[i]);
	for (size_t i = 0; i < verdict->evidence_count; i++)
		put_evidence(query, &verdict->evidence[i]);
	if (!verdict->evidence_count)
		put_line(query, "evidence", catalog_text(query->lang, STR("report.no-evidence")));
}

static void put_text(struct query *query, const struct lookup *lookup)
{
	buf_printf(query->out, "%.*s%s%.*s\n", STR_ARG(lookup->name), lookup->overload.len ? "." : "",
		STR_ARG(lookup->overload));
	put_line(query, "PyTorch", lookup->known_in);
	for (size_t i = 0; i < lookup->count; i++)
		put_lookup_answer(query, &lookup->answers[i]);
	recipe_list_put_text(&lookup->recipes, query->lang, query->out);
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
		recipe_list_put_text(&list, query->lang, query->out);
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

		put_csv_row(query, answer->target, buf_str(&full), answer->judgement.status, answer->verdict.via,
			answer->judgement.flags);
	}
	buf_clear(&full);
}

static int put_one(struct query *query, struct str format)
{
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
	query.out = out;
	query.err = err;
	return query.options->all       ? put_all(&query, as_json)
	       : query.options->recipes ? put_recipes(&query, as_json)
					: put_one(&query, format);
}

static int settle_op(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct op_options *options = ctx;
	size_t names = !options->all && !options->recipes;

	return command_operands(arguments, names, names, "the operator", err);
}

static int run_op(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct op_options *options = ctx;
	const struct common_options *common = &options->common;
	struct query query = { .options = options };
	struct target_question question = { common->targets.items, common->targets.count, common->torch };
	int status = targets_choose(common->opdb, &question, &query.targets, err);

	if (!status && arguments->count)
		status = lookup_run(common->opdb, str_from(arguments->items[0]), query.targets.items,
			query.targets.count, &query.lookup, err);
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
	.formats = "text json csv",
	.max_operands = 1,
	.database = true,
	.settle = settle_op,
	.run = run_op,
};
