#include "cli/command.h"
#include "report/answers.h"

struct advise_options {
	struct common_options common;
	struct str_list from;
};

/* clang-format off */
static const struct option advise_table[] = {
	{ 0, "from", "TARGET", "release you are on, one a target (npu@2.1.0)", LIST(advise_options, from) },
	OPTION_ASSUME,
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_VERBOSE("list every release and the operators that changed"),
	OPTION_QUIET("no progress and no list of skipped files"),
	OPTION_LANG,
	OPTION_DB,
	OPTION_OVERLAY,
	OPTION_LIMIT,
	{ 0 },
};
/* clang-format on */

struct advice {
	const struct survey *survey;
	const struct result *result;
};

static int put_advice(
	const void *answer, struct str format, const struct render_options *render, struct buf *out, struct err *err)
{
	const struct advice *advice = answer;

	(void)err;
	survey_write(advice->survey, advice->result, format, render, out);
	return 0;
}

static int run_advise(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct advise_options *options = ctx;
	struct survey survey = { .against_given = options->from.count > 0 };
	struct check_request request = { .targets = options->from.items,
		.target_count = options->from.count,
		.survey = &survey,
		.skip_digests = !outputs_want(&options->common.outputs, STR("html")) };
	struct result *result;
	int status = common_check(&options->common, &request, arguments, &result, err);

	if (status)
		return status;
	status = common_write(&options->common, put_advice, &(struct advice){ &survey, result }, err);
	result_free(result);
	return status;
}

const struct command cmd_advise = {
	.name = "advise",
	.summary = "the same dump on every release: the smallest move to ready",
	.usage = "FILE|FOLDER... [OPTION]...",
	.examples = "  opcheck advise profiler.log\n"
		    "  opcheck advise profiler.log --from npu@2.1.0 --assume torchvision::nms=native",
	.options = advise_table,
	.options_size = sizeof(struct advise_options),
	.formats = "text json csv md html",
	.operand = "the dump",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.database = true,
	.run = run_advise,
};
