#include "cli/command.h"

static const struct option submit_table[] = { { 0 } };

static int run_submit(const struct command *command, int argc, char **argv, struct err *err)
{
	struct arguments arguments = { 0 };
	return command_parse(command, argc, argv, NULL, &arguments, err);
}

const struct command cmd_submit = { .name = "submit", .summary = "send a dump to a server", .usage = "FILE", .examples = "", .options = submit_table, .run = run_submit };
