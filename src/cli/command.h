#pragma once
/*
 * The commands of opcheck, in one table: main dispatches by it, help and the manual are checked against it.
 */
#include "base/opt.h"

struct command {
	const char *name;
	const char *summary;  /* one line */
	const char *usage;    /* what follows the name: "FILE... [OPTION]..." */
	const char *examples; /* one or two lines, each "  opcheck ..." */
	const struct option *options;
	/* Runs with the arguments after the name. Returns 0, 1 (the gate failed) or a negative code with *err filled. */
	int (*run)(const struct command *command, int argc, char **argv, struct err *err);
};

extern const struct command cmd_check, cmd_extract, cmd_op, cmd_targets, cmd_db, cmd_convert, cmd_snippet, cmd_explain,
	cmd_submit, cmd_version, cmd_buckets, cmd_advise, cmd_compare, cmd_config, cmd_diff;

/* The table, ended by NULL. */
extern const struct command *const commands[];

/* Parses a command's arguments over what the configuration says; --help prints its help and sets ret->help, whatever the
   configuration. What is set lives until command_end. */
int command_parse(
	const struct command *command, int argc, char **argv, void *ctx, struct arguments *ret, struct err *err);

/* Frees what commands share, at the end of the program. */
void command_end(void);

/* Prints an error on standard error: where, code, text and hint. */
void command_print_error(const struct err *err);

/* Prints the help of a command, fitting 80 columns. */
void command_help(const struct command *command);

/* ERR_ARGUMENT unless there are between min and max operands; what names them. */
int command_operands(const struct arguments *arguments, size_t min, size_t max, const char *what, struct err *err);
