/* The parts of `opcheck db` that need few lines: build, info and check-overlay. */
#include <time.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "check/database/database.h"
#include "cli/shared/command.h"
#include "json/jsonw.h"
#include "opdb/build/build.h"
#include "opdb/db/lists.h"
#include "opdb/db/overlay.h"
#include "opdb/verify.h"
#include "record/kinds.h"
#include "report/doc/sheet.h"

enum { SECONDS_A_DAY = 24 * 60 * 60 };

/* --- build */

struct build_options {
	struct common_options common;
	struct str output;
};

static const struct option build_table[] = {
	{ 'o', "output", "FILE", "the database file (opdb.sqlite)", FIELD(build_options, output) },
	{ 0 },
};

static int run_build(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct build_options *options = ctx;

	return opdb_build(arguments->items[0], options->output.len ? options->output.ptr : "opdb.sqlite", err);
}

const struct command cmd_db_build = {
	.name = "db build",
	.summary = "build the database from its fact text",
	.usage = "TEXT_DIR [-o FILE]",
	.examples = "  opcheck db build opdb -o opdb.sqlite",
	.options = build_table,
	.options_size = sizeof(struct build_options),
	.operand = "the directory of the fact text",
	.min_operands = 1,
	.max_operands = 1,
	.run = run_build,
};

/* --- info */

static const struct option info_table[] = {
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_LANG,
	OPTION_DB,
	{ 0 },
};

/* Facts change with releases: days since the newest of them, or since the build; -1 where that is not known. */
static int64_t age_in_days(struct str built_at)
{
	CLEANUP(buf_clear) struct buf stamp = BUF_INIT(64);
	struct tm tm = { 0 };
	double days;

	buf_add(&stamp, built_at);
	if (!strptime(buf_text(&stamp), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return -1;
	days = difftime(time(NULL), timegm(&tm)) / SECONDS_A_DAY;
	return days > 0 ? (int64_t)days : 0;
}

/* Properties of a database in tables and JSON: texts, and numbers. */
struct info_row {
	const char *key;
	struct str text; /* without: number */
	int64_t number;
};

/* The same as a row of a table. */
struct info_cells {
	struct str name, value;
};

static const struct field info_fields[] = {
	{ "name", &kind_text, AT(info_cells, name) },
	{ "value", &kind_text, AT(info_cells, value) },
	{ 0 },
};
static const struct record info_record = { sizeof(struct info_cells), info_fields };

enum { MOST_ROWS = 16 };

static size_t list_info(const struct common_options *options, struct info_row rows[MOST_ROWS])
{
	static const char *const releases[TARGET_COUNT] = { "npu_releases", "musa_releases" };
	const struct opdb_info *info = opdb_info(options->opdb);
	struct source_counts sources = opdb_source_counts(options->opdb);
	const struct info_row known[] = {
		{ "file", str_from(database_path(options->db)), 0 },
		{ "build", info->build, 0 },
		{ "built_at", info->built_at, 0 },
		{ "sha256", info->sha256, 0 },
		{ "age_days", { 0 }, age_in_days(info->built_at) },
		{ "sources_code", { 0 }, (int64_t)sources.source },
		{ "sources_vendor_doc", { 0 }, (int64_t)sources.vendor_doc },
		{ "sources_inferred", { 0 }, (int64_t)sources.inferred },
		{ "torch_versions", { 0 }, (int64_t)info->torch_versions },
		{ "names", { 0 }, (int64_t)info->names },
		{ "facts", { 0 }, (int64_t)info->facts },
	};
	size_t count = ARRAY_SIZE(known), found;

	memcpy(rows, known, sizeof(known));
	for (unsigned i = 0; i < TARGET_COUNT; i++) {
		opdb_target_releases(options->opdb, i, &found);
		rows[count++] = (struct info_row){ releases[i], { 0 }, (int64_t)found };
	}
	return count;
}

static int put_info_json(const void *options, struct buf *out, struct err *err UNUSED)
{
	struct info_row rows[MOST_ROWS];
	size_t count = list_info(options, rows);
	struct jsonw json = jsonw_start(out, 1);

	jsonw_object(&json);
	for (size_t i = 0; i < count; i++) {
		if (rows[i].text.ptr)
			jsonw_key_str(&json, rows[i].key, rows[i].text);
		else
			jsonw_key_number(&json, rows[i].key, rows[i].number);
	}
	jsonw_object_end(&json);
	return 0;
}

static void put_info_rows(const void *options, struct sheet *sheet)
{
	struct info_row rows[MOST_ROWS];
	size_t count = list_info(options, rows);

	for (size_t i = 0; i < count; i++) {
		CLEANUP(buf_clear) struct buf number = BUF_UNLIMITED;

		decimal_put(&number, rows[i].number, 0);
		sheet_row(sheet, &(struct info_cells){
					 str_from(rows[i].key), rows[i].text.ptr ? rows[i].text : buf_str(&number) });
	}
}

static void put_info_text(const void *answer, struct buf *text)
{
	const struct common_options *options = answer;
	const struct opdb_info *info = opdb_info(options->opdb);
	struct source_counts sources = opdb_source_counts(options->opdb);
	int64_t days = age_in_days(info->built_at);

	buf_printf(text, "file       %s\nbuild      %.*s\nbuilt at   %.*s\nsha256     %.*s (of the fact text)\n",
		database_path(options->db), STR_ARG(info->build), STR_ARG(info->built_at), STR_ARG(info->sha256));
	if (days >= 0)
		buf_printf(text, "age        %lld days\n", (long long)days);
	buf_printf(text, "sources    %zu: %zu of code, %zu of vendors' documents, %zu inferred\n",
		sources.source + sources.vendor_doc + sources.inferred, sources.source, sources.vendor_doc,
		sources.inferred);
	for (unsigned i = 0; i < TARGET_COUNT; i++) {
		size_t releases;

		opdb_target_releases(options->opdb, i, &releases);
		buf_printf(text, "releases   %zu of %.*s\n", releases, STR_ARG(target_plugin_name(i)));
	}
	buf_printf(text, "torch      %zu versions\nnames      %zu\nfacts      %zu\n", info->torch_versions, info->names,
		info->facts);
}

static int run_info(void *ctx, const struct arguments *arguments UNUSED, struct err *err)
{
	static const struct sheet_shape shape = { "db.info-title", &info_record };
	const struct table_answer table = { ctx, &shape, put_info_rows, put_info_text, put_info_json };

	return common_write(ctx, put_table, &table, err);
}

const struct command cmd_db_info = {
	.name = "db info",
	.summary = "print the build, the age and the size of the database",
	.usage = "[--db FILE] [-f FORMAT]",
	.examples = "  opcheck db info",
	.options = info_table,
	.options_size = sizeof(struct common_options),
	.formats = "text json csv md html",
	.database = true,
	.run = run_info,
};

/* --- check-overlay */

static const struct option overlay_table[] = {
	OPTION_DB,
	{ 0 },
};

static int run_check_overlay(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct common_options *options = ctx;
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20);
	const struct overlay *overlays;
	size_t count;
	int status = 0;

	for (size_t i = 0; i < arguments->count && !status; i++)
		status = opdb_add_overlay(options->opdb, arguments->items[i], options->limits.overlay_bytes, err);
	if (status)
		return status;
	overlays = opdb_overlays(options->opdb, &count);
	for (size_t i = 0; i < count; i++)
		buf_printf(&text, "%.*s: %zu facts, SHA-256 %.*s\n", STR_ARG(overlays[i].name), overlays[i].facts,
			STR_ARG(overlays[i].sha256));
	return output_print(buf_str(&text), err);
}

const struct command cmd_db_check_overlay = {
	.name = "db check-overlay",
	.summary = "check files of your own site's facts",
	.usage = "FILE... [--db FILE]",
	.examples = "  opcheck db check-overlay site.tsv",
	.options = overlay_table,
	.options_size = sizeof(struct common_options),
	.operand = "the overlay",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.database = true,
	.run = run_check_overlay,
};

/* --- the group */

static const struct command *const parts[] = { &cmd_db_build, &cmd_db_info, &cmd_db_verify, &cmd_db_diff,
	&cmd_db_import, &cmd_db_score, &cmd_db_check_overlay, &cmd_db_export, &cmd_db_install, &cmd_db_rollback, NULL };

const struct command cmd_db = {
	.name = "db",
	.summary = "build, check, compare and move the support database",
	.usage = "PART [ARGUMENT]... [OPTION]...",
	.examples = "  opcheck db build opdb -o opdb.sqlite\n  opcheck db diff npu@v2.7.1-7.3.0 npu@v2.7.1-26.0.0",
	.parts = parts,
};
