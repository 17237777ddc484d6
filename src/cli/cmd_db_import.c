#include "base/mem.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "cli/cmd_db.h"
#include "cli/command.h"
#include "cli/common.h"

enum { REPORT_BYTES = 64 * 1024, WANTED = 5 };

/* An option that an import cannot do without. */
struct wanted {
	const char *name;
	size_t field; /* of struct db_options */
};

#define WANT(name, member) { name, offsetof(struct db_options, member) }

static const struct importer {
	const char *name;
	int (*import)(const struct import_options *, struct buf *, struct err *);
	int (*import_file)(const struct import_options *, const char *, struct buf *, struct err *);
	struct wanted wanted[WANTED + 1];
} importers[] = {
	{ .name = "npu",
		.import = import_npu,
		.wanted = { WANT("release", import.release), WANT("torch", import.torch),
			WANT("native-functions", native_functions), WANT("framework", framework), WANT("op-plugin", op_plugin) } },
	{ .name = "musa",
		.import = import_musa,
		.wanted = { WANT("release", import.release), WANT("torch", import.torch),
			WANT("native-functions", native_functions), WANT("functions", functions) } },
	{ .name = "torch",
		.import = import_torch,
		.wanted = { WANT("torch", import.torch), WANT("native-functions", native_functions) } },
	{ .name = "registrations", .import_file = import_registrations },
	{ .name = "reported", .import_file = import_reported },
};

static const struct importer *importer_of(struct str name, struct err *err)
{
	struct nearest nearest = NEAREST_TO(name);

	for (size_t i = 0; i < ARRAY_SIZE(importers); i++) {
		if (str_eq(name, str_from(importers[i].name)))
			return &importers[i];
		nearest_offer(&nearest, str_from(importers[i].name));
	}
	err_set(err, ERR_COMMAND, name.len ? "opcheck db import does not know '%s'" : "what to import is missing%s",
		shown(name).text);
	if (nearest.count)
		err_hint(err, "did you mean %.*s?", STR_ARG(nearest.names[0]));
	else
		err_hint(err, "it knows npu, musa, torch, registrations and reported");
	return NULL;
}

static int check_wanted(const struct importer *importer, const struct db_options *options, struct err *err)
{
	for (const struct wanted *wanted = importer->wanted; wanted->name; wanted++) {
		const struct str *value = (const struct str *)(const void *)((const char *)options + wanted->field);

		if (!value->len) {
			err_set(err, ERR_ARGUMENT, "--%s is missing", wanted->name);
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
		status = common_print(buf_str(&report), err);
	buf_clear(&report);
	return status;
}

int db_import(struct db_options *options, const struct arguments *arguments, struct err *err)
{
	const struct importer *importer = importer_of(arguments->count > 1 ? str_from(arguments->items[1]) : STR(""), err);
	size_t operands = importer && importer->import_file ? 3 : 2;
	int status;

	if (!importer)
		return -err->code;
	status = command_operands(arguments, operands, operands, "the file to import", err);
	if (!status)
		status = check_wanted(importer, options, err);
	if (status)
		return status;
	options->import.opdb_dir = options->opdb.len ? options->opdb.ptr : "opdb";
	options->import.native_functions = path_of(options->native_functions);
	options->import.framework = path_of(options->framework);
	options->import.op_plugin = path_of(options->op_plugin);
	options->import.derivatives = path_of(options->derivatives);
	options->import.functions = path_of(options->functions);
	options->import.patch = path_of(options->patch);
	options->import.tags = path_of(options->tags);
	options->import.generated = path_of(options->generated);
	return run_importer(importer, &options->import, operands == 3 ? arguments->items[2] : NULL, err);
}
