#include "check/check.h"
#include "check/database.h"
#include "cli/command.h"
#include "cli/common.h"

struct version_options {
	struct str db;
};

static const struct option version_table[] = {
	{ 0, "db", "FILE", "support database", FIELD(version_options, db) },
	{ 0 },
};

static int print_version(const struct version_options *options, struct err *err)
{
	struct buf text = BUF_INIT(4096);
	struct err ignored;
	struct opdb *db;
	int status;

	buf_printf(&text, "opcheck %s\n", check_version());
	/* the program has a version without a database, too */
	if (database_open(options->db, &db, &ignored)) {
		buf_printf(&text, "no support database at %s\n", database_path(options->db));
	} else {
		const struct opdb_info *info = opdb_info(db);

		buf_printf(&text, "support database %.*s of %.*s, %zu releases\n", STR_ARG(info->build),
			STR_ARG(info->built_at), info->releases);
		opdb_close(db);
	}
	status = common_print(buf_str(&text), err);
	buf_clear(&text);
	return status;
}

static int run_version(const struct command *command, int argc, char **argv, struct err *err)
{
	struct version_options options = { .db = STR("") };
	struct arguments arguments = { 0 };
	int status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help) {
		status = command_operands(&arguments, 0, 0, "", err);
		if (!status)
			status = print_version(&options, err);
	}
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_version = {
	.name = "version",
	.summary = "print the versions of the program and of its database",
	.usage = "[--db FILE]",
	.examples = "  opcheck version",
	.options = version_table,
	.run = run_version,
};
