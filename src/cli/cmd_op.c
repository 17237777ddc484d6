#include <stdlib.h>

#include "base/mem.h"
#include "check/database.h"
#include "check/issue.h"
#include "check/lookup.h"
#include "check/targets.h"
#include "cli/command.h"
#include "cli/common.h"
#include "opdb/dtype.h"
#include "opdb/note.h"
#include "report/pieces.h"
#include "report/textw.h"

enum op_format { OP_TEXT, OP_JSON, OP_CSV };

struct op_options {
	struct str_list targets;
	struct str db, torch, lang;
	struct str_list overlays;
	enum op_format format;
	bool all, recipes, issue;
};

static int set_format(void *ctx, struct str value, struct err *err)
{
	static const char *const names[] = { [OP_TEXT] = "text", [OP_JSON] = "json", [OP_CSV] = "csv" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (str_eq(value, str_from(names[i]))) {
			((struct op_options *)ctx)->format = (enum op_format)i;
			return 0;
		}
	}
	err_set(err, ERR_VALUE, "operators are printed as text, json or csv");
	return -err->code;
}

static const struct option op_table[] = {
	{ 't', "target", "TARGET", "release to ask about, repeatable (npu and musa)", LIST(op_options, targets) },
	{ 0, "torch", "VERSION", "only releases for this version of PyTorch", FIELD(op_options, torch) },
	{ 'f', "format", "FORMAT", "text (default), json, csv", CALL(set_format) },
	{ 0, "all", NULL, "every overload of the release's PyTorch", FIELD(op_options, all) },
	{ 0, "recipes", NULL, "every recipe: what to write instead, with code", FIELD(op_options, recipes) },
	{ 0, "issue-draft", NULL, "a draft for an issue at the vendor, as Markdown", FIELD(op_options, issue) },
	{ 0, "db", "FILE", "support database", FIELD(op_options, db) },
	{ 0, "overlay", "FILE", "facts of your own site, repeatable", LIST(op_options, overlays) },
	{ 0, "lang", "LANG", "en or zh-CN", FIELD(op_options, lang) },
	{ 0 },
};

/* What one run works with. */
struct query {
	const struct op_options *options;
	const struct opdb *db;
	struct target_list targets;
	enum lang lang;
	struct buf out;
	struct err *err;
};

/* --- CSV rows, also of --all */

static void put_csv_head(struct query *query)
{
	buf_add(&query->out, STR("target,release,op,status,via,flags\r\n"));
}

/* target is "npu", release the branch or tag: the two columns together are the id. */
static void put_csv_row(struct query *query, const struct target *target, struct str op, enum op_status status,
	struct str via, unsigned flags)
{
	struct str id = str_from(target->id), kind;

	str_cut(&id, '@', &kind);
	csv_put_text(&query->out, kind);
	buf_byte(&query->out, ',');
	csv_put_text(&query->out, id);
	buf_byte(&query->out, ',');
	csv_put_text(&query->out, op);
	buf_byte(&query->out, ',');
	buf_add(&query->out, op_status_name(status));
	buf_byte(&query->out, ',');
	csv_put_text(&query->out, via);
	buf_byte(&query->out, ',');
	for (unsigned i = 0, written = 0; i < OP_FLAG_COUNT; i++) {
		if (flags & (1u << i))
			buf_printf(&query->out, "%s%.*s", written++ ? " " : "", STR_ARG(op_flag_name(i)));
	}
	buf_add(&query->out, STR("\r\n"));
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

static int print_all(struct query *query)
{
	struct jsonw json = jsonw_start(&query->out, 2);
	struct resolver *resolver = resolver_new(query->db);
	bool as_json = query->options->format == OP_JSON;
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

		status = resolve_all(resolver, rows.target, READING_REACHED, put_overload, &rows, query->err);
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
	struct textw text = { .out = &query->out, .width = 80 };
	struct buf printable;

	if (!value.len)
		return;
	printable = textw_printable(value);
	buf_printf(&query->out, "  %-10s ", title);
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
	buf_printf(&query->out, "%s: %.*s", answer->target->id, STR_ARG(answer->verdict.status));
	if (answer->judgement.explicit_status != answer->judgement.status)
		buf_printf(&query->out, " (called by name: %.*s)",
			STR_ARG(op_status_name(answer->judgement.explicit_status)));
	buf_byte(&query->out, '\n');
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

		buf_printf(&query->out, "  %-10s %-13.*s %.*s", i ? "" : "releases",
			STR_ARG(op_status_name(run->status)), STR_ARG(run->release->name));
		if (run->last != run->release)
			buf_printf(&query->out, " .. %.*s", STR_ARG(run->last->name));
		buf_byte(&query->out, '\n');
	}
	if (history->earliest)
		buf_printf(&query->out, "  %-10s %.*s (%.*s)\n", "since", STR_ARG(history->earliest->name),
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

static void put_answer(struct query *query, const struct lookup_answer *answer)
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

static void print_text(struct query *query, const struct lookup *lookup)
{
	buf_printf(&query->out, "%.*s%s%.*s\n", STR_ARG(lookup->name), lookup->overload.len ? "." : "",
		STR_ARG(lookup->overload));
	put_line(query, "PyTorch", lookup->known_in);
	for (size_t i = 0; i < lookup->count; i++)
		put_answer(query, &lookup->answers[i]);
	recipe_list_put_text(&lookup->recipes, query->lang, &query->out);
}

static int print_recipes(struct query *query)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct jsonw json = jsonw_start(&query->out, 2);
	struct recipe_list list = { 0 };
	int status = recipe_list_all(&list, query->db, &arena, query->err);

	if (!status && query->options->format == OP_JSON) {
		jsonw_object(&json);
		recipe_list_put_json(&list, &json);
		jsonw_object_end(&json);
	} else if (!status) {
		recipe_list_put_text(&list, query->lang, &query->out);
	}
	recipe_list_clear(&list);
	arena_clear(&arena);
	return status;
}

static void print_csv(struct query *query, const struct lookup *lookup)
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

static int print_one(struct query *query, const char *given)
{
	struct lookup lookup;
	int status = lookup_run(
		query->db, str_from(given), query->targets.items, query->targets.count, &lookup, query->err);

	if (!status && query->options->issue)
		status = issue_put(&lookup, query->lang, &query->out, query->err);
	else if (!status && query->options->format == OP_JSON)
		lookup_put_json(&lookup, &query->out);
	else if (!status && query->options->format == OP_CSV)
		print_csv(query, &lookup);
	else if (!status)
		print_text(query, &lookup);
	lookup_clear(&lookup);
	return status;
}

/* --- the command */

static int run_query(const struct op_options *options, const struct arguments *arguments, struct err *err)
{
	struct query query = { .options = options, .out = BUF_UNLIMITED, .err = err };
	struct limits limits = limits_default();
	struct opdb *db = NULL;
	int status = common_lang(options->lang, &query.lang, err);

	if (!status)
		status = database_open_with(options->db, &options->overlays, &limits, &db, err);
	query.db = db;
	if (!status)
		status = targets_choose(
			db, options->targets.items, options->targets.count, options->torch, &query.targets, err);
	if (!status)
		status = options->all       ? print_all(&query)
			 : options->recipes ? print_recipes(&query)
					    : print_one(&query, arguments->items[0]);
	if (!status)
		status = common_print(buf_str(&query.out), err);
	buf_clear(&query.out);
	target_list_clear(&query.targets);
	opdb_close(db);
	return status;
}

static int run_op(const struct command *command, int argc, char **argv, struct err *err)
{
	struct op_options options = { .format = OP_TEXT };
	struct arguments arguments = { 0 };
	int status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help) {
		size_t names = !options.all && !options.recipes;

		status = command_operands(&arguments, names, names, "the operator", err);
		if (!status)
			status = run_query(&options, &arguments, err);
	}
	free(options.targets.items);
	free(options.overlays.items);
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_op = {
	.name = "op",
	.summary = "explain one operator, or list all of a release",
	.usage = "NAME [OPTION]... | --all [OPTION]... | --recipes [OPTION]...",
	.examples = "  opcheck op aten::isin -t npu@2.7.1\n"
		    "  opcheck op --all -t musa -f csv > operators.csv",
	.options = op_table,
	.run = run_op,
};
