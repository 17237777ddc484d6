#include "cli/command.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "check/config_keys.h"

/* What the settings of this run live in: a command runs once. */
static struct config config = { .keys = config_keys, .arena = ARENA_INIT(ARENA_UNLIMITED) };

void command_end(void)
{
	config_clear(&config);
}

static int configure(const struct command *command, int argc, char **argv, void *ctx, struct err *err)
{
	CLEANUP(mem_release) bool *given = mem_zalloc(options_count(command->options) * sizeof(given[0]));
	bool help = false;
	int status = options_given(command->options, argc, argv, given, &help, err);

	if (status || help || !config_concerns(&config, command->options, command->name))
		return status;
	status = config_read_usual(&config, err);
	return status ? status : config_apply(&config, command->options, given, command->name, ctx, err);
}

int command_parse(
	const struct command *command, int argc, char **argv, void *ctx, struct arguments *ret, struct err *err)
{
	int status = configure(command, argc, argv, ctx, err);

	if (!status)
		status = options_parse(command->options, argc, argv, ctx, ret, err);
	if (status) {
		if (err->code == ERR_OPTION || err->code == ERR_ARGUMENT)
			err_hint(err, "`opcheck %s --help` lists the options", command->name);
		return status;
	}
	if (ret->help)
		command_help(command);
	return 0;
}

void command_help(const struct command *command)
{
	struct buf text = BUF_INIT(1 << 16);

	buf_printf(&text, "%s\n\nUsage: opcheck %s %s\n\nOptions:\n", command->examples, command->name, command->usage);
	options_put_help(&text, command->options);
	fputs(buf_text(&text), stdout);
	buf_clear(&text);
}

int command_operands(const struct arguments *arguments, size_t min, size_t max, const char *what, struct err *err)
{
	if (arguments->count < min) {
		return err_set(err, ERR_ARGUMENT, "%s is missing", what);
	}
	if (arguments->count > max) {
		return err_set(err, ERR_ARGUMENT, "'%s' is one argument too many",
			shown(str_from(arguments->items[max])).text);
	}
	return 0;
}
