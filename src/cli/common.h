#pragma once
/* What several commands share: the language, colours, and where a report goes. */
#include "base/limits.h"
#include "base/opt.h"
#include "check/check.h"
#include "report/render.h"

/* The language given, or of $OPCHECK_LANG, LC_ALL, LC_MESSAGES, LANG. ERR_VALUE for one that is given and not known. */
int common_lang(struct str given, enum lang *ret, struct err *err);

/* A report's ways out: the format on standard output, and files. */
struct outputs {
	const struct renderer *format; /* NULL: text, unless a file is written */
	struct output {
		const struct renderer *format;
		char *path;
	} * items;
	size_t count, capacity;
	bool replace, quiet;
};

void outputs_clear(struct outputs *outputs);

/* enum render_shows of all formats that will be written, or-ed. */
unsigned outputs_show(const struct outputs *outputs);

/* Renders into every file and to standard output. With files alone and not quiet, the verdicts go to standard error. */
int outputs_write(const struct outputs *outputs, const struct result *result, const struct render_options *options,
	struct err *err);

/* The options of every command that ends in a report; the first member of its options. */
struct report_options {
	struct outputs outputs;
	struct render_options render;
	struct str lang, color;
};

int report_options_format(void *ctx, struct str value, struct err *err);
int report_options_output(void *ctx, struct str value, struct err *err);

#define REPORT_OPTIONS                                                                                                 \
	{ 'f', "format", "FORMAT", "text (default), json, html, csv", CALL(report_options_format) },                   \
		{ 'o', "output", "FORMAT=PATH", "write a report to a file, repeatable", CALL(report_options_output) }, \
		{ 0, "force", NULL, "replace output files that exist", FIELD(report_options, outputs.replace) },       \
		{ 0, "lang", "LANG", "en or zh-CN", FIELD(report_options, lang) },                                     \
		{ 0, "color", "WHEN", "auto, always or never", FIELD(report_options, color) },                         \
		{ 'v', "verbose", NULL, "list every operator and finding", FIELD(report_options, render.all) },        \
		{ 'q', "quiet", NULL, "no summary on standard error", FIELD(report_options, outputs.quiet) },          \
	{                                                                                                              \
		0, "csv-bom", NULL, "begin CSV with a byte order mark", FIELD(report_options, render.byte_order_mark)  \
	}

/* Settles language, colour and width once all options are known, and looks at the files to write. ERR_VALUE, ERR_EXISTS,
   ERR_OUTPUT. */
int report_options_settle(struct report_options *options, struct err *err);

/* Writes text to standard output. ERR_OUTPUT. */
int common_print(struct str text, struct err *err);

/* Writes the one answer of a command to a file, "" for standard output; the first of them looks whether that may be done, before
   the work begins. ERR_EXISTS, ERR_OUTPUT. */
int common_may_deliver(struct str path, bool replace, struct err *err);
int common_deliver(struct str path, bool replace, struct str text, struct err *err);

/* Runs a request over the dumps that are named as arguments, with progress on standard error. As check_run. */
int common_check(
	struct check_request *request, const struct arguments *arguments, struct result **ret, struct err *err);

/* Exit status of a run that ended well: 1 when some target failed the gate. */
int common_gate_status(const struct result *result);
