#pragma once
/*
 * The commands of opcheck, in one table: main dispatches by it, help, completions and the manual are made of it or
 * checked against it.
 *
 * command_run does the common work of all commands: it parses the arguments over the configuration, counts the
 * operands, resolves language and outputs, opens the database, and frees the options.
 */
#include "cli/shared/option_rows.h"

struct command {
	const char *name;     /* a part of a group has its name as well: "db info" */
	const char *summary;  /* one line */
	const char *usage;    /* arguments after the name: "FILE... [OPTION]..." */
	const char *examples; /* one or two lines, each "  opcheck ..." */
	const struct option *options;
	/* of the struct they set, which begins with a struct common_options; its bytes start as 0 */
	size_t options_size;
	const char *formats; /* words of --format, the first by default; NULL: those of a report */
	const char *operand; /* name of a missing one in an error: "the dump to check" */
	size_t min_operands, max_operands;
	bool database; /* is open while the command runs: common->opdb */

	/* Refuses arguments of an earlier version before any option is read; NULL: none. */
	int (*refuse)(struct argument_vector given, struct err *err);
	/* Defaults that are not 0; NULL: none. */
	void (*init)(void *options);
	/* Checks what the options say, before any work; NULL: nothing. */
	int (*settle)(void *options, const struct arguments *arguments, struct err *err);
	/* Returns 0, 1 (the gate failed) or a negative code with *err filled. */
	int (*run)(void *options, const struct arguments *arguments, struct err *err);
	/* Frees what the options hold beside the common ones and lists; NULL: nothing. */
	void (*clear)(void *options);

	const struct command *const *parts; /* of a group such as db, ended by NULL; it has nothing else of the above */
};

extern const struct command cmd_check, cmd_extract, cmd_op, cmd_targets, cmd_db, cmd_convert, cmd_snippet, cmd_explain,
	cmd_submit, cmd_version, cmd_buckets, cmd_advise, cmd_compare, cmd_config, cmd_diff, cmd_redact, cmd_completion,
	cmd_scan, cmd_port, cmd_plan, cmd_diagnose, cmd_doctor, cmd_runs, cmd_fleet, cmd_demand, cmd_site;
/* The parts of db. */
extern const struct command cmd_db_build, cmd_db_info, cmd_db_verify, cmd_db_import, cmd_db_diff, cmd_db_score,
	cmd_db_check_overlay, cmd_db_export, cmd_db_install, cmd_db_rollback;

/* Take the table of the program, ended by NULL, before any command runs; it outlives them. */
void command_begin(const struct command *const *commands);

/* The options of a command, terms with what they say (check/asked/terms.h). */
const struct option *command_options(const struct command *command);

/* The table that command_begin took. */
const struct command *const *command_table(void);

/* Run a command with the arguments after its name. Returns as struct command's run. */
int command_run(const struct command *command, int argc, char **argv, struct err *err);

/* Frees what commands share, at the end of the program. */
void command_end(void);

/* Prints the help of a command, fitting 80 columns. */
void command_help(const struct command *command);

/* ERR_ARGUMENT unless the number of operands is between min and max; what names them. */
int command_operands(const struct arguments *arguments, size_t min, size_t max, const char *what, struct err *err);
