#include "check/check.h"
#include "check/targets.h"
#include "cli/command.h"
#include "cli/policy_options.h"
#include "scan/scan.h"

/* clang-format off */
static const struct option scan_table[] = {
	OPTION_TARGET,
	OPTION_TORCH,
	OPTIONS_REPORT,
	POLICY_OPTIONS,
	OPTION_DB,
	OPTION_OVERLAY,
	OPTION_LIMIT,
	{ 0 },
};
/* clang-format on */

static int scan_paths(
	const struct common_options *common, const struct arguments *paths, struct result **ret, struct err *err)
{
	struct target_list targets = { 0 };
	struct scan_request request = { .program = { (const char *const *)paths->items, paths->count, &common->limits },
		.db = common->opdb,
		.tool_version = check_version() };
	int status = targets_choose(common->opdb,
		&(struct target_question){ common->targets.items, common->targets.count, common->torch }, &targets,
		err);

	if (!status) {
		request.targets = targets.items;
		request.target_count = targets.count;
		status = scan_run(&request, ret, err);
	}
	target_list_clear(&targets);
	return status;
}

static int run_scan(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct gated_options *options = ctx;
	struct result *result;
	int status = scan_paths(&options->common, arguments, &result, err);

	if (status)
		return status;
	policy_apply(&options->gate.policy, result);
	return gated_options_report(options, result, err);
}

static int settle_scan(void *ctx, const struct arguments *arguments, struct err *err)
{
	int status = gated_options_settle(ctx, arguments, err);

	if (!status && gated_options_wants_run(ctx)) {
		err_set(err, ERR_VALUE, "the baseline is the id of an assessment on a server; scan needs a file");
		return err_hint(err, "make one with `opcheck scan PATH -o baseline.json`");
	}
	return status;
}

const struct command cmd_scan = {
	.name = "scan",
	.summary = "what a port has to change in scripts and notebooks",
	.usage = "PATH... [OPTION]...",
	.examples = "  opcheck scan src/ -t npu@2.7.1 -f csv\n"
		    "  opcheck scan train.py -o scan.sarif --fail-on must-change",
	.options = scan_table,
	.options_size = sizeof(struct gated_options),
	.operand = "the script or the folder of the program",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.database = true,
	.init = gated_options_init,
	.settle = settle_scan,
	.run = run_scan,
	.clear = gated_options_clear,
};
