/* `opcheck completion SHELL`: scripts for bash, zsh and fish, made of the tables of commands and options. */
#include "assess/gate/gate.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "cli/shared/command.h"
#include "report/render.h"

static const struct option completion_table[] = {
	{ 0 },
};

/* --- what may follow an option */

/* Values of options by name; formats are those of the command. */
static const struct {
	const char *option, *values;
} fixed_values[] = {
	{ "lang", "en zh-CN all" },
	{ "color", "auto always never" },
	{ "target", "npu musa" },
	{ "by", "operators calls time" },
	{ "dtype", "fp32 fp16 bf16" },
};

static void put_formats(struct buf *out, const struct command *command)
{
	if (command->formats)
		buf_printf(out, "%s", command->formats);
	for (size_t i = 0; !command->formats && i < renderer_count; i++)
		buf_printf(out, "%s%s", i ? " " : "", renderers[i].name);
}

/* The words that an option of a command takes, with blanks between them; "" where that is anything. */
static struct buf values_of(const struct command *command, const struct option *option)
{
	struct buf out = BUF_UNLIMITED;

	if (!option->value)
		return out;
	if (strcmp(option->name, "format") == 0)
		put_formats(&out, command);
	for (size_t i = 0; strcmp(option->name, "fail-on") == 0 && command != &cmd_diff && i < gate_word_count(); i++)
		buf_printf(&out, "%s%.*s", i ? " " : "", STR_ARG(gate_word(i)));
	for (size_t i = 0; i < ARRAY_SIZE(fixed_values); i++) {
		if (strcmp(option->name, fixed_values[i].option) == 0)
			buf_printf(&out, "%s", fixed_values[i].values);
	}
	return out;
}

/* --- a walk over all commands */

typedef void put_command(struct buf *out, const struct command *command);

static void put_each(struct buf *out, put_command *put)
{
	const struct command *const *commands = command_table();

	for (size_t i = 0; commands[i]; i++) {
		if (!commands[i]->parts)
			put(out, commands[i]);
		for (size_t k = 0; commands[i]->parts && commands[i]->parts[k]; k++)
			put(out, commands[i]->parts[k]);
	}
}

/* The last word of a name: "info" of "db info". */
static const char *own_name(const struct command *command)
{
	const char *blank = strrchr(command->name, ' ');

	return blank ? blank + 1 : command->name;
}

static void put_names(struct buf *out, const struct command *const *list)
{
	for (size_t i = 0; list[i]; i++)
		buf_printf(out, "%s%s", i ? " " : "", own_name(list[i]));
}

/* --- bash */

static void put_bash_command(struct buf *out, const struct command *command)
{
	buf_printf(out, "\t'%s')\n\t\toptions='--help", command->name);
	for (const struct option *option = command_options(command); option->name; option++) {
		if (option->help)
			buf_printf(out, " --%s", option->name);
	}
	buf_add(out, STR("'\n\t\tcase $option in\n"));
	for (const struct option *option = command_options(command); option->name; option++) {
		CLEANUP(buf_clear) struct buf values = values_of(command, option);

		if (values.len && option->short_name)
			buf_printf(out, "\t\t--%s | -%c) words='%s' ;;\n", option->name, option->short_name,
				buf_text(&values));
		else if (values.len)
			buf_printf(out, "\t\t--%s) words='%s' ;;\n", option->name, buf_text(&values));
	}
	buf_add(out, STR("\t\tesac ;;\n"));
}

static void put_bash(struct buf *out)
{
	const struct command *const *commands = command_table();

	buf_add(out, STR("# bash completion for opcheck; source it, or install it as\n"
			 "# /usr/share/bash-completion/completions/opcheck\n"
			 "_opcheck()\n{\n"
			 "\tlocal word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} words= options=\n"
			 "\tlocal command=${COMP_WORDS[1]} commands='help "));
	put_names(out, commands);
	buf_add(out, STR("'\n\tif [[ $word == = ]]; then word=; elif [[ $option == = ]]; then "
			 "option=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
			 "\tif ((COMP_CWORD == 1)); then\n"
			 "\t\tCOMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$word\"))\n"
			 "\t\treturn\n\tfi\n"));
	for (size_t i = 0; commands[i]; i++) {
		if (!commands[i]->parts)
			continue;
		buf_printf(out,
			"\tif [[ $command == %s ]]; then\n\t\tif ((COMP_CWORD == 2)); then\n\t\t\tCOMPREPLY=($(compgen "
			"-W '",
			commands[i]->name);
		put_names(out, commands[i]->parts);
		buf_add(out, STR("' -- \"$word\"))\n\t\t\treturn\n\t\tfi\n\t\tcommand+=\" ${COMP_WORDS[2]}\"\n\tfi\n"));
	}
	buf_add(out, STR("\tcase $command in\n\thelp) words=\"$commands limits gate text run server facts\" ;;\n"));
	put_each(out, put_bash_command);
	buf_add(out, STR("\tesac\n"
			 "\tif [[ -n $words ]]; then\n\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
			 "\telif [[ $word == -* ]]; then\n\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
			 "\telse\n\t\tCOMPREPLY=()\n\tfi\n}\n"
			 "complete -o default -o bashdefault -F _opcheck opcheck\n"));
}

/* --- zsh */

/* Text between single quotes of a specification of _arguments. */
static void put_zsh_text(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			buf_add(out, STR("'\\''"));
		else if (strchr("[]:\\", *text))
			buf_printf(out, "\\%c", *text);
		else
			buf_byte(out, *text);
	}
}

static void put_zsh_option(struct buf *out, const struct command *command, const struct option *option)
{
	CLEANUP(buf_clear) struct buf values = values_of(command, option);

	if (option->short_name)
		buf_printf(out, " \\\n\t\t\t'*'{-%c%s,--%s%s}'[", option->short_name, option->value ? "+" : "",
			option->name, option->value ? "=" : "");
	else
		buf_printf(out, " \\\n\t\t\t'*--%s%s[", option->name, option->value ? "=" : "");
	put_zsh_text(out, option->help);
	buf_byte(out, ']');
	if (option->value) {
		buf_byte(out, ':');
		put_zsh_text(out, option->value);
		if (values.len)
			buf_printf(out, ":(%s)", buf_text(&values));
		else
			buf_add(out, STR(":_files"));
	}
	buf_byte(out, '\'');
}

static void put_zsh_command(struct buf *out, const struct command *command)
{
	buf_printf(out, "\t'%s')\n\t\t_arguments '--help[this text]'", command->name);
	for (const struct option *option = command_options(command); option->name; option++) {
		if (option->help)
			put_zsh_option(out, command, option);
	}
	buf_add(out, STR(" \\\n\t\t\t'*:file:_files' ;;\n"));
}

static void put_zsh_list(struct buf *out, const struct command *const *list)
{
	buf_add(out, STR("names=("));
	for (size_t i = 0; list[i]; i++) {
		buf_printf(out, "\n\t\t'%s:", own_name(list[i]));
		put_zsh_text(out, list[i]->summary);
		buf_byte(out, '\'');
	}
	buf_add(out, STR(")\n"));
}

static void put_zsh(struct buf *out)
{
	const struct command *const *commands = command_table();

	buf_add(out,
		STR("#compdef opcheck\n# zsh completion for opcheck; put it into a directory of $fpath as _opcheck\n"
		    "_opcheck()\n{\n\tlocal -a names\n\tlocal command=$words[2]\n"
		    "\tif ((CURRENT == 2)); then\n\t\t"));
	put_zsh_list(out, commands);
	buf_add(out, STR("\t\t_describe command names\n\t\t_files\n\t\treturn\n\tfi\n"));
	for (size_t i = 0; commands[i]; i++) {
		if (!commands[i]->parts)
			continue;
		buf_printf(
			out, "\tif [[ $command == %s ]]; then\n\t\tif ((CURRENT == 3)); then\n\t\t", commands[i]->name);
		put_zsh_list(out, commands[i]->parts);
		buf_add(out, STR("\t\t_describe part names\n\t\treturn\n\t\tfi\n\t\tcommand+=\" $words[3]\"\n\tfi\n"));
	}
	buf_add(out, STR("\tcase $command in\n"));
	put_each(out, put_zsh_command);
	buf_add(out, STR("\t*) _files ;;\n\tesac\n}\n_opcheck \"$@\"\n"));
}

/* --- fish */

static void put_fish_text(struct buf *out, const char *text)
{
	buf_byte(out, '\'');
	for (; *text; text++)
		buf_printf(out, strchr("'\\", *text) ? "\\%c" : "%c", *text);
	buf_byte(out, '\'');
}

/* The condition under which the options of a command are offered. */
static void put_fish_condition(struct buf *out, const struct command *command)
{
	const char *blank = strrchr(command->name, ' ');

	buf_add(out, STR("complete -c opcheck -n '__fish_seen_subcommand_from "));
	if (blank)
		buf_printf(out, "%.*s; and __fish_seen_subcommand_from ", (int)(blank - command->name), command->name);
	buf_printf(out, "%s'", own_name(command));
}

static void put_fish_command(struct buf *out, const struct command *command)
{
	for (const struct option *option = command_options(command); option->name; option++) {
		CLEANUP(buf_clear) struct buf values = values_of(command, option);

		if (!option->help)
			continue;
		put_fish_condition(out, command);
		if (option->short_name)
			buf_printf(out, " -s %c", option->short_name);
		buf_printf(out, " -l %s%s", option->name, option->value ? " -r" : "");
		if (values.len)
			buf_printf(out, " -f -a '%s'", buf_text(&values));
		buf_add(out, STR(" -d "));
		put_fish_text(out, option->help);
		buf_byte(out, '\n');
	}
}

static void put_fish(struct buf *out)
{
	const struct command *const *commands = command_table();

	buf_add(out, STR("# fish completion for opcheck; install it as ~/.config/fish/completions/opcheck.fish\n"));
	buf_add(out, STR("complete -c opcheck -s h -l help -d 'this text'\n"));
	for (size_t i = 0; commands[i]; i++) {
		buf_printf(out, "complete -c opcheck -n __fish_use_subcommand -a %s -d ", commands[i]->name);
		put_fish_text(out, commands[i]->summary);
		buf_byte(out, '\n');
		for (size_t k = 0; commands[i]->parts && commands[i]->parts[k]; k++) {
			buf_printf(out, "complete -c opcheck -n '__fish_seen_subcommand_from %s' -f -a %s -d ",
				commands[i]->name, own_name(commands[i]->parts[k]));
			put_fish_text(out, commands[i]->parts[k]->summary);
			buf_byte(out, '\n');
		}
	}
	put_each(out, put_fish_command);
}

static const struct {
	struct str name;
	void (*put)(struct buf *out);
} shells[] = {
	{ STR("bash"), put_bash },
	{ STR("zsh"), put_zsh },
	{ STR("fish"), put_fish },
};

static int run_completion(void *ctx UNUSED, const struct arguments *arguments, struct err *err)
{
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;
	struct str name = str_from(arguments->items[0]);

	for (size_t i = 0; i < ARRAY_SIZE(shells); i++) {
		if (!str_eq(name, shells[i].name))
			continue;
		shells[i].put(&out);
		return output_print(buf_str(&out), err);
	}
	err_set(err, ERR_VALUE, "no completion for '%s'", shown(name).text);
	return err_hint(err, "choose one of bash, zsh, fish");
}

const struct command cmd_completion = {
	.name = "completion",
	.summary = "print a completion script for bash, zsh or fish",
	.usage = "bash|zsh|fish",
	.examples = "  opcheck completion bash > ~/.local/share/bash-completion/completions/opcheck",
	.options = completion_table,
	.options_size = sizeof(struct common_options),
	.operand = "the shell",
	.min_operands = 1,
	.max_operands = 1,
	.run = run_completion,
};
