/*
 * opcheck: from profiler dumps to a readiness report for other accelerators.
 *
 * Exit status: 0 ran and passed, 1 gate failed, 2 usage, 3 input, 4 database, 5 network, 6 output, 70 internal error.
 */
#include <cjson/cJSON.h>
#include <locale.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "assess/gate/gate.h"
#include "base/memory/mem.h"
#include "base/setup/limits.h"
#include "base/setup/translate.h"
#include "base/value/nearest.h"
#include "base/value/utf8.h"
#include "cli/shared/command.h"
#include "report/doc/textw.h"

static const struct command *const commands[] = { &cmd_check, &cmd_scan, &cmd_port, &cmd_plan, &cmd_diagnose,
	&cmd_doctor, &cmd_extract, &cmd_advise, &cmd_buckets, &cmd_compare, &cmd_op, &cmd_targets, &cmd_site,
	&cmd_convert, &cmd_diff, &cmd_snippet, &cmd_explain, &cmd_submit, &cmd_runs, &cmd_fleet, &cmd_demand, &cmd_db,
	&cmd_config, &cmd_redact, &cmd_completion, &cmd_version, NULL };

enum { SUMMARY_COLUMNS = 10, WORDS_A_LINE = 4 };

static void print_help(void)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 16);

	buf_printf(&text,
		"  opcheck check profiler.log              %s\n"
		"  opcheck check profiler.log -t npu@2.7.1 -o html=report.html\n\n%s ",
		translated("which operators run on npu and musa?"), translated("Usage:"));
	options_put_usage(&text, STR("opcheck COMMAND [ARGUMENT]... [OPTION]..."));
	buf_printf(&text, "\n\n%s\n", translated("Commands:"));
	for (size_t i = 0; commands[i]; i++)
		buf_printf(&text, "  %-*s %s\n", SUMMARY_COLUMNS, commands[i]->name, translated(commands[i]->summary));
	buf_printf(&text, "\n%s\n%s\n%s\n", translated("`opcheck COMMAND --help` lists the options of a command."),
		translated("Exit status: 0 passed, 1 gate failed, 2 usage, 3 input, 4 database, 5 network,"),
		translated("6 output, 70 internal error."));
	fputs(buf_text(&text), stdout);
}

static void print_limits(void)
{
	enum { NAME_COLUMNS = 21, INDENT = 36 };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 16);
	struct textw help = { .out = &text, .width = 80 };

	for (size_t i = 0; i < limit_key_count; i++) {
		buf_printf(&text, "  %-*s %-11llu ", NAME_COLUMNS, limit_keys[i].name,
			(unsigned long long)limit_keys[i].initial);
		textw_wrap(&help, str_from(translated(limit_keys[i].help)), INDENT, INDENT);
	}
	fputs(buf_text(&text), stdout);
}

/* Options that make a run fail, apart from --fail-on. */
static void print_gate(void)
{
	struct buf text = BUF_INIT(1 << 16);

	buf_add(&text, STR("  opcheck check profiler.log --fail-on unsupported --max-fallback-time 2%\n\n"));
	buf_printf(&text, "%s\n", translated("Options of check and submit:"));
	options_put_topic(&text, command_options(&cmd_check), "gate");
	buf_printf(&text, "\n%s\n ", translated("Words of --fail-on:"));
	for (size_t i = 0; i < gate_word_count(); i++)
		buf_printf(&text, "%s %.*s", i && i % WORDS_A_LINE == 0 ? "\n " : "", STR_ARG(gate_word(i)));
	buf_byte(&text, '\n');
	fputs(buf_text(&text), stdout);
	buf_clear(&text);
}

/* Properties of a submitted run apart from the model; parts of a text; access to a server apart from its address; an
   older database. */
static const struct {
	const char *name;
	const struct command *command;
	const char *example, *head;
} topics[] = {
	{ "run", &cmd_submit, "  opcheck submit profiler.log --model llama --branch main --tag nightly",
		"Options of submit:" },
	{ "text", &cmd_submit,
		"  opcheck check profiler.log             24 lines; -v adds causes, -vv all\n"
		"  opcheck check profiler.log --section operators",
		"Options of check, submit, scan and convert:" },
	{ "server", &cmd_submit, "  opcheck runs --server https://opcheck.example --ca-file team.pem",
		"Options of submit, runs, fleet and demand:" },
	{ "facts", &cmd_check, "  opcheck check profiler.log --as-of facts-2026-06.pack --key team.pem",
		"Options of check, scan, plan, advise, compare, op, targets and site:" },
};

static bool print_topic(struct str name)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 16);

	for (size_t i = 0; i < ARRAY_SIZE(topics); i++) {
		if (!str_eq(name, str_from(topics[i].name)))
			continue;
		buf_printf(&text, "%s\n\n%s\n", topics[i].example, translated(topics[i].head));
		options_put_topic(&text, command_options(topics[i].command), topics[i].name);
		fputs(buf_text(&text), stdout);
		return true;
	}
	return false;
}

static const struct command *find_command(struct str name)
{
	for (size_t i = 0; commands[i]; i++) {
		if (str_eq(str_from(commands[i]->name), name))
			return commands[i];
	}
	return NULL;
}

/* Options in place of a command: those there are, and what -v may have meant. */
static int unknown_option(struct str name, struct err *err)
{
	struct nearest nearest = NEAREST_TO(name);

	nearest_offer(&nearest, STR("--help"));
	nearest_offer(&nearest, STR("--version"));
	err_set(err, ERR_OPTION, "unknown option '%s'", shown(name).text);
	if (str_eq(name, STR("-v")) || str_eq(name, STR("-V")))
		return err_hint(
			err, "`opcheck version` prints the version; -v follows a command: opcheck check -v FILE");
	if (nearest.count)
		return err_hint(err, "did you mean %.*s?", STR_ARG(nearest.names[0]));
	return err_hint(err, "options follow a command; `opcheck help` lists the commands");
}

/* An argument that can only be a dump: "opcheck profiler.log" runs check. */
static bool is_dump(struct str name)
{
	return str_eq(name, STR("-")) || str_has(name, STR("://")) || (name.len && access(name.ptr, F_OK) == 0);
}

static int unknown_command(struct str name, struct err *err)
{
	struct nearest nearest = NEAREST_TO(name);

	for (size_t i = 0; commands[i]; i++)
		nearest_offer(&nearest, str_from(commands[i]->name));
	err_set(err, ERR_COMMAND, "no command '%s'", shown(name).text);
	if (nearest.count)
		return err_hint(err, "did you mean %.*s?", STR_ARG(nearest.names[0]));
	if (str_has(name, STR(".")) || str_has(name, STR("/")))
		return err_hint(err, "no such file either; `opcheck check FILE` checks a dump");
	return err_hint(err, "`opcheck help` lists the commands");
}

/* "help check", "help limits", "help db diff" */
static int print_help_on(int argc, char **argv, struct err *err)
{
	struct str topic = str_from(argv[0]);
	const struct command *command = find_command(topic);
	char option[] = "--help";

	if (command && command->parts && argc > 1 && argv[1][0] != '-')
		return command_run(command, 2, (char *[]){ argv[1], option, NULL }, err);
	if (str_eq(topic, STR("limits")))
		print_limits();
	else if (str_eq(topic, STR("gate")))
		print_gate();
	else if (command)
		command_help(command);
	else if (!print_topic(topic))
		return unknown_command(topic, err);
	return 0;
}

/* Returns the number of arguments that one of the options of every command takes, 0 for any other argument. */
static int common_option(char **argv)
{
	if (strcmp(argv[0], "--no-color") == 0 || str_starts(str_from(argv[0]), STR("--lang=")))
		return 1;
	return strcmp(argv[0], "--lang") == 0 && argv[1] ? 2 : 0;
}

static int run_program(int argc, char **argv, struct err *err)
{
	struct str name = argc > 1 ? str_from(argv[1]) : STR("");
	const struct command *command = find_command(name);

	if (command)
		return command_run(command, argc - 2, argv + 2, err);
	if (str_eq(name, STR("help")) && argc > 2 && argv[2][0] != '-')
		return print_help_on(argc - 2, argv + 2, err);
	if (str_eq(name, STR("help")) || str_eq(name, STR("--help")) || str_eq(name, STR("-h"))) {
		print_help();
		return 0;
	}
	if (str_eq(name, STR("--version")))
		return command_run(&cmd_version, 0, argv, err);
	if (!name.len || common_option(argv + 1)) {
		err_set(err, ERR_COMMAND, "no command given");
		return err_hint(err, "`opcheck help` lists the commands");
	}
	if (is_dump(name))
		return command_run(&cmd_check, argc - 1, argv + 1, err);
	return name.ptr[0] == '-' ? unknown_option(name, err) : unknown_command(name, err);
}

/* --- options before the command */

/* Moves the options of every command from before the command to the end, or before "--". */
static void move_behind_command(int argc, char **argv)
{
	int end = 1, taken;

	while (end < argc && strcmp(argv[end], "--") != 0)
		end++;
	for (int left = end - 1; left > 0 && (taken = common_option(argv + 1)) && taken < left; left -= taken) {
		char *moved[2] = { argv[1], argv[2] };

		memmove(argv + 1, argv + 1 + taken, (size_t)(end - 1 - taken) * sizeof(argv[0]));
		memcpy(argv + end - taken, moved, (size_t)taken * sizeof(argv[0]));
	}
}

/* The last language given, wherever: errors about other arguments are in it as well. */
static struct str language_given(int argc, char **argv)
{
	struct str lang = STR(""), option = STR("--lang=");

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (str_starts(str_from(argv[i]), option))
			lang = str_skip(str_from(argv[i]), option.len);
		else if (common_option(argv + i) > 1)
			lang = str_from(argv[++i]);
	}
	return lang;
}

/* Reading, parsing and collecting run side by side: none of them shall interrupt another that has the processor, as a
   thread that wakes may. Nothing depends on it. */
static void prefer_throughput(void)
{
	const struct sched_param none = { 0 };

	if (sched_getscheduler(0) == SCHED_OTHER)
		sched_setscheduler(0, SCHED_BATCH, &none);
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	int status;

	/* cJSON never fails for lack of memory, so its trees are whole */
	cJSON_InitHooks(&(cJSON_Hooks){ mem_zalloc, free });
	prefer_throughput();
	setlocale(LC_CTYPE, "C.UTF-8");
	common_speak(language_given(argc, argv));
	move_behind_command(argc, argv);
	command_begin(commands);
	status = run_program(argc, argv, &err);
	command_end();
	if (status >= 0 && (fflush(stdout) || ferror(stdout)))
		status = err_set(&err, ERR_OUTPUT, "cannot write to standard output");
	if (status >= 0)
		return status;
	common_print_error(&err);
	return err_exit_status(err.code);
}
