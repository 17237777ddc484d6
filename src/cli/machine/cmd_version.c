#include "base/memory/mem.h"
#include "check/check.h"
#include "check/database/database.h"
#include "cli/shared/command.h"
#include "opdb/db/lists.h"

static const struct option version_table[] = {
	OPTION_DB,
	{ 0 },
};

/* The program has a version without a database, too. */
static int run_version(void *ctx, const struct arguments *arguments UNUSED, struct err *err)
{
	const struct common_options *options = ctx;
	CLEANUP(buf_clear) struct buf text = BUF_INIT(4096);
	struct err ignored;
	struct opdb *db;

	buf_printf(&text, "opcheck %s\n", check_version());
	if (database_open(options->db, &db, &ignored)) {
		buf_printf(&text, "no support database at %s\n", database_path(options->db));
	} else {
		const struct opdb_info *info = opdb_info(db);

		buf_printf(&text, "support database %.*s of %.*s, %zu releases\n", STR_ARG(info->build),
			STR_ARG(info->built_at), info->releases);
		opdb_close(db);
	}
	return output_print(buf_str(&text), err);
}

const struct command cmd_version = {
	.name = "version",
	.summary = "print the versions of the program and its database",
	.usage = "[--db FILE]",
	.examples = "  opcheck version",
	.options = version_table,
	.options_size = sizeof(struct common_options),
	.run = run_version,
};
