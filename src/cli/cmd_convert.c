#include "base/mem.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/common.h"
#include "check/policy_files.h"
#include "report/load.h"

static const struct option convert_table[] = {
	REPORT_OPTIONS,
	{ 0 },
};

static int convert(const struct report_options *options, const char *path, struct err *err)
{
	enum { MAX_REPORT_BYTES = 1 << 30 };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(MAX_REPORT_BYTES);
	struct result *result = NULL;
	struct limits limits = limits_default();
	int status = file_read(path, &limits, &text, NULL, err);

	if (status)
		return status;
	status = report_load(buf_str(&text), &result, err);
	if (status)
		return err_file(err, shown(str_from(path)).text);
	status = outputs_write(&options->outputs, result, &options->render, err);
	result_free(result);
	return status;
}

static int run_convert(const struct command *command, int argc, char **argv, struct err *err)
{
	struct report_options options = { .lang = STR("") };
	struct arguments arguments = { 0 };
	int status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help) {
		status = command_operands(&arguments, 1, 1, "the JSON report", err);
		if (!status)
			status = report_options_settle(&options, err);
		if (!status)
			status = convert(&options, arguments.items[0], err);
	}
	outputs_clear(&options.outputs);
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_convert = {
	.name = "convert",
	.summary = "render a JSON report in another format",
	.usage = "REPORT.json [OPTION]...",
	.examples = "  opcheck convert report.json -f html > report.html",
	.options = convert_table,
	.run = run_convert,
};
