#include "base/decimal.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/common.h"

struct snippet_options {
	struct str torch;
};

static const struct option snippet_table[] = {
	{ 0, "torch", "VERSION", "version of PyTorch that will run it (the newest)", FIELD(snippet_options, torch) },
	{ 0 },
};

enum { NEWEST = 99999 };

/* 2.13.0 as 2013. */
#define VERSION(major, minor) ((major) * 1000 + (minor))

/*
 * The program, line by line, each for the versions that want it. What differs: use_cuda became use_device in 2.1; columns can be
 * had uncut from 1.13; overload names from 2.8; row_limit=-1 lost a row up to 1.5; traces came with torch.profiler in 1.8.1.
 */
static const struct {
	int from, to;
	const char *line;
} lines[] = {
	{ 0, NEWEST, "# Profiles a few steps and writes what opcheck reads: one uncut table a step, and a trace." },
	{ 0, NEWEST, "# Call profile_steps(step) with a function that runs one training step." },
	{ 0, NEWEST, "import torch" },
	{ VERSION(2, 8), NEWEST, "from torch._C._profiler import _ExperimentalConfig" },
	{ 0, NEWEST, "" },
	{ 0, NEWEST, "" },
	{ 0, NEWEST, "def profile_steps(step, steps=4, log=\"profiler.log\", trace=\"profiler.pt.trace.json\"):" },
	{ 0, VERSION(2, 0), "    device = {\"use_cuda\": torch.cuda.is_available()}" },
	{ VERSION(2, 1), NEWEST, "    device = {\"use_device\": \"cuda\"} if torch.cuda.is_available() else {}" },
	{ VERSION(2, 8), NEWEST, "    device[\"experimental_config\"] = _ExperimentalConfig(capture_overload_names=True)" },
	{ 0, NEWEST, "    with open(log, \"w\", encoding=\"utf-8\") as out:" },
	{ 0, NEWEST, "        for _ in range(steps):" },
	{ 0, NEWEST, "            with torch.autograd.profiler.profile(record_shapes=True, **device) as prof:" },
	{ 0, NEWEST, "                step()" },
	{ 0, VERSION(2, 7), "            rows = prof.key_averages(group_by_input_shape=True)" },
	{ VERSION(2, 8), NEWEST, "            rows = prof.key_averages(group_by_input_shape=True, group_by_overload_name=True)" },
	{ 0, VERSION(1, 12), "            out.write(rows.table(sort_by=\"self_cpu_time_total\", row_limit=1000000) + \"\\n\")" },
	{ VERSION(1, 13), NEWEST, "            out.write(rows.table(sort_by=\"self_cpu_time_total\", row_limit=-1," },
	{ VERSION(1, 13), NEWEST, "                                 max_name_column_width=None, max_shapes_column_width=None) + \"\\n\")" },
	{ VERSION(1, 8), NEWEST, "    if not trace:" },
	{ VERSION(1, 8), NEWEST, "        return" },
	{ VERSION(1, 8), NEWEST, "    with torch.profiler.profile(record_shapes=True) as prof:" },
	{ VERSION(1, 8), NEWEST, "        for _ in range(steps):" },
	{ VERSION(1, 8), NEWEST, "            step()" },
	{ VERSION(1, 8), NEWEST, "            prof.step()" },
	{ VERSION(1, 8), NEWEST, "    prof.export_chrome_trace(trace)" },
};

static int parse_version(struct str text, int *ret, struct err *err)
{
	struct str given = text, major_text, minor_text = STR("");
	uint64_t major, minor;

	str_cut(&text, '.', &major_text);
	str_cut(&text, '.', &minor_text);
	if (decimal_unsigned(major_text, &major) && decimal_unsigned(minor_text, &minor) && major <= 9 && minor <= 999) {
		*ret = VERSION((int)major, (int)minor);
		return 0;
	}
	err_set(err, ERR_VALUE, "'%s' is no version of PyTorch", shown(given).text);
	return err_hint(err, "for example --torch 2.7.1");
}

static int print_snippet(const struct snippet_options *options, struct err *err)
{
	struct buf text = BUF_INIT(1 << 16);
	int version = NEWEST, status = options->torch.len ? parse_version(options->torch, &version, err) : 0;

	if (status)
		return status;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (version >= lines[i].from && version <= lines[i].to)
			buf_printf(&text, "%s\n", lines[i].line);
	}
	status = common_print(buf_str(&text), err);
	buf_clear(&text);
	return status;
}

static int run_snippet(const struct command *command, int argc, char **argv, struct err *err)
{
	struct snippet_options options = { .torch = STR("") };
	struct arguments arguments = { 0 };
	int status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help) {
		status = command_operands(&arguments, 0, 0, "", err);
		if (!status)
			status = print_snippet(&options, err);
	}
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_snippet = {
	.name = "snippet",
	.summary = "print a Python fragment that captures a right dump",
	.usage = "[--torch VERSION]",
	.examples = "  opcheck snippet --torch 2.1 >> train.py",
	.options = snippet_table,
	.run = run_snippet,
};
