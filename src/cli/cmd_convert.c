#include "base/utf8.h"
#include "cli/command.h"
#include "cli/common.h"
#include "io/source.h"
#include "report/load.h"

static const struct option convert_table[] = {
	REPORT_OPTIONS,
	{ 0 },
};

static int read_whole(const char *path, const struct limits *limits, struct buf *text, struct err *err)
{
	struct source *source;
	struct str chunk;
	int status = source_open(path, limits, &source, err);

	if (status)
		return status;
	while ((status = source_next(source, &chunk, err)) == 1)
		buf_add(text, chunk);
	source_close(source);
	if (!status && text->full)
		return err_set(err, ERR_LIMIT, "the report has more than %zu bytes", text->max_bytes);
	return status;
}

static int convert(const struct report_options *options, const char *path, struct err *err)
{
	enum { MAX_REPORT_BYTES = 1 << 30 };
	struct buf text = BUF_INIT(MAX_REPORT_BYTES);
	struct result *result = NULL;
	struct limits limits = limits_default();
	int status = read_whole(path, &limits, &text, err);

	if (!status)
		status = report_load(buf_str(&text), &result, err);
	buf_clear(&text);
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
