#pragma once
/* Rows of option tables that commands share, and the functions that they call. */
#include "cli/shared/common.h"

int common_set_limit(void *ctx, struct str value, struct err *err);
int common_set_format(void *ctx, struct str value, struct err *err);
int common_add_output(void *ctx, struct str value, struct err *err);
int common_add_verbose(void *ctx, struct str value, struct err *err);
int common_set_severity(void *ctx, struct str value, struct err *err);
int common_set_section(void *ctx, struct str value, struct err *err);
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
/* Packs that are trusted. */
#define OPTIONS_TRUST(shown_in) \
	{ 0, "key", "FILE", "trusted public key, or folder of *.pem; repeatable", \
		LIST(common_options, pack_keys), .topic = (shown_in) }, \
	{ 0, "unsigned", NULL, "take a pack without signature; reports say so", \
		FIELD(common_options, unsigned_packs), .topic = (shown_in) }
/* The database in a pack in place of the installed one. */
#define OPTIONS_DB \
	{ 0, "db", "FILE", "support database; others: `opcheck help facts`", FIELD(common_options, db) }, \
	{ 0, "as-of", "PACK", "judge by the database in this pack", FIELD(common_options, as_of), .topic = "facts" }, \
	OPTIONS_TRUST("facts")
#define OPTION_OVERLAY \
	{ 0, "overlay", "FILE", "facts of your own site, repeatable", LIST(common_options, overlays) }
#define OPTION_LIMIT \
	{ 0, "limit", "NAME=N", "set a limit; `opcheck help limits` lists them", CALL(common_set_limit) }
#define OPTION_LANG { 0, "lang", "LANG", "en, zh-CN, or all: a page with both", FIELD(common_options, lang) }
#define OPTION_COLOR { 0, "color", "WHEN", "auto, always or never", FIELD(common_options, color) }
#define OPTION_QUIET(help) { 'q', "quiet", NULL, help, FIELD(common_options, quiet) }
#define OPTION_VERBOSE(help) { 'v', "verbose", NULL, help, CALL(common_add_verbose) }
#define OPTIONS_OUTPUT(formats) \
	{ 'f', "format", "FORMAT", formats, CALL(common_set_format) }, \
	{ 'o', "output", "[FORMAT=]PATH", "write a file, format by its suffix; repeatable", CALL(common_add_output) }, \
	{ 0, "force", NULL, "replace files that exist", FIELD(common_options, outputs.replace) }
/* Of commands whose answer is a report. */
#define OPTIONS_REPORT \
	OPTIONS_OUTPUT("text, json, html, md, csv; for CI: sarif, junit ..."), \
	OPTION_LANG, \
	OPTION_COLOR, \
	OPTION_VERBOSE("causes and operators too; see `opcheck help text`"), \
	OPTION_QUIET("words only; no summary on standard error"), \
	{ 0, "summary", NULL, "one line a target", FIELD(common_options, summary), .topic = "text" }, \
	{ 0, "severity", "LEAST", "list from error, warning or note (default) on", CALL(common_set_severity), \
		.topic = "text" }, \
	{ 0, "section", "ID", "one part of the text: `opcheck explain section`", CALL(common_set_section), \
		.topic = "text" }, \
	{ 0, "csv-bom", NULL, "begin CSV with a byte order mark", FIELD(common_options, render.byte_order_mark) }
/* clang-format on */
