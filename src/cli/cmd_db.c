#include <time.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "check/database.h"
#include "cli/cmd_db.h"
#include "cli/cmd_db_import.h"
#include "opdb/verify.h"

enum { SECONDS_A_DAY = 24 * 60 * 60 };

static const struct option db_table[] = {
	{ 'o', "output", "FILE", "build: the database file (opdb.sqlite)", FIELD(db_options, output) },
	{ 0, "db", "FILE", "the database to work on", FIELD(db_options, db) },
	{ 'f', "format", "FORMAT", "diff: text (default), json, csv, markdown", FIELD(db_options, format) },
	{ 0, "to", "FILE", "install, rollback: the database to replace", FIELD(db_options, to) },
	{ 0, "force", NULL, "export: replace a pack that exists", FIELD(db_options, replace) },
	{ 0, "without", "FACTS", "score: leave out facts of this kind (reported)", FIELD(db_options, without) },
	{ 'q', "quiet", NULL, "say nothing on standard error", FIELD(db_options, quiet) },
	{ 0 },
};

static int build(const struct db_options *options, const struct arguments *arguments, struct err *err)
{
	return opdb_build(arguments->items[1], options->output.len ? options->output.ptr : "opdb.sqlite", err);
}

/* Facts move with releases: how long ago the newest of them, or the build, was. */
static void put_age(struct buf *text, struct str built_at)
{
	CLEANUP(buf_clear) struct buf stamp = BUF_INIT(64);
	struct tm tm = { 0 };
	double days;

	buf_add(&stamp, built_at);
	if (!strptime(buf_text(&stamp), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return;
	days = difftime(time(NULL), timegm(&tm)) / SECONDS_A_DAY;
	buf_printf(text, "age        %lld days\n", days > 0 ? (long long)days : 0);
}

static int info(const struct db_options *options, const struct arguments *arguments, struct err *err)
{
	struct buf text = BUF_INIT(1 << 16);
	const struct opdb_info *info;
	struct source_counts sources;
	size_t releases;
	struct opdb *db;
	int status = database_open(options->db, &db, err);

	(void)arguments;
	if (status)
		return status;
	info = opdb_info(db);
	buf_printf(&text, "file       %s\nbuild      %.*s\nbuilt at   %.*s\nsha256     %.*s (of the fact text)\n",
		database_path(options->db), STR_ARG(info->build), STR_ARG(info->built_at), STR_ARG(info->sha256));
	put_age(&text, info->built_at);
	sources = opdb_source_counts(db);
	buf_printf(&text, "sources    %zu: %zu of code, %zu of vendors' documents, %zu inferred\n",
		sources.source + sources.vendor_doc + sources.inferred, sources.source, sources.vendor_doc,
		sources.inferred);
	for (unsigned i = 0; i < TARGET_COUNT; i++) {
		opdb_target_releases(db, i, &releases);
		buf_printf(&text, "releases   %zu of %.*s\n", releases, STR_ARG(target_plugin_name(i)));
	}
	buf_printf(&text, "torch      %zu versions\nnames      %zu\nfacts      %zu\n", info->torch_versions,
		info->names, info->facts);
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
	{ "verify", "the directory of the fact text", 0, 1, db_run_verify },
	{ "diff", "what to compare", 2, 2, db_run_diff },
	{ "export", "the pack to write", 1, 1, db_run_export },
	{ "install", "the pack", 1, 1, db_run_install },
	{ "rollback", "", 0, 0, db_run_rollback },
	{ "score", "the table of observations", 1, 1, db_run_score },
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
	.summary = "build, check, compare and move the support database",
	.usage = "build TEXT_DIR [-o FILE]\n"
		 "       opcheck db score FILE.csv|tsv [--without reported]\n"
		 "       opcheck db info | verify [TEXT_DIR] | check-overlay FILE...\n"
		 "       opcheck db diff TARGET TARGET | diff FILE FILE\n"
		 "       opcheck db export PACK | install PACK | rollback\n"
		 "       opcheck db import --help",
	.examples = "  opcheck db build opdb -o opdb.sqlite\n  opcheck db diff npu@v2.7.1-7.3.0 npu@v2.7.1-26.0.0",
	.options = db_table,
	.run = run_db,
};
