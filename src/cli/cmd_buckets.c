#include "cli/command.h"
#include "report/answers.h"

/* clang-format off */
static const struct option buckets_table[] = {
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_VERBOSE("list every dimension and place"),
	OPTION_QUIET("no progress and no list of skipped files"),
	OPTION_LANG,
	OPTION_DB,
	OPTION_LIMIT,
	{ 0 },
};
/* clang-format on */

struct padding_plan {
	const struct bucket_list *list;
	const struct result *result;
};

static int put_plan(
	const void *answer, struct str format, const struct render_options *render, struct buf *out, struct err *err)
{
	const struct padding_plan *plan = answer;

	(void)err;
	buckets_write(plan->list, plan->result, format, render, out);
	return 0;
}

static int run_buckets(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct common_options *options = ctx;
	struct bucket_list list = { 0 };
	struct check_request request = {
		.skip_digests = true, .skip_history = true, .skip_releases = true, .buckets = &list
	};
	struct result *result;
	int status = common_check(options, &request, arguments, &result, err);

	if (status)
		return status;
	status = common_write(options, put_plan, &(struct padding_plan){ &list, result }, err);
	result_free(result);
	return status;
}

const struct command cmd_buckets = {
	.name = "buckets",
	.summary = "which sizes to pad changing dimensions to",
	.usage = "FILE... [OPTION]...",
	.examples = "  opcheck buckets profiler.log\n"
		    "  opcheck buckets profiler.log -o buckets.csv",
	.options = buckets_table,
	.options_size = sizeof(struct common_options),
	.formats = "text json csv md html",
	.operand = "the dump",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.database = true,
	.run = run_buckets,
};
