#include "check/asked/targets.h"
#include "cli/shared/command.h"
#include "opdb/db/lists.h"
#include "record/kinds.h"

static const struct option targets_table[] = {
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTIONS_DB,
	{ 0 },
};

static const struct field release_fields[] = {
	{ "target", &kind_text, AT(release, id) },
	{ "torch", &kind_text, AT(release, torch) },
	{ "plugin", &kind_text, AT(release, plugin) },
	{ "cann", &kind_text, AT(release, cann) },
	{ "pip", &kind_text, AT(release, pip) },
	{ "date", &kind_text, AT(release, date) },
	{ 0 },
};
static const struct record release_record = { sizeof(struct release), release_fields };
static const struct sheet_shape shape = { "page.targets", &release_record,
	.widths = (const unsigned char[]){ 24, 7, 0, 16, 16, 10 }, .capitals = true };

static void put_target_rows(const void *db, struct sheet *sheet)
{
	size_t count;
	const struct release *releases = opdb_releases(db, &count);

	sheet_rows(sheet, releases, count);
}

static void put_targets_text(const void *db, struct buf *out)
{
	struct sheet sheet;
	struct err ignored;

	sheet_begin(&sheet, &shape, STR("text"), &(struct render_options){ 0 }, out);
	put_target_rows(db, &sheet);
	sheet_end(&sheet);
	buf_add(out, STR("\nnpu and musa alone mean:"));
	for (unsigned target = 0; target < TARGET_COUNT; target++) {
		const struct release *newest = opdb_newest(db, (enum target_kind)target, STR(""));

		if (newest)
			buf_printf(out, " %.*s", STR_ARG(newest->id));
	}
	targets_put_chips(db, out, &ignored);
	buf_add(out, STR("\n-f json lists every alias and what happens to an operator without a kernel.\n"));
}

static int put_targets_json(const void *db, struct buf *out, struct err *err)
{
	return targets_put_json(db, out, err);
}

static int run_targets(void *ctx, const struct arguments *arguments UNUSED, struct err *err)
{
	const struct common_options *options = ctx;
	const struct table_answer table = { options->opdb, &shape, put_target_rows, put_targets_text,
		put_targets_json };

	return common_write(options, put_table, &table, err);
}

const struct command cmd_targets = {
	.name = "targets",
	.summary = "list the releases in the database",
	.usage = "[OPTION]...",
	.examples = "  opcheck targets\n  opcheck targets -f json",
	.options = targets_table,
	.options_size = sizeof(struct common_options),
	.formats = "text json csv md html",
	.database = true,
	.run = run_targets,
};
