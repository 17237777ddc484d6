#include <stdlib.h>

#include "base/mem.h"
#include "check/database.h"
#include "cli/command.h"
#include "cli/common.h"
#include "report/buckets.h"

enum bucket_format { BUCKETS_TEXT, BUCKETS_JSON, BUCKETS_CSV };

struct buckets_options {
	struct limits limits;
	struct render_options render;
	struct str db, lang, out;
	enum bucket_format format;
	bool replace;
};

static int set_format(void *ctx, struct str value, struct err *err)
{
	static const struct str names[] = {
		[BUCKETS_TEXT] = STR("text"),
		[BUCKETS_JSON] = STR("json"),
		[BUCKETS_CSV] = STR("csv"),
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (str_eq(value, names[i])) {
			((struct buckets_options *)ctx)->format = (enum bucket_format)i;
			return 0;
		}
	}
	return err_set(err, ERR_VALUE, "a bucket plan is printed as text, json or csv");
}

static int set_limit(void *ctx, struct str value, struct err *err)
{
	return limits_set(&((struct buckets_options *)ctx)->limits, value, err);
}

static const struct option buckets_table[] = {
	{ 'f', "format", "FORMAT", "text (default), json, csv", CALL(set_format) },
	{ 'o', "output", "PATH", "write to a file instead of standard output", FIELD(buckets_options, out) },
	{ 0, "force", NULL, "replace the file if it is there", FIELD(buckets_options, replace) },
	{ 'v', "verbose", NULL, "list every dimension and place", FIELD(buckets_options, render.all) },
	{ 0, "lang", "LANG", "en or zh-CN", FIELD(buckets_options, lang) },
	{ 0, "db", "FILE", "support database", FIELD(buckets_options, db) },
	{ 0, "limit", "NAME=N", "set a limit; `opcheck help limits` lists them", CALL(set_limit) },
	{ 0 },
};

static int print(const struct buckets_options *options, const struct bucket_list *list, const struct result *result,
	struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	switch (options->format) {
	case BUCKETS_TEXT:
		buckets_put_text(list, result, &options->render, &text);
		break;
	case BUCKETS_JSON:
		buckets_put_json(list, result, &text);
		break;
	case BUCKETS_CSV:
		buckets_put_csv(list, &text);
		break;
	}
	return common_deliver(options->out, options->replace, buf_str(&text), err);
}

static int plan(const struct buckets_options *options, const struct opdb *db, const struct arguments *arguments,
	struct err *err)
{
	struct bucket_list list = { 0 };
	struct check_request request = {
		.db = db, .limits = &options->limits, .skip_digests = true, .skip_history = true, .buckets = &list
	};
	struct result *result;
	int status = common_check(&request, arguments, &result, err);

	if (status)
		return status;
	status = print(options, &list, result, err);
	result_free(result);
	return status;
}

static int run_plan(struct buckets_options *options, const struct arguments *arguments, struct err *err)
{
	struct opdb *db = NULL;
	int status = common_lang(options->lang, &options->render.lang, err);

	if (!status)
		status = common_may_deliver(options->out, options->replace, err);
	if (!status)
		status = database_open(options->db, &db, err);
	if (!status)
		status = plan(options, db, arguments, err);
	opdb_close(db);
	return status;
}

static int run_buckets(const struct command *command, int argc, char **argv, struct err *err)
{
	struct buckets_options options = { .limits = limits_default() };
	struct arguments arguments = { 0 };
	int status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help) {
		status = command_operands(&arguments, 1, SIZE_MAX, "the dump", err);
		if (!status)
			status = run_plan(&options, &arguments, err);
	}
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_buckets = {
	.name = "buckets",
	.summary = "which sizes to pad changing dimensions to",
	.usage = "FILE... [OPTION]...",
	.examples = "  opcheck buckets profiler.log\n"
		    "  opcheck buckets profiler.log -f csv -o buckets.csv",
	.options = buckets_table,
	.run = run_buckets,
};
