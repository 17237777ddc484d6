#include "base/value/utf8.h"
#include "cli/shared/command.h"
#include "cli/shared/each.h"
#include "report/drawings/estimates.h"

struct check_options {
	struct gated_options gated;
	bool each, estimate;
};

static const struct option check_table[] = {
	OPTION_TARGET,
	OPTION_TORCH,
	OPTIONS_REPORT,
	GATE_OPTIONS,
	STATED_OPTIONS,
	{ 0, "each", NULL, "one assessment for each file or dump of a folder", FIELD(check_options, each) },
	{ 0, "estimate", NULL, "print the estimated device times alone, as a table", FIELD(check_options, estimate) },
	OPTIONS_DB,
	OPTION_OVERLAY,
	OPTION_LIMIT,
	{ 0 },
};

static int put_estimates(
	const void *result, struct str format, const struct render_options *render, struct buf *out, struct err *err)
{
	const struct table_answer table = { result, &estimate_shape, estimate_put_rows, NULL, NULL };

	if (!sheet_is_format(format) && !str_eq(format, STR("text")) && !str_eq(format, STR("json")))
		return err_set(
			err, ERR_VALUE, "--estimate prints text, json, csv, md or html, not %s", shown(format).text);
	return put_table(&table, format, render, out, err);
}

/* The worst exit status of the reports so far. */
struct reporting {
	const struct check_options *options;
	struct err *err;
	int worst;
};

static int report_one(void *ctx, struct result *result)
{
	struct reporting *reporting = ctx;
	int status;

	if (reporting->options->estimate) {
		status = common_write(&reporting->options->gated.common, put_estimates, result, reporting->err);
		result_free(result);
	} else {
		status = gated_options_report(&reporting->options->gated, result, reporting->err);
	}
	reporting->worst = status > reporting->worst ? status : reporting->worst;
	return status < 0 ? status : 0;
}

static int check_once(void *ctx, const struct arguments *dumps, struct err *err)
{
	const struct check_options *options = ctx;
	const struct common_options *common = &options->gated.common;
	struct check_request request = common_request(common);
	struct reporting reporting = { .options = options, .err = err };
	struct result *result;
	int status;

	request.policy = &options->gated.gate.policy;
	request.stated = options->gated.stated;
	request.cost = options->gated.cost;
	request.take = report_one;
	request.take_ctx = &reporting;
	request.one_model = common->outputs.count > 0;
	status = common_check(common, &request, dumps, &result, err);
	return status ? status : reporting.worst;
}

static int run_check(void *ctx, const struct arguments *arguments, struct err *err)
{
	struct check_options *options = ctx;

	return options->each ? each_run(&options->gated, check_once, ctx, arguments, err)
			     : check_once(ctx, arguments, err);
}

static int settle_check(void *ctx, const struct arguments *arguments, struct err *err)
{
	struct check_options *options = ctx;
	int status = gated_options_settle(ctx, arguments, err);

	if (status)
		return status;
	common_name_dump(ctx, arguments);
	if (gated_options_wants_run(&options->gated)) {
		err_set(err, ERR_VALUE, "the baseline is the id of an assessment on a server; check needs a file");
		return err_hint(err, "fetch it first: curl $OPCHECK_SERVER/api/v1/assessments/%s/report.json",
			options->gated.gate.baseline.ptr);
	}
	return options->each ? each_settle(&options->gated, arguments, err) : 0;
}

const struct command cmd_check = {
	.name = "check",
	.summary = "check which operators of a dump run on each target",
	.usage = "FILE|FOLDER|ARCHIVE... [OPTION]...",
	.examples = "  opcheck check profiler.log -t npu@2.7.1 -o report.html --fail-on unsupported",
	.options = check_table,
	.options_size = sizeof(struct check_options),
	.operand = "the dump to check",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.database = true,
	.init = gated_options_init,
	.settle = settle_check,
	.run = run_check,
	.clear = gated_options_clear,
};
