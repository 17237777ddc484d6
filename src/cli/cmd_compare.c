#include <stdlib.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "check/compare.h"
#include "check/database.h"
#include "cli/command.h"
#include "cli/common.h"
#include "report/comparison.h"

enum compare_format { COMPARE_TEXT, COMPARE_JSON, COMPARE_MD, COMPARE_HTML };

enum compare_basis { BY_OPERATORS, BY_CALLS, BY_TIME };

struct compare_options {
	struct limits limits;
	struct render_options render;
	struct str db, lang, color, out, target, torch;
	struct str_list overlays;
	enum compare_format format;
	enum compare_basis basis;
	int64_t least_ppm; /* -1: no gate */
	bool replace, quiet;
};

static int choose(const struct str *names, size_t count, struct str value, int *ret)
{
	for (size_t i = 0; i < count; i++) {
		if (str_eq(value, names[i])) {
			*ret = (int)i;
			return 0;
		}
	}
	return -1;
}

static int set_format(void *ctx, struct str value, struct err *err)
{
	static const struct str names[] = { STR("text"), STR("json"), STR("md"), STR("html") };
	int found;

	if (choose(names, ARRAY_SIZE(names), value, &found))
		return err_set(err, ERR_VALUE, "a comparison is printed as text, json, md or html");
	((struct compare_options *)ctx)->format = (enum compare_format)found;
	return 0;
}

static int set_basis(void *ctx, struct str value, struct err *err)
{
	static const struct str names[] = { STR("operators"), STR("calls"), STR("time") };
	int found;

	if (choose(names, ARRAY_SIZE(names), value, &found))
		return err_set(err, ERR_VALUE, "agreement is measured by operators, calls or time");
	((struct compare_options *)ctx)->basis = (enum compare_basis)found;
	return 0;
}

/* "95%", "99.5". */
static int set_least(void *ctx, struct str value, struct err *err)
{
	enum { PPM_A_PERCENT = 10000, ALL = 100 * PPM_A_PERCENT };
	int64_t ppm;

	if (str_ends(value, STR("%")))
		value = str_chop(value, 1);
	if (!decimal_scaled(value, PPM_A_PERCENT, &ppm) || ppm < 0 || ppm > ALL) {
		err_set(err, ERR_VALUE, "--min-agreement wants a share from 0 to 100 %%");
		return err_hint(err, "for example --min-agreement 95%%");
	}
	((struct compare_options *)ctx)->least_ppm = ppm;
	return 0;
}

static int set_limit(void *ctx, struct str value, struct err *err)
{
	return limits_set(&((struct compare_options *)ctx)->limits, value, err);
}

static const struct option compare_table[] = {
	{ 't', "target", "TARGET", "release to compare (default: what the dump names)",
		FIELD(compare_options, target) },
	{ 0, "torch", "VERSION", "only releases for this version of PyTorch", FIELD(compare_options, torch) },
	{ 0, "min-agreement", "PERCENT", "exit 1 when less agrees: 95%", CALL(set_least) },
	{ 0, "by", "WHAT", "operators (default), calls or time", CALL(set_basis) },
	{ 'f', "format", "FORMAT", "text (default), json, md, html", CALL(set_format) },
	{ 'o', "output", "PATH", "write to a file instead of standard output", FIELD(compare_options, out) },
	{ 0, "force", NULL, "replace the file if it is there", FIELD(compare_options, replace) },
	{ 'v', "verbose", NULL, "list every operator", FIELD(compare_options, render.all) },
	{ 'q', "quiet", NULL, "do not say which files were left out", FIELD(compare_options, quiet) },
	{ 0, "lang", "LANG", "en or zh-CN", FIELD(compare_options, lang) },
	{ 0, "db", "FILE", "support database", FIELD(compare_options, db) },
	{ 0, "overlay", "FILE", "facts of your own site, repeatable", LIST(compare_options, overlays) },
	{ 0, "limit", "NAME=N", "set a limit; `opcheck help limits` lists them", CALL(set_limit) },
	{ 0 },
};

/* --- the answer */

static void on_left_out(void *ctx, const struct err *err)
{
	const struct compare_options *options = ctx;

	if (!options->quiet)
		fprintf(stderr, "opcheck: %s: left out: %s\n", err->where, err->text);
}

static int print(const struct compare_options *options, const struct comparison *comparison, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	switch (options->format) {
	case COMPARE_TEXT:
		comparison_put_text(comparison, &options->render, &text);
		break;
	case COMPARE_JSON:
		comparison_put_json(comparison, &text);
		break;
	case COMPARE_MD:
		comparison_put_md(comparison, &options->render, &text);
		break;
	case COMPARE_HTML:
		comparison_put_html(comparison, &options->render, &text);
		break;
	}
	return common_deliver(options->out, options->replace, buf_str(&text), err);
}

/* 1 when too little agrees. What cannot be compared passes no gate. */
static int judge(const struct compare_options *options, const struct agreement *agreement, struct err *err)
{
	const int64_t shares[] = { agreement->score.operators_ppm, agreement->score.calls_ppm,
		agreement->score.time_ppm };

	if (options->least_ppm < 0)
		return 0;
	if (shares[options->basis] < 0) {
		err_set(err, ERR_NOT_OBSERVABLE, "the dump of the device shows nothing that could be compared");
		return err_hint(err,
			"hand in one with device times: trace_view.json, operator_details.csv or the whole folder");
	}
	return shares[options->basis] < options->least_ppm;
}

static int compare(struct compare_options *options, const struct arguments *arguments, struct err *err)
{
	struct compare_request request = { .predicted = arguments->items[0],
		.device = arguments->items[1],
		.target = options->target,
		.torch = options->torch,
		.limits = &options->limits,
		.left_out = on_left_out,
		.ctx = options };
	struct compared compared = { 0 };
	struct opdb *db = NULL;
	int status = common_lang(options->lang, &options->render.lang, err);

	if (!status)
		status = common_may_deliver(options->out, options->replace, err);
	if (!status)
		status = database_open_with(options->db, &options->overlays, &options->limits, &db, err);
	request.db = db;
	if (!status)
		status = compare_run(&request, &compared, err);
	if (!status)
		status = print(options, &compared.comparison, err);
	if (!status)
		status = judge(options, &compared.comparison.agreement, err);
	compare_clear(&compared);
	opdb_close(db);
	return status;
}

static int run_compare(const struct command *command, int argc, char **argv, struct err *err)
{
	struct compare_options options = { .limits = limits_default(), .least_ppm = -1 };
	struct arguments arguments = { 0 };
	int status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help) {
		status = command_operands(&arguments, 2, 2, "the prediction, or the dump of the device", err);
		if (!status)
			status = compare(&options, &arguments, err);
	}
	free(options.overlays.items);
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_compare = {
	.name = "compare",
	.summary = "a prediction beside a real run on the device",
	.usage = "PREDICTED DEVICE_DUMP [OPTION]...",
	.examples = "  opcheck compare report.json run_ascend_pt/\n"
		    "  opcheck compare profiler.log trace_view.json --min-agreement 95%",
	.options = compare_table,
	.run = run_compare,
};
