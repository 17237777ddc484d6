#include <stdio.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "base/value/words.h"
#include "check/compare.h"
#include "cli/shared/command.h"
#include "report/answers/comparison.h"

enum compare_basis { BY_OPERATORS, BY_CALLS, BY_TIME };

struct compare_options {
	struct common_options common;
	struct str target;
	enum compare_basis basis;
	int64_t least_ppm; /* -1: no gate */
};

static int set_basis(void *ctx, struct str value, struct err *err)
{
	static const struct str names[] = { STR("operators"), STR("calls"), STR("time") };
	size_t at = STR_POSITION(names, ARRAY_SIZE(names), value);

	if (at == STR_NONE)
		return err_set(err, ERR_VALUE, "--by is operators, calls or time, not '%s'", shown(value).text);
	((struct compare_options *)ctx)->basis = (enum compare_basis)at;
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
		err_set(err, ERR_VALUE, "--min-agreement takes a share from 0%% to 100%%");
		return err_hint(err, "for example --min-agreement 95%%");
	}
	((struct compare_options *)ctx)->least_ppm = ppm;
	return 0;
}

static const struct option compare_table[] = {
	{ 't', "target", "TARGET", "release to compare (the one in the dump)", FIELD(compare_options, target) },
	OPTION_TORCH,
	{ 0, "min-agreement", "PERCENT", "exit 1 when less agrees: 95%", CALL(set_least) },
	{ 0, "by", "WHAT", "operators (default), calls or time", CALL(set_basis) },
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_VERBOSE("list every operator"),
	OPTION_QUIET("no list of skipped files"),
	OPTION_LANG,
	OPTIONS_DB,
	OPTION_OVERLAY,
	OPTION_LIMIT,
	{ 0 },
};

static void print_left_out(void *ctx, const struct err *err)
{
	const struct compare_options *options = ctx;

	if (options->common.quiet)
		return;
	fprintf(stderr, translated("opcheck: %s: left out: %s"), err->where, err->text);
	fputc('\n', stderr);
}

static int put_comparison(const void *answer, struct str format, const struct render_options *render, struct buf *out,
	struct err *err UNUSED)
{
	if (str_eq(format, STR("json")))
		comparison_put_json(answer, out);
	else if (str_eq(format, STR("csv")))
		comparison_put_csv(answer, out);
	else
		comparison_put(answer, doc_format_of_name(format), render, out);
	return 0;
}

/* 1 if too little agrees. Without a comparison the gate fails. */
static int judge_agreement(const struct compare_options *options, const struct agreement *agreement, struct err *err)
{
	const int64_t shares[] = { agreement->score.operators_ppm, agreement->score.calls_ppm,
		agreement->score.time_ppm };

	if (options->least_ppm < 0)
		return 0;
	if (shares[options->basis] < 0) {
		err_set(err, ERR_NOT_OBSERVABLE, "the dump of the device has nothing to compare with");
		return err_hint(
			err, "give one with device times: trace_view.json, operator_details.csv or the whole folder");
	}
	return shares[options->basis] < options->least_ppm;
}

static int run_compare(void *ctx, const struct arguments *arguments, struct err *err)
{
	struct compare_options *options = ctx;
	struct compare_request request = { .predicted = arguments->items[0],
		.device = arguments->items[1],
		.target = options->target,
		.torch = options->common.torch,
		.db = options->common.opdb,
		.limits = &options->common.limits,
		.left_out = print_left_out,
		.ctx = options };
	CLEANUP(compare_clear) struct compared compared = { 0 };
	int status = compare_run(&request, &compared, err);

	if (!status)
		status = common_write(&options->common, put_comparison, &compared.comparison, err);
	if (!status)
		status = judge_agreement(options, &compared.comparison.agreement, err);
	return status;
}

static void init_compare(void *ctx)
{
	((struct compare_options *)ctx)->least_ppm = -1;
}

const struct command cmd_compare = {
	.name = "compare",
	.summary = "compare a prediction with a run on the device",
	.usage = "PREDICTED DEVICE_DUMP [OPTION]...",
	.examples = "  opcheck compare report.json run_ascend_pt/\n"
		    "  opcheck compare profiler.log trace_view.json --min-agreement 95%",
	.options = compare_table,
	.options_size = sizeof(struct compare_options),
	.formats = "text json csv md html",
	.operand = "the prediction or the dump of the device",
	.min_operands = 2,
	.max_operands = 2,
	.database = true,
	.init = init_compare,
	.run = run_compare,
};
