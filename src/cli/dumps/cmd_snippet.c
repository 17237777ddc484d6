#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "cli/shared/command.h"
#include "report/sections/snippet.h"

struct snippet_options {
	struct common_options common;
	bool registrations;
};

static const struct option snippet_table[] = {
	{ 0, "torch", "VERSION", "version of PyTorch that will run it (the newest)", FIELD(common_options, torch) },
	{ 0, "registrations", NULL, "list the kernels that a machine has registered",
		FIELD(snippet_options, registrations) },
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
	err_set(err, ERR_VALUE, "'%s' is not a version of PyTorch", shown(given).text);
	return err_hint(err, "for example --torch 2.7.1");
}

static int run_snippet(void *ctx, const struct arguments *arguments UNUSED, struct err *err)
{
	const struct snippet_options *options = ctx;
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 16);
	int version = SNIPPET_NEWEST;
	int status = options->common.torch.len ? parse_version(options->common.torch, &version, err) : 0;

	if (status)
		return status;
	if (options->registrations)
		snippet_put_registrations(&text);
	else
		snippet_put(&text, version);
	return output_print(buf_str(&text), err);
}

const struct command cmd_snippet = {
	.name = "snippet",
	.summary = "print Python code that captures a complete dump",
	.usage = "[--torch VERSION] | --registrations",
	.examples = "  opcheck snippet --torch 2.1 >> train.py",
	.options = snippet_table,
	.options_size = sizeof(struct snippet_options),
	.run = run_snippet,
};
