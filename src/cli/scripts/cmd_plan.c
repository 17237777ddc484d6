#include <stdlib.h>

#include "base/value/utf8.h"
#include "check/asked/policy_files.h"
#include "cli/shared/beside.h"
#include "cli/shared/command.h"
#include "io/outfile.h"
#include "scan/plan/plan.h"
#include "scan/plan/plan_build.h"

enum { EFFORT_BYTES = 64 * 1024 };

struct plan_options {
	struct common_options common;
	struct str tests, efforts;
};

static const struct option plan_table[] = {
	{ 't', "target", "TARGET", "the release to plan for, once (npu@2.7.1)", LIST(common_options, targets) },
	OPTION_TORCH,
	{ 0, "tests", "FILE", "write a script that tests operators on the device", FIELD(plan_options, tests) },
	{ 0, "effort", "FILE", "person-days of your own, rows of item, low, high", FIELD(plan_options, efforts) },
	OPTIONS_OUTPUT("text (default), md, html"),
	OPTION_LANG,
	OPTION_COLOR,
	OPTION_VERBOSE("list every cause and finding"),
	OPTION_QUIET("no progress on standard error"),
	OPTIONS_DB,
	OPTION_OVERLAY,
	OPTION_LIMIT,
	{ 0 },
};

static int put_plan(const void *answer, struct str format, const struct render_options *render, struct buf *out,
	struct err *err UNUSED)
{
	plan_put(answer, format, render, out);
	return 0;
}

static int read_efforts(
	const struct plan_options *options, struct plan_request *request, struct buf *text, struct err *err)
{
	int status = effort_open(&request->efforts, err);

	if (status || !options->efforts.len)
		return status;
	request->efforts_name = str_from(str_file_name(options->efforts.ptr));
	status = file_read_text(options->efforts.ptr, &options->common.limits, text, NULL, err);
	return status ? status : effort_read(&request->efforts, options->efforts, buf_str(text), err);
}

/* The dump comes first, then scripts; a plan is for one target. */
static int plan_target(const struct plan_options *options, struct result *beside, const struct arguments *arguments,
	const struct target *target, struct err *err)
{
	const struct common_options *common = &options->common;
	struct plan_request request = { .scan = { .program = { (const char *const *)arguments->items + 1,
							  arguments->count - 1, &common->limits },
						.db = common->opdb,
						.targets = target,
						.target_count = 1,
						.tool_version = check_version(),
						.beside = beside },
		.release = target->release,
		.dump = arguments->items[0] };
	CLEANUP(buf_clear) struct buf efforts = BUF_INIT(EFFORT_BYTES), tests = BUF_UNLIMITED;
	struct plan plan;
	int status = read_efforts(options, &request, &efforts, err);

	if (status) {
		result_free(beside);
		return status;
	}
	status = plan_make(&request, &plan, err);
	if (!status && options->tests.len) {
		plan_put_tests(&plan, &tests);
		status = outfile_write(options->tests.ptr, buf_str(&tests), common->outputs.replace, err);
	}
	if (!status)
		status = common_write(common, put_plan, &plan, err);
	plan_clear(&plan);
	return status;
}

static int run_plan(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct plan_options *options = ctx;
	struct str dump = str_from(arguments->items[0]);
	CLEANUP(target_list_clear) struct target_list targets = { 0 };
	struct result *beside = NULL;
	int status = beside_read(&options->common, &(struct str_list){ &dump, 1, 1 }, &beside, err);

	if (!status)
		status = beside_targets(&options->common, beside, &targets, err);
	if (!status && targets.count != 1) {
		err_set(err, ERR_VALUE, "a plan is for one target");
		status = err_hint(err, "write opcheck plan %s -t npu, or -t musa", shown(dump).text);
	}
	if (status)
		result_free(beside);
	else
		status = plan_target(options, beside, arguments, &targets.items[0], err);
	return status;
}

const struct command cmd_plan = {
	.name = "plan",
	.summary = "migration plan: versions, steps, effort",
	.usage = "DUMP|REPORT [SCRIPT|FOLDER]... -t TARGET [OPTION]...",
	.examples = "  opcheck plan profiler.log train.py -t npu -o plan.html --tests first_day.py",
	.options = plan_table,
	.options_size = sizeof(struct plan_options),
	.formats = "text md html",
	.operand = "the dump, or its JSON report",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.database = true,
	.run = run_plan,
};
