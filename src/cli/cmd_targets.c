#include "check/targets.h"
#include "cli/command.h"
#include "opdb/db/lists.h"
#include "report/doc_build.h"
#include "report/render.h"
#include "report/textw.h"

static const struct option targets_table[] = {
	OPTIONS_OUTPUT("text (default), json, csv, md"),
	OPTION_DB,
	{ 0 },
};

static void put_row(struct textw *text, const struct release *release)
{
	enum { ID = 24, TORCH = 7, CANN = 16, PIP = 16 };

	textw_left(text, release->id, ID);
	buf_byte(text->out, ' ');
	textw_left(text, release->torch, TORCH);
	buf_byte(text->out, ' ');
	textw_left(text, release->cann, CANN);
	buf_byte(text->out, ' ');
	textw_left(text, release->pip, PIP);
	buf_byte(text->out, ' ');
	buf_add(text->out, release->date);
	buf_byte(text->out, '\n');
}

static void put_all_text(const struct opdb *db, struct buf *out)
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

enum { CELLS = 6 };

/* The cells of a release, as every table has them. */
static void cells_of(const struct release *release, struct str ret[CELLS])
{
	ret[0] = release->id;
	ret[1] = release->torch;
	ret[2] = release->plugin;
	ret[3] = release->cann;
	ret[4] = release->pip;
	ret[5] = release->date;
}

static void put_csv(const struct opdb *db, struct buf *out)
{
	size_t count;
	const struct release *releases = opdb_releases(db, &count);

	buf_add(out, STR("target,torch,plugin,cann,pip,date\r\n"));
	for (size_t i = 0; i < count; i++) {
		struct str cells[CELLS];

		cells_of(&releases[i], cells);
		for (size_t k = 0; k < CELLS; k++) {
			buf_add(out, k ? STR(",") : STR(""));
			csv_put_text(out, cells[k]);
		}
		buf_add(out, STR("\r\n"));
	}
}

static void put_md(const struct opdb *db, const struct render_options *render, struct buf *out)
{
	static const struct doc_column columns[CELLS] = { { .title = STR("Target") }, { .title = STR("PyTorch") },
		{ .title = STR("Plugin") }, { .title = STR("CANN") }, { .title = STR("pip") },
		{ .title = STR("Date") } };
	struct doc doc = doc_new(DOC_MD, render);
	size_t count;
	const struct release *releases = opdb_releases(db, &count);

	doc_table(&doc, &(struct doc_table){ .columns = columns, .count = CELLS });
	for (size_t i = 0; i < count; i++) {
		struct str cells[CELLS];

		cells_of(&releases[i], cells);
		doc_row(&doc);
		for (size_t k = 0; k < CELLS; k++)
			doc_cell_text(&doc, cells[k]);
		doc_close(&doc);
	}
	doc_close(&doc);
	doc_put(&doc, out);
}

static int put_targets(
	const void *answer, struct str format, const struct render_options *render, struct buf *out, struct err *err)
{
	if (str_eq(format, STR("json")))
		return targets_put_json(answer, out, err);
	if (str_eq(format, STR("csv")))
		put_csv(answer, out);
	else if (str_eq(format, STR("md")))
		put_md(answer, render, out);
	else
		put_all_text(answer, out);
	return 0;
}

static int run_targets(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct common_options *options = ctx;

	(void)arguments;
	return common_write(options, put_targets, options->opdb, err);
}

const struct command cmd_targets = {
	.name = "targets",
	.summary = "list the releases in the database",
	.usage = "[OPTION]...",
	.examples = "  opcheck targets\n  opcheck targets -f json",
	.options = targets_table,
	.options_size = sizeof(struct common_options),
	.formats = "text json csv md",
	.database = true,
	.run = run_targets,
};
