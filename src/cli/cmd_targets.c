#include "check/database.h"
#include "check/targets.h"
#include "cli/command.h"
#include "cli/common.h"
#include "report/textw.h"

struct targets_options {
	struct str db, format;
};

static int set_format(void *ctx, struct str value, struct err *err)
{
	if (!str_eq(value, STR("text")) && !str_eq(value, STR("json"))) {
		err_set(err, ERR_VALUE, "targets are printed as text or json");
		return -err->code;
	}
	((struct targets_options *)ctx)->format = value;
	return 0;
}

static const struct option targets_table[] = {
	{ 'f', "format", "FORMAT", "text (default) or json", CALL(set_format) },
	{ 0, "db", "FILE", "support database", FIELD(targets_options, db) },
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

static int print_targets(const struct targets_options *options, struct err *err)
{
	struct buf out = BUF_UNLIMITED;
	struct opdb *db;
	int status = database_open(options->db, &db, err);

	if (status)
		return status;
	if (str_eq(options->format, STR("json")))
		status = targets_put_json(db, &out, err);
	else
		put_all_text(db, &out);
	if (!status)
		status = common_print(buf_str(&out), err);
	buf_clear(&out);
	opdb_close(db);
	return status;
}

static int run_targets(const struct command *command, int argc, char **argv, struct err *err)
{
	struct targets_options options = { .format = STR("text") };
	struct arguments arguments = { 0 };
	int status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help) {
		status = command_operands(&arguments, 0, 0, "", err);
		if (!status)
			status = print_targets(&options, err);
	}
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_targets = {
	.name = "targets",
	.summary = "list the releases that the database knows",
	.usage = "[OPTION]...",
	.examples = "  opcheck targets\n  opcheck targets -f json",
	.options = targets_table,
	.run = run_targets,
};
