#include "base/mem.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "import/import.h"

enum { REPORT_BYTES = 64 * 1024, WANTED = 5, OTHERS = 3 };

struct import_command {
	struct common_options common;
	struct str opdb; /* directory of the fact text */
	struct import_options import;
	struct str native_functions, framework, op_plugin, derivatives, functions, patch, tags, generated;
};

static const struct option import_table[] = {
	{ 0, "opdb", "DIR", "the fact text to change (opdb)", FIELD(import_command, opdb) },
	{ 0, "force", NULL, "replace a release or version that is there", FIELD(import_command, import.force) },
	{ 0, "release", "NAME", "branch (npu) or tag (musa) of the plugin", FIELD(import_command, import.release) },
	{ 0, "torch", "VERSION", "the version of PyTorch", FIELD(import_command, import.torch) },
	{ 0, "native-functions", "FILE", "PyTorch's list", FIELD(import_command, native_functions) },
	{ 0, "framework", "FILE", "npu: npu_native_functions.yaml", FIELD(import_command, framework) },
	{ 0, "op-plugin", "FILE", "npu: op_plugin_functions.yaml", FIELD(import_command, op_plugin) },
	{ 0, "derivatives", "FILE", "derivatives.yaml of op-plugin or PyTorch", FIELD(import_command, derivatives) },
	{ 0, "functions", "FILE", "musa: musa_functions.yaml", FIELD(import_command, functions) },
	{ 0, "patch", "FILE", "musa: the patch to PyTorch's list", FIELD(import_command, patch) },
	{ 0, "tags", "FILE", "torch: tags.yaml", FIELD(import_command, tags) },
	{ 0, "generated", "FILE", "torch: signatures of generated overloads", FIELD(import_command, generated) },
	{ 0, "as", "TARGET", "registrations: of a machine without plugin", FIELD(import_command, import.as) },
	{ 0, "source", "ID", "row of sources.tsv to cite", FIELD(import_command, import.source) },
	{ 0, "date", "DATE", "of the commit (today)", FIELD(import_command, import.date) },
	{ 0, "commit", "HEX", "of the plugin", FIELD(import_command, import.commit) },
	{ 0, "plugin-commit", "HEX", "npu: of op-plugin", FIELD(import_command, import.plugin_commit) },
	{ 0 },
};

/* A required option. */
struct wanted {
	const char *name;
	size_t field; /* of struct import_command */
};

#define WANT(name, member)                                                                                             \
	{                                                                                                              \
		name, offsetof(struct import_command, member)                                                          \
	}

static const struct importer {
	const char *name;
	int (*import)(const struct import_options *, struct buf *, struct err *);
	int (*import_file)(const struct import_options *, const char *, struct buf *, struct err *);
	struct wanted wanted[WANTED + 1], also[OTHERS + 1]; /* what it needs; files that it reads if they are there */
} importers[] = {
	{ .name = "npu",
		.import = import_npu,
		.wanted = { WANT("release", import.release), WANT("torch", import.torch),
			WANT("native-functions", native_functions), WANT("framework", framework),
			WANT("op-plugin", op_plugin) },
		.also = { WANT("derivatives", derivatives) } },
	{ .name = "musa",
		.import = import_musa,
		.wanted = { WANT("release", import.release), WANT("torch", import.torch),
			WANT("native-functions", native_functions), WANT("functions", functions) },
		.also = { WANT("patch", patch) } },
	{ .name = "torch",
		.import = import_torch,
		.wanted = { WANT("torch", import.torch), WANT("native-functions", native_functions) },
		.also = { WANT("tags", tags), WANT("generated", generated), WANT("derivatives", derivatives) } },
	{ .name = "registrations", .import_file = import_registrations },
	{ .name = "reported", .import_file = import_reported },
	{ .name = "cann", .import_file = import_cann },
	{ .name = "musa-kernels", .import_file = import_musa_kernels },
};

static const struct importer *importer_of(struct str name, struct err *err)
{
	struct nearest nearest = NEAREST_TO(name);

	for (size_t i = 0; i < ARRAY_SIZE(importers); i++) {
		if (str_eq(name, str_from(importers[i].name)))
			return &importers[i];
		nearest_offer(&nearest, str_from(importers[i].name));
	}
	err_set(err, ERR_COMMAND,
		name.len ? "opcheck db import has no '%s'" : "opcheck db import needs to know what to import%s",
		shown(name).text);
	if (nearest.count)
		err_hint(err, "did you mean %.*s?", STR_ARG(nearest.names[0]));
	else
		err_hint(err, "choose one of npu, musa, torch, registrations, reported, cann, musa-kernels");
	return NULL;
}

/* The files that some importer reads. */
static const struct wanted files[] = { WANT("native-functions", native_functions), WANT("framework", framework),
	WANT("op-plugin", op_plugin), WANT("derivatives", derivatives), WANT("functions", functions),
	WANT("patch", patch), WANT("tags", tags), WANT("generated", generated) };

static struct str value_of(const struct import_command *options, const struct wanted *wanted)
{
	return *(const struct str *)(const void *)((const char *)options + wanted->field);
}

static bool lists(const struct wanted *list, size_t field)
{
	while (list->name && list->field != field)
		list++;
	return list->name != NULL;
}

static int check_wanted(const struct importer *importer, const struct import_command *options, struct err *err)
{
	for (const struct wanted *wanted = importer->wanted; wanted->name; wanted++) {
		if (!value_of(options, wanted).len) {
			err_set(err, ERR_ARGUMENT, "--%s is missing", wanted->name);
			return err_hint(err, "`man opcheck-db` has an example of every import");
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (value_of(options, &files[i]).len && !lists(importer->wanted, files[i].field) &&
			!lists(importer->also, files[i].field)) {
			err_set(err, ERR_ARGUMENT, "db import %s does not read --%s", importer->name, files[i].name);
			return err_hint(err, "`man opcheck-db` has an example of every import");
		}
	}
	return 0;
}

static const char *path_of(struct str given)
{
	return given.len ? given.ptr : NULL;
}

static int run_importer(
	const struct importer *importer, const struct import_options *options, const char *file, struct err *err)
{
	struct buf report = BUF_INIT(REPORT_BYTES);
	int status = importer->import ? importer->import(options, &report, err)
				      : importer->import_file(options, file, &report, err);

	if (!status)
		status = output_print(buf_str(&report), err);
	buf_clear(&report);
	return status;
}

static void set_paths(struct import_command *options)
{
	options->import.opdb_dir = options->opdb.len ? options->opdb.ptr : "opdb";
	options->import.native_functions = path_of(options->native_functions);
	options->import.framework = path_of(options->framework);
	options->import.op_plugin = path_of(options->op_plugin);
	options->import.derivatives = path_of(options->derivatives);
	options->import.functions = path_of(options->functions);
	options->import.patch = path_of(options->patch);
	options->import.tags = path_of(options->tags);
	options->import.generated = path_of(options->generated);
}

static int run_import(void *ctx, const struct arguments *arguments, struct err *err)
{
	struct import_command *options = ctx;
	const struct importer *importer = importer_of(arguments->count ? str_from(arguments->items[0]) : STR(""), err);
	size_t operands = importer && importer->import_file ? 2 : 1;
	int status;

	if (!importer)
		return -err->code;
	status = command_operands(arguments, operands, operands, "the file to import", err);
	if (!status)
		status = check_wanted(importer, options, err);
	if (status)
		return status;
	set_paths(options);
	return run_importer(importer, &options->import, operands == 2 ? arguments->items[1] : NULL, err);
}

const struct command cmd_db_import = {
	.name = "db import",
	.summary = "add a release, a version of PyTorch or reports to the text",
	.usage = "npu | musa | torch | registrations FILE |\n"
		 "                         reported FILE | cann DIR | musa-kernels DIR",
	.examples = "  opcheck db import reported seen.csv --opdb opdb",
	.options = import_table,
	.options_size = sizeof(struct import_command),
	.max_operands = 2,
	.run = run_import,
};
