#include "cli/shared/beside.h"
#include "cli/shared/command.h"
#include "diagnose/diagnosis.h"
#include "diagnose/diagnosis_put.h"

struct diagnose_options {
	struct common_options common;
	struct str_list dumps;
};

static const struct option diagnose_table[] = {
	OPTION_WITH(diagnose_options, dumps),
	OPTIONS_OUTPUT("text (default), json, csv"),
	OPTION_LANG,
	OPTION_DB,
	OPTION_LIMIT,
	{ 0 },
};

struct logs_answer {
	const struct diagnosis *diagnosis;
	const struct result *result; /* of the dumps; NULL: none was named */
};

static int put_diagnosis(const void *ctx, struct str format, const struct render_options *render, struct buf *out,
	struct err *err UNUSED)
{
	const struct logs_answer *answer = ctx;

	if (str_eq(format, STR("json")))
		diagnosis_put_json(answer->diagnosis, answer->result, out);
	else if (str_eq(format, STR("csv")))
		diagnosis_put_csv(answer->diagnosis, out);
	else
		diagnosis_put_text(answer->diagnosis, answer->result, render->lang, out);
	return 0;
}

static int run_diagnose(void *ctx, const struct arguments *logs, struct err *err)
{
	const struct diagnose_options *options = ctx;
	struct diagnosis diagnosis;
	struct result *result = NULL;
	int status = diagnosis_open(&options->common.limits, &diagnosis, err);

	for (size_t i = 0; i < logs->count && !status; i++)
		status = diagnosis_read(&diagnosis, logs->items[i], &options->common.limits, err);
	if (!status)
		diagnosis_compare(&diagnosis, options->common.opdb);
	if (!status)
		status = diagnosis_name_kernels(&diagnosis, options->common.opdb, err);
	if (!status)
		status = beside_read(&options->common, &options->dumps, &result, err);
	if (!status)
		status = common_write(
			&options->common, put_diagnosis, &(struct logs_answer){ &diagnosis, result }, err);
	if (result)
		result_free(result);
	diagnosis_clear(&diagnosis);
	return status;
}

const struct command cmd_diagnose = {
	.name = "diagnose",
	.summary = "find the cause of a failed run in its log",
	.usage = "LOG... [--with DUMP|REPORT]... [OPTION]...",
	.examples = "  opcheck diagnose train.log\n"
		    "  opcheck diagnose train.log --with profiler.log -f json",
	.options = diagnose_table,
	.options_size = sizeof(struct diagnose_options),
	.formats = "text json csv",
	.operand = "the log",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.database = true,
	.run = run_diagnose,
};
