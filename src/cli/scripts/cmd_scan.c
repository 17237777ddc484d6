#include <errno.h>
#include <sys/stat.h>

#include "base/value/shell.h"
#include "base/value/utf8.h"
#include "check/check.h"
#include "cli/shared/beside.h"
#include "cli/shared/command.h"
#include "cli/shared/policy_options.h"
#include "io/outfile.h"
#include "scan/find/scan.h"

struct scan_options {
	struct gated_options gated;
	struct str_list dumps;
	struct str tables; /* the folder */
};

static const struct option scan_table[] = {
	OPTION_WITH(scan_options, dumps),
	{ 0, "tables", "DIR", "write the tables of vendors' tools there", FIELD(scan_options, tables) },
	OPTION_TARGET,
	OPTION_TORCH,
	OPTIONS_REPORT,
	POLICY_OPTIONS,
	OPTIONS_DB,
	OPTION_OVERLAY,
	OPTION_LIMIT,
	{ 0 },
};

/* --- the tables of the vendors' tools */

static int write_tables(const struct scan_options *options, const struct source_tables *tables, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = BUF_UNLIMITED;
	int status = 0;

	if (mkdir(options->tables.ptr, 0777) && errno != EEXIST) {
		err_os(err, ERR_OUTPUT, errno, "cannot make the folder");
		return err_where(err, "%s", shown(options->tables).text);
	}
	for (size_t i = 0; i < SOURCE_TABLES && !status; i++) {
		buf_reset(&path);
		buf_printf(&path, "%.*s/%.*s", STR_ARG(options->tables), STR_ARG(source_table_files[i]));
		status = outfile_write(
			buf_text(&path), buf_str(&tables->csv[i]), options->gated.common.outputs.replace, err);
	}
	return status;
}

/* --- the scan */

static int scan_paths(const struct scan_options *options, const struct arguments *paths, struct source_tables *tables,
	struct result **ret, struct err *err)
{
	const struct common_options *common = &options->gated.common;
	CLEANUP(target_list_clear) struct target_list targets = { 0 };
	struct result *beside = NULL;
	int status = beside_read(common, &options->dumps, &beside, err);

	if (!status)
		status = beside_targets(common, beside, &targets, err);
	if (!status) {
		struct scan_request request = { .program = { (const char *const *)paths->items, paths->count,
							&common->limits },
			.db = common->opdb,
			.targets = targets.items,
			.target_count = targets.count,
			.tool_version = check_version(),
			.tables = options->tables.len ? tables : NULL,
			.beside = beside };

		status = scan_run(&request, ret, err);
	}
	if (status)
		result_free(beside);
	return status;
}

static int run_scan(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct scan_options *options = ctx;
	struct source_tables tables = { 0 };
	struct result *result = NULL;
	int status;

	for (size_t i = 0; i < SOURCE_TABLES; i++)
		tables.csv[i] = (struct buf)BUF_UNLIMITED;
	status = scan_paths(options, arguments, &tables, &result, err);
	if (!status && options->tables.len)
		status = write_tables(options, &tables, err);
	for (size_t i = 0; i < SOURCE_TABLES; i++)
		buf_clear(&tables.csv[i]);
	if (status) {
		result_free(result);
		return status;
	}
	policy_apply(&options->gated.gate.policy, result);
	return gated_options_report(&options->gated, result, err);
}

static int settle_scan(void *ctx, const struct arguments *arguments, struct err *err)
{
	CLEANUP(buf_clear) struct buf word = BUF_UNLIMITED;
	int status = gated_options_settle(ctx, arguments, err);

	common_name_dump(ctx, arguments);
	if (!status && gated_options_wants_run(ctx)) {
		err_set(err, ERR_VALUE, "the baseline is the id of an assessment on a server; scan needs a file");
		shell_put_word(&word, str_from(shown(str_from(arguments->items[0])).text));
		return err_hint(err, "make one with `opcheck scan %s -o baseline.json`", buf_text(&word));
	}
	return status;
}

const struct command cmd_scan = {
	.name = "scan",
	.summary = "find the lines a port changes in scripts and notebooks",
	.usage = "PATH... [OPTION]...",
	.examples = "  opcheck scan src/ -t npu@2.7.1 -f csv\n"
		    "  opcheck scan train.py --with profiler.log -o scan.sarif",
	.options = scan_table,
	.options_size = sizeof(struct scan_options),
	.operand = "the script or the folder of the program",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.database = true,
	.init = gated_options_init,
	.settle = settle_scan,
	.run = run_scan,
	.clear = gated_options_clear,
};
