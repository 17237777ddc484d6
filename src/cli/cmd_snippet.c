#include "base/decimal.h"
#include "base/utf8.h"
#include "check/snippet.h"
#include "cli/command.h"
#include "cli/common.h"

struct snippet_options {
	struct str torch;
	bool registrations;
};

static const struct option snippet_table[] = {
	{ 0, "torch", "VERSION", "version of PyTorch that will run it (the newest)", FIELD(snippet_options, torch) },
	{ 0, "registrations", NULL, "write down which kernels a machine has", FIELD(snippet_options, registrations) },
	{ 0 },
};

static int parse_version(struct str text, int *ret, struct err *err)
{
	struct str given = text, major_text, minor_text = STR("");
	uint64_t major, minor;

	str_cut(&text, '.', &major_text);
	str_cut(&text, '.', &minor_text);
	if (decimal_unsigned(major_text, &major) && decimal_unsigned(minor_text, &minor) && major <= 9 &&
		minor <= 999) {
		*ret = SNIPPET_VERSION((int)major, (int)minor);
		return 0;
	}
	err_set(err, ERR_VALUE, "'%s' is no version of PyTorch", shown(given).text);
	return err_hint(err, "for example --torch 2.7.1");
}

static int print_snippet(const struct snippet_options *options, struct err *err)
{
	struct buf text = BUF_INIT(1 << 16);
	int version = SNIPPET_NEWEST, status = options->torch.len ? parse_version(options->torch, &version, err) : 0;

	if (status)
		return status;
	if (options->registrations)
		snippet_put_registrations(&text);
	else
		snippet_put(&text, version);
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
	.usage = "[--torch VERSION] | --registrations",
	.examples = "  opcheck snippet --torch 2.1 >> train.py",
	.options = snippet_table,
	.run = run_snippet,
};
