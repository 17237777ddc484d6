#pragma once
/* Parts of several commands: options, the check of dumps, and the report with its exit status. */
#include "assess/judge/assume.h"
#include "base/setup/limits.h"
#include "base/setup/opt.h"
#include "check/check.h"
#include "check/database/pack.h"
#include "cli/shared/output.h"

/* The first member of every command's options; command_run fills and frees it. */
struct common_options {
	struct limits limits;
	struct str_list targets, overlays;
	struct str as_of; /* path of a pack */
	struct str_list pack_keys;
	bool unsigned_packs;
	struct assumption_list assumptions;
	struct str db, torch, lang, color;
	bool quiet, summary;
	unsigned verbose; /* how often -v was given */
	char *dump;       /* quoted for a shell */
	struct outputs outputs;
	struct render_options render; /* resolved: language, colour and width */
	struct opdb *opdb;            /* of a command that wants the database */
};

void common_init(struct common_options *options, const char *formats);
void common_clear(struct common_options *options);

/* Packs that the options trust; a view of them. */
struct pack_trust common_trust(const struct common_options *options);

/* Opens the database, or the one in the pack of --as-of, with the overlays. */
int common_open_database(struct common_options *options, struct err *err);

/* Let errors and help be in the language given, else that of $OPCHECK_LANG, LC_ALL, LC_MESSAGES or LANG, the first that
   is set; before it they are English. */
void common_speak(struct str given);

/* Resolve language, colour, width and outputs once all options are known. ERR_VALUE, ERR_EXISTS, ERR_OUTPUT. */
int common_settle(struct common_options *options, struct err *err);

/* Writes an answer to the outputs: ERR_EXISTS, ERR_OUTPUT; reads the JSON report in a file. */
int common_write(const struct common_options *options, put_answer *put, const void *answer, struct err *err);
int common_load_report(const struct common_options *options, const char *path, struct result **ret, struct err *err);

/* Run a request over the named dumps, with the database, the limits and progress on standard error; unset members of
   the request are filled in. As check_run. */
int common_check(const struct common_options *options, struct check_request *request, const struct arguments *dumps,
	struct result **ret, struct err *err);

/* Name the only operand in commands that a screen prints; standard input and several operands have no name there. */
void common_name_dump(struct common_options *options, const struct arguments *dumps);

/* A check of the targets of the options, with what the formats that are written show. */
struct check_request common_request(const struct common_options *options);

/* Writes a report; into files alone, the verdicts go to standard error unless quiet. */
int common_write_report(const struct common_options *options, const struct result *result, struct err *err);

/* Print an error on standard error: position, code, text and hint. */
void common_print_error(const struct err *err);
