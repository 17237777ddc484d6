#include "check/asked/targets.h"
#include "cli/shared/command.h"
#include "opdb/db/lists.h"
#include "report/doc/textw.h"

static const struct option targets_table[] = {
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_DB,
	{ 0 },
};

static void put_row(struct textw *text, const struct release *release)
{
	const struct {
		struct str value;
		unsigned width;
	} cells[] = { { release->id, 24 }, { release->torch, 7 }, { release->cann, 16 }, { release->pip, 16 } };

	for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
		textw_left(text, cells[i].value, cells[i].width);
		buf_byte(text->out, ' ');
	}
	buf_printf(text->out, "%.*s\n", STR_ARG(release->date));
}

static void put_text(const void *db, struct buf *out)
{
	struct textw text = { .out = out, .width = 80 };
	struct release heading = { .id = { "TARGET", 6 },
		.torch = STR("TORCH"),
		.cann = STR("CANN"),
		.pip = STR("PIP"),
		.date = STR("DATE") };
	size_t count;
	const struct release *releases = opdb_releases(db, &count);

	put_row(&text, &heading);
	for (size_t i = 0; i < count; i++)
		put_row(&text, &releases[i]);
	buf_add(out, STR("\nnpu and musa alone mean:"));
	for (unsigned target = 0; target < TARGET_COUNT; target++) {
		const struct release *newest = opdb_newest(db, (enum target_kind)target, STR(""));

		if (newest)
			buf_printf(out, " %.*s", STR_ARG(newest->id));
	}
	buf_add(out, STR("\n-f json lists every alias and what happens to an operator without a kernel.\n"));
}

static void put_rows(const void *db, struct sheet *sheet)
{
	size_t count;
	const struct release *releases = opdb_releases(db, &count);

	for (size_t i = 0; i < count; i++) {
		const struct release *release = &releases[i];

		sheet_cells(sheet, release->id, release->torch, release->plugin, release->cann, release->pip,
			release->date);
	}
}

static int put_json(const void *db, struct buf *out, struct err *err)
{
	return targets_put_json(db, out, err);
}

static int run_targets(void *ctx, const struct arguments *arguments, struct err *err)
{
	static const char *const heads[] = { "target", "torch", "plugin", "cann", "pip", "date" };
	static const struct sheet_shape shape = { "page.targets", heads, ARRAY_SIZE(heads) };
	const struct common_options *options = ctx;
	const struct table_answer table = { options->opdb, &shape, put_json, put_text, put_rows };

	(void)arguments;
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
