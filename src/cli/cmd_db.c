#include "check/database.h"
#include "check/score.h"
#include "cli/command.h"
#include "cli/common.h"

struct db_options {
	struct str db, output, without;
};

static const struct option db_table[] = {
	{ 'o', "output", "FILE", "build: the database file (opdb.sqlite)", FIELD(db_options, output) },
	{ 0, "db", "FILE", "info, score: the database (the installed one)", FIELD(db_options, db) },
	{ 0, "without", "FACTS", "score: leave out facts of this kind (reported)", FIELD(db_options, without) },
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

static int read_observations(const char *path, struct observations *ret, struct err *err)
{
	struct limits limits = limits_default();
	struct source *source;
	int status = source_open(path, &limits, &source, err);

	*ret = (struct observations){ 0 };
	if (status)
		return err_file(err, path);
	source_skip_digest(source);
	status = observations_read(source, str_ends(str_from(path), STR(".tsv")), ret, err);
	source_close(source);
	return status ? err_file(err, path) : 0;
}

static int print_score(const struct opdb *db, const char *path, const struct observations *observations,
	bool without_reported, struct buf *text, struct err *err)
{
	struct score with = { 0 }, without = { 0 };
	int status = without_reported ? 0 : score_run(db, observations, false, &with, err);

	if (!status)
		status = score_run(db, observations, true, &without, err);
	if (!status && !without_reported)
		score_put_table(&with, "with reported facts", text);
	if (!status)
		score_put_table(&without, "without reported facts", text);
	if (!status)
		score_put_disagreements(without_reported ? &without : &with, path, text);
	score_clear(&with);
	score_clear(&without);
	return status;
}

static int score(const struct db_options *options, const struct arguments *arguments, struct err *err)
{
	struct buf text = BUF_INIT(SIZE_MAX / 2);
	struct observations observations = { 0 };
	struct opdb *db = NULL;
	int status = command_operands(arguments, 2, 2, "the table of observations", err);

	if (!status && options->without.len && !str_eq(options->without, STR("reported")))
		status = err_set(err, ERR_VALUE, "only the reported facts can be left out");
	if (!status)
		status = read_observations(arguments->items[1], &observations, err);
	if (!status)
		status = database_open(options->db, &db, err);
	if (!status)
		status = print_score(db, arguments->items[1], &observations, options->without.len > 0, &text, err);
	if (!status)
		status = common_print(buf_str(&text), err);
	observations_clear(&observations);
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
	if (str_eq(action, STR("score")))
		return score(options, arguments, err);
	err_set(err, ERR_COMMAND,
		action.len ? "opcheck db knows build, info and score only" : "what to do with the database is missing");
	return err_hint(err, "`opcheck db --help` shows how to call it");
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
	.summary = "build, describe or score the support database",
	.usage = "build TEXT_DIR [-o FILE] | info | score FILE [OPTION]...",
	.examples = "  opcheck db build opdb -o opdb.sqlite\n  opcheck db score seen.csv",
	.options = db_table,
	.run = run_db,
};
