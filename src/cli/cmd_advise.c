#include <stdlib.h>

#include "base/mem.h"
#include "check/database.h"
#include "cli/command.h"
#include "cli/common.h"
#include "report/survey.h"

enum advise_format { ADVISE_TEXT, ADVISE_JSON, ADVISE_HTML, ADVISE_CSV, ADVISE_MD };

struct advise_options {
	struct limits limits;
	struct render_options render;
	struct str_list from, overlays;
	struct assumption_list assumptions;
	struct str db, lang, out;
	enum advise_format format;
	bool replace;
};

static int set_format(void *ctx, struct str value, struct err *err)
{
	static const struct str names[] = {
		[ADVISE_TEXT] = STR("text"),
		[ADVISE_JSON] = STR("json"),
		[ADVISE_HTML] = STR("html"),
		[ADVISE_CSV] = STR("csv"),
		[ADVISE_MD] = STR("md"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (str_eq(value, names[i])) {
			((struct advise_options *)ctx)->format = (enum advise_format)i;
			return 0;
		}
	}
	return err_set(err, ERR_VALUE, "advice is printed as text, json, html, csv or md");
}

static int set_limit(void *ctx, struct str value, struct err *err)
{
	return limits_set(&((struct advise_options *)ctx)->limits, value, err);
}

static int add_assumption(void *ctx, struct str value, struct err *err)
{
	return assumption_list_add(&((struct advise_options *)ctx)->assumptions, value, err);
}

static const struct option advise_table[] = {
	{ 0, "from", "TARGET", "release you are on, one a target (npu@2.1.0)", LIST(advise_options, from) },
	{ 0, "assume", "OP=STATUS", "suppose a status of an operator, repeatable", CALL(add_assumption) },
	{ 'f', "format", "FORMAT", "text (default), json, html, csv, md", CALL(set_format) },
	{ 'o', "output", "PATH", "write to a file instead of standard output", FIELD(advise_options, out) },
	{ 0, "force", NULL, "replace the file if it is there", FIELD(advise_options, replace) },
	{ 'v', "verbose", NULL, "list every release, and what came and went", FIELD(advise_options, render.all) },
	{ 0, "lang", "LANG", "en or zh-CN", FIELD(advise_options, lang) },
	{ 0, "db", "FILE", "support database", FIELD(advise_options, db) },
	{ 0, "overlay", "FILE", "facts of your own site, repeatable", LIST(advise_options, overlays) },
	{ 0, "limit", "NAME=N", "set a limit; `opcheck help limits` lists them", CALL(set_limit) },
	{ 0 },
};

static int print(
	const struct advise_options *options, const struct survey *survey, const struct result *result, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	switch (options->format) {
	case ADVISE_TEXT:
		survey_put_text(survey, result, &options->render, &text);
		break;
	case ADVISE_JSON:
		survey_put_json(survey, result, &text);
		break;
	case ADVISE_HTML:
		survey_put_html(survey, result, &options->render, &text);
		break;
	case ADVISE_CSV:
		survey_put_csv(survey, &text);
		break;
	case ADVISE_MD:
		survey_put_md(survey, result, &options->render, &text);
		break;
	}
	return common_deliver(options->out, options->replace, buf_str(&text), err);
}

static int advise(
	const struct advise_options *options, const struct opdb *db, const struct arguments *arguments, struct err *err)
{
	struct survey survey = { .against_given = options->from.count > 0 };
	struct check_request request = { .db = db,
		.targets = options->from.items,
		.target_count = options->from.count,
		.assumptions = &options->assumptions,
		.survey = &survey,
		.limits = &options->limits,
		.skip_digests = options->format != ADVISE_HTML };
	struct result *result;
	int status = common_check(&request, arguments, &result, err);

	if (status)
		return status;
	status = print(options, &survey, result, err);
	result_free(result);
	return status;
}

static int run_with(struct advise_options *options, const struct arguments *arguments, struct err *err)
{
	struct opdb *db = NULL;
	int status = common_lang(options->lang, &options->render.lang, err);

	if (!status)
		status = common_may_deliver(options->out, options->replace, err);
	if (!status)
		status = database_open_with(options->db, &options->overlays, &options->limits, &db, err);
	if (!status)
		status = advise(options, db, arguments, err);
	opdb_close(db);
	return status;
}

static int run_advise(const struct command *command, int argc, char **argv, struct err *err)
{
	struct advise_options options = { .limits = limits_default() };
	struct arguments arguments = { 0 };
	int status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help) {
		status = command_operands(&arguments, 1, SIZE_MAX, "the dump", err);
		if (!status)
			status = run_with(&options, &arguments, err);
	}
	arguments_clear(&arguments);
	assumption_list_clear(&options.assumptions);
	free(options.from.items);
	free(options.overlays.items);
	return status;
}

const struct command cmd_advise = {
	.name = "advise",
	.summary = "the same dump on every release: the smallest move to ready",
	.usage = "FILE|FOLDER... [OPTION]...",
	.examples = "  opcheck advise profiler.log\n"
		    "  opcheck advise profiler.log --from npu@2.1.0 --assume torchvision::nms=native",
	.options = advise_table,
	.run = run_advise,
};
