#include "base/memory/mem.h"
#include "base/value/nearest.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "cli/shared/command.h"
#include "import/import.h"
#include "import/registrations.h"
#include "import/reported.h"

enum { REPORT_BYTES = 64 * 1024 };

struct import_command {
	struct common_options common;
	struct str opdb; /* directory of the fact text */
	struct import_options import;
};

static const struct option import_table[] = {
	{ 0, "opdb", "DIR", "the fact text to change (opdb)", FIELD(import_command, opdb) },
	{ 0, "force", NULL, "replace an existing release", FIELD(import_command, import.force) },
	{ 0, "release", "NAME", "name of the release, such as 2.7.1+local", FIELD(import_command, import.release) },
	{ 0, "as", "TARGET", "npu or musa, for a machine without plugin", FIELD(import_command, import.as) },
	{ 0, "date", "DATE", "date of the release (that of the file)", FIELD(import_command, import.date) },
	{ 0, "commit", "HEX", "commit of the plugin", FIELD(import_command, import.commit) },
	{ 0 },
};

static const struct importer {
	const char *name;
	int (*import)(const struct import_options *, const char *, struct buf *, struct err *);
} importers[] = {
	{ "registrations", import_registrations },
	{ "reported", import_reported },
};

/* Lists of vendors, which programs beside the fact text read. */
static int refuse_list(struct argument_vector given, struct err *err)
{
	static const struct str lists = STR("npu musa torch cann musa-kernels");
	struct str name = given.count ? str_from(given.items[0]) : STR("");

	if (!str_has_word(lists, name))
		return 0;
	err_set(err, ERR_COMMAND, "opcheck db import no longer has '%s'", name.ptr);
	return err_hint(err, "in the sources of opcheck, `python3 opdb/extract/facts.py %s` takes the same arguments",
		name.ptr);
}

static const struct importer *importer_of(struct str name, struct err *err)
{
	struct nearest nearest = NEAREST_TO(name);

	for (size_t i = 0; i < ARRAY_SIZE(importers); i++) {
		if (str_eq(name, str_from(importers[i].name)))
			return &importers[i];
		nearest_offer(&nearest, str_from(importers[i].name));
	}
	err_set(err, ERR_COMMAND,
		name.len ? "opcheck db import has no '%s'" : "opcheck db import needs what to import%s",
		shown(name).text);
	if (nearest.count)
		err_hint(err, "did you mean %.*s?", STR_ARG(nearest.names[0]));
	else
		err_hint(err, "choose one of registrations, reported");
	return NULL;
}

static int run_import(void *ctx, const struct arguments *arguments, struct err *err)
{
	struct import_command *options = ctx;
	const struct importer *importer = importer_of(arguments->count ? str_from(arguments->items[0]) : STR(""), err);
	CLEANUP(buf_clear) struct buf report = BUF_INIT(REPORT_BYTES);
	int status;

	if (!importer)
		return -err->code;
	status = command_operands(arguments, 2, 2, "the file to import", err);
	if (status)
		return status;
	options->import.opdb_dir = options->opdb.len ? options->opdb.ptr : "opdb";
	status = importer->import(&options->import, arguments->items[1], &report, err);
	if (!status)
		status = output_print(buf_str(&report), err);
	return status;
}

const struct command cmd_db_import = {
	.name = "db import",
	.summary = "add what a machine or its users saw to the text",
	.usage = "registrations FILE | reported FILE [OPTION]...",
	.examples = "  opcheck db import reported seen.csv --opdb opdb",
	.options = import_table,
	.options_size = sizeof(struct import_command),
	.max_operands = 2,
	.refuse = refuse_list,
	.run = run_import,
};
