#include "base/mem.h"
#include "base/utf8.h"
#include "check/policy_files.h"
#include "cli/command.h"
#include "report/render.h"

/* clang-format off */
static const struct option convert_table[] = {
	OPTIONS_REPORT,
	{ 0 },
};
/* clang-format on */

static int run_convert(void *ctx, const struct arguments *arguments, struct err *err)
{
	enum { MAX_REPORT_BYTES = 1 << 30 };
	const struct common_options *options = ctx;
	const char *path = arguments->items[0];
	CLEANUP(buf_clear) struct buf text = BUF_INIT(MAX_REPORT_BYTES);
	struct result *result = NULL;
	int status = file_read_text(path, &options->limits, &text, NULL, err);

	if (status)
		return status;
	status = report_load(buf_str(&text), &result, err);
	if (status)
		return err_file(err, shown(str_from(path)).text);
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
	.run = run_convert,
};
