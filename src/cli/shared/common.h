#pragma once
/* Parts of several commands: options, the check of dumps, and the report with its exit status. */
#include "assess/judge/assume.h"
#include "base/setup/limits.h"
#include "base/setup/opt.h"
#include "check/check.h"
#include "cli/shared/output.h"

/* The first member of every command's options; command_run fills and frees it. */
struct common_options {
	struct limits limits;
	struct str_list targets, overlays;
	struct assumption_list assumptions;
	struct str db, torch, lang, color;
	bool quiet;
	struct outputs outputs;
	struct render_options render; /* resolved: language, colour and width */
	struct opdb *opdb;            /* of a command that wants the database */
};

int common_set_limit(void *ctx, struct str value, struct err *err);
int common_set_format(void *ctx, struct str value, struct err *err);
int common_add_output(void *ctx, struct str value, struct err *err);
int common_add_assumption(void *ctx, const char *name, struct str value, struct err *err);

/* Rows of option tables. */
/* clang-format off */
#define OPTION_TARGET \
	{ 't', "target", "TARGET", "release to check against, repeatable (npu@2.7.1)", LIST(common_options, targets) }
#define OPTION_TORCH \
	{ 0, "torch", "VERSION", "only releases for this version of PyTorch", FIELD(common_options, torch) }
/* A term of check/asked/terms.h, which says its value and its help. */
#define TERM(name, function) { 0, name, .set_named = (function) }
#define OPTION_DB \
	{ 0, "db", "FILE", "support database", FIELD(common_options, db) }
#define OPTION_OVERLAY \
	{ 0, "overlay", "FILE", "facts of your own site, repeatable", LIST(common_options, overlays) }
#define OPTION_LIMIT \
	{ 0, "limit", "NAME=N", "set a limit; `opcheck help limits` lists them", CALL(common_set_limit) }
#define OPTION_LANG { 0, "lang", "LANG", "en, zh-CN, or all: a page with both", FIELD(common_options, lang) }
#define OPTION_COLOR { 0, "color", "WHEN", "auto, always or never", FIELD(common_options, color) }
#define OPTION_QUIET(help) { 'q', "quiet", NULL, help, FIELD(common_options, quiet) }
#define OPTION_VERBOSE(help) { 'v', "verbose", NULL, help, FIELD(common_options, render.all) }
#define OPTIONS_OUTPUT(formats) \
	{ 'f', "format", "FORMAT", formats, CALL(common_set_format) }, \
	{ 'o', "output", "[FORMAT=]PATH", "write a file, format by its suffix; repeatable", CALL(common_add_output) }, \
	{ 0, "force", NULL, "replace files that exist", FIELD(common_options, outputs.replace) }
/* Of commands whose answer is a report. */
#define OPTIONS_REPORT \
	OPTIONS_OUTPUT("text, json, html, md, csv; for CI: sarif, junit ..."), \
	OPTION_LANG, \
	OPTION_COLOR, \
	OPTION_VERBOSE("list every operator and finding"), \
	OPTION_QUIET("no summary on standard error"), \
	{ 0, "csv-bom", NULL, "begin CSV with a byte order mark", FIELD(common_options, render.byte_order_mark) }
/* clang-format on */

void common_init(struct common_options *options, const char *formats);
void common_clear(struct common_options *options);

/* Resolve language, colour, width and outputs once all options are known. ERR_VALUE, ERR_EXISTS, ERR_OUTPUT. */
int common_settle(struct common_options *options, struct err *err);

/* Writes an answer to the outputs: ERR_EXISTS, ERR_OUTPUT; reads the JSON report in a file. */
int common_write(const struct common_options *options, put_answer *put, const void *answer, struct err *err);
int common_load_report(const struct common_options *options, const char *path, struct result **ret, struct err *err);

/* Run a request over the named dumps, with the database, the limits and progress on standard error; unset members of
   the request are filled in. As check_run. */
int common_check(const struct common_options *options, struct check_request *request, const struct arguments *dumps,
	struct result **ret, struct err *err);

/* A check of the targets of the options, with what the formats that are written show. */
struct check_request common_request(const struct common_options *options);

/* Writes a report; into files alone, the verdicts go to standard error unless quiet. */
int common_write_report(const struct common_options *options, const struct result *result, struct err *err);

/* Print an error on standard error: position, code, text and hint. */
void common_print_error(const struct err *err);
