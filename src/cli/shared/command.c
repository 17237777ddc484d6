#include "cli/shared/command.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/utf8.h"
#include "check/asked/config.h"
#include "check/asked/config_keys.h"
#include "check/asked/terms.h"
#include "cli/shared/operands.h"

/* The settings of this run: a command runs once. */
static struct config config;

/* Tables of options with the terms described, by command. */
static MEM_LIST(struct described {
	const struct command *command;
	struct option *options;
}) described;

/* The program's commands; the command that lists them is among them. */
static const struct command *const *table;

void command_begin(const struct command *const *commands)
{
	table = commands;
	config = config_of(config_keys());
}

const struct command *const *command_table(void)
{
	return table;
}

void command_end(void)
{
	config_clear(&config);
	for (size_t i = 0; i < described.count; i++)
		free(described.items[i].options);
	free(described.items);
}

/* --- options */

static struct option describe_option(struct option option)
{
	const struct term *term = option.set_named ? term_named(str_from(option.name)) : NULL;

	if (term) {
		option.value = term->value;
		option.help = term_help(term);
		option.topic = term->topic;
	}
	return option;
}

static int set_no_color(void *ctx, struct str value UNUSED, struct err *err UNUSED)
{
	((struct common_options *)ctx)->color = STR("never");
	return 0;
}

static bool has_option(const struct option *options, const char *name)
{
	for (; options->name; options++) {
		if (strcmp(options->name, name) == 0)
			return true;
	}
	return false;
}

const struct option *command_options(const struct command *command)
{
	/* every command takes these, though not every help lists them */
	static const struct option everywhere[] = {
		{ 0, "lang", "LANG", NULL, FIELD(common_options, lang) },
		{ 0, "no-color", NULL, NULL, CALL(set_no_color) },
	};
	size_t count = options_count(command->options);
	struct described ret = { .command = command };

	for (size_t i = 0; i < described.count; i++) {
		if (described.items[i].command == command)
			return described.items[i].options;
	}
	ret.options = mem_zalloc((count + ARRAY_SIZE(everywhere) + 1) * sizeof(ret.options[0]));
	for (size_t i = 0; i < count; i++)
		ret.options[i] = describe_option(command->options[i]);
	for (size_t i = 0; i < ARRAY_SIZE(everywhere); i++) {
		if (!has_option(ret.options, everywhere[i].name))
			ret.options[count++] = everywhere[i];
	}
	MEM_PUSH(&described, ret);
	return ret.options;
}

/* --- help */

static void put_usage(struct buf *text, const char *begin, const struct command *command)
{
	buf_printf(text, "%s opcheck %s ", begin, command->name);
	options_put_usage(text, str_from(command->usage));
	buf_byte(text, '\n');
}

static void put_group_help(struct buf *text, const struct command *group)
{
	const char *usage = translated("Usage:");
	CLEANUP(buf_clear) struct buf indent = BUF_INIT(80);

	buf_printf(&indent, "%*s", (int)utf8_columns(str_from(usage)), "");
	for (size_t i = 0; group->parts[i]; i++)
		put_usage(text, i ? buf_text(&indent) : usage, group->parts[i]);
	buf_byte(text, '\n');
	buf_printf(text, translated("`opcheck %s %s --help` lists the options of a part."), group->name, "PART");
	buf_byte(text, '\n');
}

void command_help(const struct command *command)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 16);

	buf_printf(&text, "%s\n\n", command->examples);
	if (command->parts) {
		put_group_help(&text, command);
	} else {
		put_usage(&text, translated("Usage:"), command);
		buf_printf(&text, "\n%s\n", translated("Options:"));
		options_put_help(&text, command_options(command));
	}
	fputs(buf_text(&text), stdout);
}

/* --- arguments */

static int apply_configuration(const struct command *command, const struct option *known,
	struct argument_vector arguments, void *options, struct err *err)
{
	CLEANUP(mem_release) bool *given = mem_zalloc((options_count(known) + 1) * sizeof(given[0]));
	bool help = false;
	int status = options_given(known, arguments, given, &help, err);

	if (status || help || !config_concerns(&config, known, command->name))
		return status;
	status = config_read_usual(&config, err);
	if (!status)
		status = config_apply(&config, &(struct config_use){ command->name, known, given, options }, err);
	return status;
}

int command_operands(const struct arguments *arguments, size_t min, size_t max, const char *what, struct err *err)
{
	if (arguments->count < min)
		return err_set(err, ERR_ARGUMENT, "%s is missing", translated(what));
	if (arguments->count > max)
		return err_set(
			err, ERR_ARGUMENT, "unexpected argument '%s'", shown(str_from(arguments->items[max])).text);
	return 0;
}

static int run_parsed(const struct command *command, struct common_options *options, const struct arguments *arguments,
	struct err *err)
{
	int status = command_operands(arguments, command->min_operands, command->max_operands, command->operand, err);

	if (!status)
		status = common_settle(options, err);
	if (!status && command->settle)
		status = command->settle(options, arguments, err);
	if (!status && command->database)
		status = common_open_database(options, err);
	if (!status)
		status = command->run(options, arguments, err);
	return status < 0 ? operands_hint(arguments, err) : status;
}

static int run_single(const struct command *command, struct argument_vector given, struct err *err)
{
	const struct option *known = command_options(command);
	struct common_options *options = mem_zalloc(command->options_size);
	struct arguments arguments = { 0 };
	int status;

	common_init(options, command->formats);
	if (command->init)
		command->init(options);
	status = command->refuse ? command->refuse(given, err) : 0;
	if (!status)
		status = apply_configuration(command, known, given, options, err);
	if (!status)
		status = options_parse(known, given, options, &arguments, err);
	if (!status && arguments.help)
		command_help(command);
	else if (!status)
		status = run_parsed(command, options, &arguments, err);
	arguments_clear(&arguments);
	if (command->clear)
		command->clear(options);
	options_clear(known, options);
	common_clear(options);
	free(options);
	if ((status == -ERR_OPTION || status == -ERR_ARGUMENT) && !err->hint[0])
		err_hint(err, "see `opcheck %s --help`", command->name);
	return status;
}

/* --- groups */

static const char *part_name(const struct command *group, const struct command *part)
{
	return part->name + strlen(group->name) + 1;
}

static int unknown_part(const struct command *group, struct str name, struct err *err)
{
	CLEANUP(buf_clear) struct buf list = BUF_INIT(400);

	for (size_t i = 0; group->parts[i]; i++)
		buf_printf(&list, "%s%s", i ? ", " : "", part_name(group, group->parts[i]));
	if (name.len)
		err_set(err, ERR_COMMAND, "opcheck %s has no '%s'", group->name, shown(name).text);
	else
		err_set(err, ERR_COMMAND, "opcheck %s needs a subcommand", group->name);
	return err_hint(err, "choose one of %s", buf_text(&list));
}

static int run_part(const struct command *group, int argc, char **argv, struct err *err)
{
	struct str name = argc > 0 ? str_from(argv[0]) : STR("");

	if (str_eq(name, STR("--help")) || str_eq(name, STR("-h"))) {
		command_help(group);
		return 0;
	}
	for (size_t i = 0; group->parts[i]; i++) {
		if (str_eq(name, str_from(part_name(group, group->parts[i]))))
			return command_run(group->parts[i], argc - 1, argv + 1, err);
	}
	return unknown_part(group, name, err);
}

int command_run(const struct command *command, int argc, char **argv, struct err *err)
{
	return command->parts ? run_part(command, argc, argv, err)
			      : run_single(command, (struct argument_vector){ argc, argv }, err);
}
