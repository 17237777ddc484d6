#include "check/database.h"
#include "cli/cmd_db_import.h"
#include "cli/command.h"
#include "cli/common.h"

struct db_options {
	struct str db, output;
};

static const struct option db_table[] = {
	{ 'o', "output", "FILE", "build: the database file (opdb.sqlite)", FIELD(db_options, output) },
	{ 0, "db", "FILE", "info: the database to describe", FIELD(db_options, db) },
	{ 0 },
};

static int build(const struct db_options *options, const struct arguments *arguments, struct err *err)
{
	int status = command_operands(arguments, 2, 2, "the directory of the fact text", err);

	if (status)
		return status;
	return opdb_build(arguments->items[1], options->output.len ? options->output.ptr : "opdb.sqlite", err);
}

static int info(const struct db_options *options, const struct arguments *arguments, struct err *err)
{
	struct buf text = BUF_INIT(1 << 16);
	const struct opdb_info *info;
	struct opdb *db;
	int status = command_operands(arguments, 1, 1, "", err);

	if (!status)
		status = database_open(options->db, &db, err);
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

static int dispatch(const struct db_options *options, const struct arguments *arguments, struct err *err)
{
	struct str action = arguments->count ? str_from(arguments->items[0]) : STR("");

	if (str_eq(action, STR("build")))
		return build(options, arguments, err);
	if (str_eq(action, STR("info")))
		return info(options, arguments, err);
	err_set(err, ERR_COMMAND,
		action.len ? "opcheck db knows build, info and import only"
			   : "what to do with the database is missing");
	return err_hint(err, "`opcheck db --help` shows how to call it");
}

static int run_db(const struct command *command, int argc, char **argv, struct err *err)
{
	struct db_options options = { .db = STR("") };
	struct arguments arguments = { 0 };
	int status;

	if (argc > 0 && str_eq(str_from(argv[0]), str_from("import")))
		return cmd_db_import.run(&cmd_db_import, argc - 1, argv + 1, err);
	status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help)
		status = dispatch(&options, &arguments, err);
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_db = {
	.name = "db",
	.summary = "build, describe or extend the support database",
	.usage = "build TEXT_DIR [-o FILE] | info [--db FILE] | import --help",
	.examples = "  opcheck db build opdb -o opdb.sqlite\n  opcheck db info",
	.options = db_table,
	.run = run_db,
};
