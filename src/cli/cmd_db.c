#include "base/mem.h"
#include "check/database.h"
#include "cli/cmd_db.h"
#include "cli/command.h"
#include "cli/common.h"

static const struct option db_table[] = {
	{ 'o', "output", "FILE", "build: the database file (opdb.sqlite)", FIELD(db_options, output) },
	{ 0, "db", "FILE", "info: the database to describe", FIELD(db_options, db) },
	{ 0, "opdb", "DIR", "import: the fact text to change (opdb)", FIELD(db_options, opdb) },
	{ 0, "force", NULL, "import: replace a release or version that is there", FIELD(db_options, import.force) },
	{ 0, "release", "NAME", "import: the plugin's branch or tag", FIELD(db_options, import.release) },
	{ 0, "torch", "VERSION", "import: the version of PyTorch", FIELD(db_options, import.torch) },
	{ 0, "native-functions", "FILE", "PyTorch's native_functions.yaml", FIELD(db_options, native_functions) },
	{ 0, "framework", "FILE", "npu: npu_native_functions.yaml", FIELD(db_options, framework) },
	{ 0, "op-plugin", "FILE", "npu: op_plugin_functions.yaml", FIELD(db_options, op_plugin) },
	{ 0, "derivatives", "FILE", "npu: op-plugin's derivatives.yaml", FIELD(db_options, derivatives) },
	{ 0, "functions", "FILE", "musa: musa_functions.yaml", FIELD(db_options, functions) },
	{ 0, "patch", "FILE", "musa: the patch to native_functions.yaml", FIELD(db_options, patch) },
	{ 0, "tags", "FILE", "torch: tags.yaml", FIELD(db_options, tags) },
	{ 0, "generated", "FILE", "torch: signatures of generated overloads", FIELD(db_options, generated) },
	{ 0, "as", "TARGET", "registrations: of a machine without a plugin", FIELD(db_options, import.as) },
	{ 0, "source", "ID", "import: row of sources.tsv to cite", FIELD(db_options, import.source) },
	{ 0, "date", "DATE", "import: of the commit (today)", FIELD(db_options, import.date) },
	{ 0, "commit", "HEX", "import: of the plugin", FIELD(db_options, import.commit) },
	{ 0, "plugin-commit", "HEX", "npu: of op-plugin", FIELD(db_options, import.plugin_commit) },
	{ 0 },
};

static int build(struct db_options *options, const struct arguments *arguments, struct err *err)
{
	int status = command_operands(arguments, 2, 2, "the directory of the fact text", err);

	if (status)
		return status;
	return opdb_build(arguments->items[1], options->output.len ? options->output.ptr : "opdb.sqlite", err);
}

static int info(struct db_options *options, const struct arguments *arguments, struct err *err)
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

static const struct action {
	const char *name;
	int (*run)(struct db_options *, const struct arguments *, struct err *);
} actions[] = {
	{ "build", build },
	{ "info", info },
	{ "import", db_import },
};

static int dispatch(struct db_options *options, const struct arguments *arguments, struct err *err)
{
	struct str name = arguments->count ? str_from(arguments->items[0]) : STR("");

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		if (str_eq(name, str_from(actions[i].name)))
			return actions[i].run(options, arguments, err);
	}
	err_set(err, ERR_COMMAND, name.len ? "opcheck db knows build, info and import only" : "what to do with the database is missing");
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
	.summary = "build, describe or extend the support database",
	.usage = "build TEXT_DIR | info | import WHAT [FILE]",
	.examples = "  opcheck db build opdb -o opdb.sqlite",
	.options = db_table,
	.run = run_db,
};
