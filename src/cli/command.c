#include "cli/command.h"

#include <stdio.h>

#include "base/utf8.h"

enum { OPTION_COLUMNS = 26 };

int command_parse(const struct command *command, int argc, char **argv, void *ctx, struct arguments *ret, struct err *err)
{
	int status = options_parse(command->options, argc, argv, ctx, ret, err);

	if (status) {
		if (err->code == ERR_OPTION || err->code == ERR_ARGUMENT)
			err_hint(err, "`opcheck %s --help` lists the options", command->name);
		return status;
	}
	if (ret->help)
		command_help(command);
	return 0;
}

static void print_option(const struct option *option)
{
	char text[80];
	int len = snprintf(text, sizeof(text), "%s%c%s --%s%s%s", option->short_name ? "-" : " ",
		option->short_name ? option->short_name : ' ', option->short_name ? "," : " ", option->name,
		option->value ? "=" : "", option->value ? option->value : "");

	printf("  %-*s", OPTION_COLUMNS, text);
	if (len > OPTION_COLUMNS)
		printf("\n  %-*s", OPTION_COLUMNS, "");
	printf(" %s\n", option->help);
}

void command_help(const struct command *command)
{
	printf("%s\n\nUsage: opcheck %s %s\n\nOptions:\n", command->examples, command->name, command->usage);
	for (const struct option *option = command->options; option->name; option++) {
		if (option->help)
			print_option(option);
	}
	printf("  %-*s %s\n", OPTION_COLUMNS, "-h, --help", "this text");
}

int command_operands(const struct arguments *arguments, size_t min, size_t max, const char *what, struct err *err)
{
	if (arguments->count < min) {
		err_set(err, ERR_ARGUMENT, "%s is missing", what);
		return -err->code;
	}
	if (arguments->count > max) {
		err_set(err, ERR_ARGUMENT, "'%s' is one argument too many", shown(str_from(arguments->items[max])).text);
		return -err->code;
	}
	return 0;
}
