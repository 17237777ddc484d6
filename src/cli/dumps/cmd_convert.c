#include "cli/shared/command.h"

static const struct option convert_table[] = {
	OPTIONS_REPORT,
	{ 0 },
};

/* The whole report, unless its words alone are asked for. */
static int settle_convert(void *ctx, const struct arguments *arguments UNUSED, struct err *err UNUSED)
{
	struct common_options *options = ctx;
	struct render_options *printed = &options->outputs.printed;

	if (printed->view == VIEW_SCREEN || printed->view == VIEW_CAUSES) {
		*printed = options->render;
		printed->width = 0;
	}
	return 0;
}

static int run_convert(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct common_options *options = ctx;
	struct result *result = NULL;
	int status = common_load_report(options, arguments->items[0], &result, err);

	if (status)
		return status;
	status = common_write_report(options, result, err);
	result_free(result);
	return status;
}

const struct command cmd_convert = {
	.name = "convert",
	.summary = "render a JSON report in another format",
	.usage = "REPORT.json [OPTION]...",
	.examples = "  opcheck convert report.json -o report.html",
	.options = convert_table,
	.options_size = sizeof(struct common_options),
	.operand = "the JSON report",
	.min_operands = 1,
	.max_operands = 1,
	.settle = settle_convert,
	.run = run_convert,
};
