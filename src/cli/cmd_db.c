#include "base/mem.h"
#include "base/utf8.h"
#include "check/database.h"
#include "cli/cmd_db.h"

static const struct option db_table[] = {
	{ 'o', "output", "FILE", "build: the database file (opdb.sqlite)", FIELD(db_options, output) },
	{ 0, "db", "FILE", "the database to work on", FIELD(db_options, db) },
	{ 0 },
};

static int build(const struct db_options *options, const struct arguments *arguments, struct err *err)
{
	return opdb_build(arguments->items[1], options->output.len ? options->output.ptr : "opdb.sqlite", err);
}

static int info(const struct db_options *options, const struct arguments *arguments, struct err *err)
{
	struct buf text = BUF_INIT(1 << 16);
	const struct opdb_info *info;
	struct opdb *db;
	int status = database_open(options->db, &db, err);

	(void)arguments;
	if (status)
		return status;
	info = opdb_info(db);
	buf_printf(&text, "file       %s\nbuild      %.*s\nbuilt at   %.*s\nsha256     %.*s (of the fact text)\n",
		database_path(options->db), STR_ARG(info->build), STR_ARG(info->built_at), STR_ARG(info->sha256));
	buf_printf(&text, "releases   %zu\ntorch      %zu versions\nnames      %zu\nfacts      %zu\n", info->releases,
		info->torch_versions, info->names, info->facts);
	status = common_print(buf_str(&text), err);
	buf_clear(&text);
	opdb_close(db);
	return status;
}

static const struct action {
	const char *name, *operands;
	size_t min, max; /* of operands */
	int (*run)(const struct db_options *options, const struct arguments *arguments, struct err *err);
} actions[] = {
	{ "build", "the directory of the fact text", 1, 1, build },
	{ "info", "", 0, 0, info },
	{ "check-overlay", "the overlay", 1, SIZE_MAX - 1, db_run_check_overlay },
};

static int unknown_action(struct str name, struct err *err)
{
	CLEANUP(buf_clear) struct buf list = BUF_INIT(400);

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		buf_printf(&list, "%s%s", i ? ", " : "", actions[i].name);
	if (name.len)
		err_set(err, ERR_COMMAND, "opcheck db has no '%s'", shown(name).text);
	else
		err_set(err, ERR_COMMAND, "what to do with the database is missing");
	return err_hint(err, "it knows %s", buf_text(&list));
}

static int dispatch(const struct db_options *options, const struct arguments *arguments, struct err *err)
{
	struct str name = arguments->count ? str_from(arguments->items[0]) : STR("");

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		const struct action *action = &actions[i];
		int status;

		if (!str_eq(name, str_from(action->name)))
			continue;
		status = command_operands(arguments, action->min + 1, action->max + 1, action->operands, err);
		return status ? status : action->run(options, arguments, err);
	}
	return unknown_action(name, err);
}

static int run_db(const struct command *command, int argc, char **argv, struct err *err)
{
	struct db_options options = { .db = STR("") };
	struct arguments arguments = { 0 };
	int status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help)
		status = dispatch(&options, &arguments, err);
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_db = {
	.name = "db",
	.summary = "build, describe and check the support database",
	.usage = "build TEXT_DIR [-o FILE] | info | check-overlay FILE...",
	.examples = "  opcheck db build opdb -o opdb.sqlite\n  opcheck db info",
	.options = db_table,
	.run = run_db,
};
