#include <stdlib.h>

#include "assess/judge.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/common.h"
#include "opdb/names.h"
#include "report/pieces.h"
#include "report/textw.h"

enum op_format { OP_TEXT, OP_JSON, OP_CSV };

struct op_options {
	struct {
		struct str *items;
		size_t count, capacity;
	} targets;
	struct str db, torch, lang;
	enum op_format format;
	bool all;
};

static int add_target(void *ctx, struct str value, struct err *err)
{
	struct op_options *options = ctx;

	(void)err;
	MEM_PUSH(&options->targets, value);
	return 0;
}

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
	{ 't', "target", "TARGET", "release to ask about, repeatable (npu and musa)", CALL(add_target) },
	{ 0, "torch", "VERSION", "version of PyTorch for targets that leave it open", FIELD(op_options, torch) },
	{ 'f', "format", "FORMAT", "text (default), json, csv", CALL(set_format) },
	{ 0, "all", NULL, "every overload of the release's PyTorch", FIELD(op_options, all) },
	{ 0, "db", "FILE", "support database", FIELD(op_options, db) },
	{ 0, "lang", "LANG", "en or zh-CN", FIELD(op_options, lang) },
	{ 0 },
};

/* What one run works with. */
struct query {
	const struct op_options *options;
	const struct opdb *db;
	struct resolver *resolver;
	struct arena arena;
	struct target *targets;
	size_t target_count;
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
static void put_csv_row(struct query *query, const struct target *target, struct str op, enum op_status status, struct str via,
	unsigned flags)
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
		put_csv_row(rows->query, rows->target, overload->name, overload->status, overload->via, overload->flags);
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
	bool as_json = query->options->format == OP_JSON;
	int status = 0;

	if (as_json) {
		jsonw_object(&json);
		jsonw_key(&json, "overloads");
		jsonw_list(&json);
	} else {
		put_csv_head(query);
	}
	for (size_t i = 0; i < query->target_count && !status; i++) {
		struct all_rows rows = { query, &query->targets[i], as_json ? &json : NULL };

		status = resolve_all(query->resolver, &query->targets[i], READING_REACHED, put_overload, &rows, query->err);
	}
	if (as_json) {
		jsonw_list_end(&json);
		jsonw_object_end(&json);
	}
	return status;
}

/* --- one operator */

/* "aten::add.Tensor" or "add" as full name and overload. */
static void split_name(struct query *query, struct str given, struct str *ret_name, struct str *ret_overload)
{
	struct buf name = BUF_INIT(SIZE_MAX / 2);
	size_t colons = str_find(given, STR("::")), dot;

	if (colons == STR_NONE)
		buf_add(&name, STR("aten::"));
	buf_add(&name, given);
	*ret_name = arena_keep(&query->arena, buf_str(&name));
	buf_clear(&name);
	dot = str_find(*ret_name, STR("."));
	*ret_overload = dot == STR_NONE ? STR("") : str_skip(*ret_name, dot + 1);
	if (dot != STR_NONE)
		*ret_name = str_sub(*ret_name, 0, dot);
}

/* Names of a namespace that the database has facts about must exist; of others nothing is known anyway. */
static int check_name(struct query *query, struct str name)
{
	struct name_list found, near;
	struct buf names = BUF_INIT(4096);
	struct str ns = str_sub(name, 0, str_find(name, STR("::")) + 2);
	int status = opdb_names_with_prefix(query->db, ns, 1, &query->arena, &found, query->err);

	if (status || !found.count)
		return status;
	status = opdb_names_with_prefix(query->db, name, 1, &query->arena, &found, query->err);
	if (status || (found.count && str_eq(found.items[0], name)))
		return status;
	status = opdb_nearest_names(query->db, name, &query->arena, &near, query->err);
	if (status)
		return status;
	for (size_t i = 0; i < near.count; i++)
		buf_printf(&names, "%s%.*s", i ? ", " : "", STR_ARG(near.items[i]));
	err_set(query->err, ERR_OPERATOR, "no operator '%s' in any version", shown(name).text);
	if (near.count)
		err_hint(query->err, "did you mean %s?", buf_text(&names));
	buf_clear(&names);
	return -query->err->code;
}

/* One target's answer. */
struct op_answer {
	struct result_verdict verdict;
	struct judgement judgement;
	struct history history;
};

static int ask(struct query *query, const struct target *target, struct str name, struct str overload, struct op_answer *ret)
{
	size_t ns_len = str_find(name, STR("::"));
	int status = judge_name(&query->arena, query->resolver, target, name, overload, READING_REACHED, &ret->verdict,
		&ret->judgement, query->err);

	if (status)
		return status;
	return resolve_history(query->resolver, target, str_sub(name, 0, ns_len), str_skip(name, ns_len + 2), overload,
		READING_REACHED, &ret->history, query->err);
}

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
	struct buf text = BUF_INIT(SIZE_MAX / 2);

	catalog_put(&text, query->lang, message);
	put_line(query, title, buf_str(&text));
	buf_clear(&text);
}

static void put_status_line(struct query *query, const struct target *target, const struct op_answer *answer)
{
	buf_printf(&query->out, "%s: %.*s", target->id, STR_ARG(answer->verdict.status));
	if (answer->judgement.explicit_status != answer->judgement.status)
		buf_printf(&query->out, " (called by name: %.*s)", STR_ARG(op_status_name(answer->judgement.explicit_status)));
	buf_byte(&query->out, '\n');
}

static void put_overloads(struct query *query, const struct result_verdict *verdict)
{
	struct buf text = BUF_INIT(SIZE_MAX / 2);

	for (size_t i = 0; i < verdict->overload_count; i++)
		buf_printf(&text, "%s%.*s %.*s", i ? ", " : "", STR_ARG(verdict->overloads[i].name),
			STR_ARG(verdict->overloads[i].status));
	put_line(query, "overloads", buf_str(&text));
	buf_clear(&text);
}

static void put_flags(struct query *query, const struct result_verdict *verdict)
{
	struct buf text = BUF_INIT(SIZE_MAX / 2);

	for (size_t i = 0; i < verdict->flag_count; i++)
		buf_printf(&text, "%s%.*s", i ? ", " : "", STR_ARG(verdict->flags[i]));
	put_line(query, "flags", buf_str(&text));
	buf_clear(&text);
}

/* How the status came to be, release by release. */
static void put_history(struct query *query, const struct history *history)
{
	struct buf text = BUF_INIT(SIZE_MAX / 2);

	for (size_t i = 0; i < history->count; i++)
		buf_printf(&text, "%s%.*s from %.*s", i ? ", " : "", STR_ARG(op_status_name(history->transitions[i].status)),
			STR_ARG(history->transitions[i].release->name));
	put_line(query, "history", buf_str(&text));
	buf_clear(&text);
}

static void put_answer(struct query *query, const struct target *target, const struct op_answer *answer)
{
	const struct result_verdict *verdict = &answer->verdict;

	put_status_line(query, target, answer);
	put_line(query, "via", verdict->via);
	put_overloads(query, verdict);
	put_flags(query, verdict);
	put_line(query, "equivalent", answer->judgement.equivalents);
	put_line(query, "package", answer->judgement.package);
	put_history(query, &answer->history);
	for (size_t i = 0; i < verdict->condition_count; i++)
		put_message_line(query, "condition", &verdict->conditions[i]);
	for (size_t i = 0; i < verdict->advice_count; i++)
		put_message_line(query, "advice", &verdict->advice[i]);
	for (size_t i = 0; i < verdict->evidence_count; i++)
		put_line(query, "evidence", verdict->evidence[i].ref);
}

static int print_text(struct query *query, struct str name, struct str overload)
{
	struct str ns = str_sub(name, 0, str_find(name, STR("::"))), versions;
	int status = resolve_known_in(query->resolver, ns, str_skip(name, ns.len + 2), &versions, query->err);

	buf_printf(&query->out, "%.*s%s%.*s\n", STR_ARG(name), overload.len ? "." : "", STR_ARG(overload));
	if (!status)
		put_line(query, "PyTorch", versions);
	for (size_t i = 0; i < query->target_count && !status; i++) {
		struct op_answer answer;

		status = ask(query, &query->targets[i], name, overload, &answer);
		if (!status)
			put_answer(query, &query->targets[i], &answer);
	}
	return status;
}

static int print_csv(struct query *query, struct str name, struct str overload)
{
	struct buf full = BUF_INIT(SIZE_MAX / 2);
	int status = 0;

	buf_printf(&full, "%.*s%s%.*s", STR_ARG(name), overload.len ? "." : "", STR_ARG(overload));
	put_csv_head(query);
	for (size_t i = 0; i < query->target_count && !status; i++) {
		struct op_answer answer;

		status = ask(query, &query->targets[i], name, overload, &answer);
		if (!status)
			put_csv_row(query, &query->targets[i], buf_str(&full), answer.judgement.status, answer.verdict.via,
				answer.judgement.flags);
	}
	buf_clear(&full);
	return status;
}

static int print_json(struct query *query, struct str name, struct str overload)
{
	struct jsonw json = jsonw_start(&query->out, 2);
	int status = 0;

	jsonw_object(&json);
	jsonw_key(&json, "operators");
	jsonw_list(&json);
	jsonw_object(&json);
	jsonw_key_str(&json, "name", name);
	if (overload.len)
		jsonw_key_str(&json, "overload", overload);
	jsonw_key(&json, "verdicts");
	jsonw_object(&json);
	for (size_t i = 0; i < query->target_count && !status; i++) {
		struct op_answer answer;

		status = ask(query, &query->targets[i], name, overload, &answer);
		if (status)
			break;
		jsonw_key(&json, query->targets[i].id);
		json_put_verdict(&json, &answer.verdict);
	}
	jsonw_object_end(&json);
	jsonw_object_end(&json);
	jsonw_list_end(&json);
	jsonw_object_end(&json);
	return status;
}

static int print_one(struct query *query, const char *given)
{
	struct str name, overload;
	int status;

	split_name(query, str_from(given), &name, &overload);
	status = check_name(query, name);
	if (status)
		return status;
	switch (query->options->format) {
	case OP_JSON:
		return print_json(query, name, overload);
	case OP_CSV:
		return print_csv(query, name, overload);
	case OP_TEXT:
		break;
	}
	return print_text(query, name, overload);
}

/* --- the command */

static int choose_targets(struct query *query)
{
	static const struct str usual[] = { { "npu", 3 }, { "musa", 4 } };
	const struct op_options *options = query->options;
	bool given = options->targets.count > 0;
	size_t count = given ? options->targets.count : ARRAY_SIZE(usual);

	query->targets = arena_alloc(&query->arena, count * sizeof(query->targets[0]));
	for (; query->target_count < count; query->target_count++) {
		int status = target_resolve(query->db, given ? options->targets.items[query->target_count] :
							       usual[query->target_count],
			options->torch, &query->targets[query->target_count], query->err);

		if (status)
			return status;
	}
	return 0;
}

static int run_query(const struct op_options *options, const struct arguments *arguments, struct err *err)
{
	struct query query = { .options = options, .arena = ARENA_INIT(ARENA_UNLIMITED), .out = BUF_INIT(SIZE_MAX / 2),
		.err = err };
	struct opdb *db = NULL;
	int status = common_lang(options->lang, &query.lang, err);

	if (!status)
		status = common_db_open(options->db, &db, err);
	if (status)
		return status;
	query.db = db;
	query.resolver = resolver_new(db);
	status = choose_targets(&query);
	if (!status)
		status = options->all ? print_all(&query) : print_one(&query, arguments->items[0]);
	if (!status)
		status = common_print(buf_str(&query.out), err);
	buf_clear(&query.out);
	arena_clear(&query.arena);
	resolver_free(query.resolver);
	opdb_close(db);
	return status;
}

static int run_op(const struct command *command, int argc, char **argv, struct err *err)
{
	struct op_options options = { .format = OP_TEXT };
	struct arguments arguments = { 0 };
	int status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help) {
		status = command_operands(&arguments, options.all ? 0 : 1, options.all ? 0 : 1, "the operator", err);
		if (!status)
			status = run_query(&options, &arguments, err);
	}
	free(options.targets.items);
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_op = {
	.name = "op",
	.summary = "explain one operator, or list all of a release",
	.usage = "NAME [OPTION]... | --all [OPTION]...",
	.examples = "  opcheck op aten::isin -t npu@2.7.1\n"
		    "  opcheck op --all -t musa -f csv > operators.csv",
	.options = op_table,
	.run = run_op,
};
