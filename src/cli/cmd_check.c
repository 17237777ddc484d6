#include <stdlib.h>

#include "base/mem.h"
#include "check/check.h"
#include "check/database.h"
#include "cli/command.h"
#include "cli/policy_options.h"
#include "cli/progress.h"

struct check_options {
	struct gated_options gated; /* first: REPORT_OPTIONS, GATE_OPTIONS */
	struct limits limits;
	struct str_list targets;
	struct str torch, db;
	struct str_list overlays;
	struct assumption_list assumptions;
	struct cost_options cost;
	bool each;
};

static int set_limit(void *ctx, struct str value, struct err *err)
{
	return limits_set(&((struct check_options *)ctx)->limits, value, err);
}

static int add_assumption(void *ctx, struct str value, struct err *err)
{
	return assumption_list_add(&((struct check_options *)ctx)->assumptions, value, err);
}

static int set_bandwidth(void *ctx, struct str value, struct err *err)
{
	return cost_parse_bandwidth(value, &((struct check_options *)ctx)->cost.host_bandwidth, err);
}

static int set_slowdown(void *ctx, struct str value, struct err *err)
{
	return cost_parse_slowdown(value, &((struct check_options *)ctx)->cost.host_slowdown_milli, err);
}

static const struct option check_table[] = {
	{ 't', "target", "TARGET", "release to check against, repeatable (npu@2.7.1)", LIST(check_options, targets) },
	{ 0, "torch", "VERSION", "only releases for this version of PyTorch", FIELD(check_options, torch) },
	REPORT_OPTIONS,
	GATE_OPTIONS,
	{ 0, "assume", "OP=STATUS", "suppose a status of an operator, repeatable", CALL(add_assumption) },
	{ 0, "host-bandwidth", "RATE", "between host and device, each way (12GB/s)", CALL(set_bandwidth) },
	{ 0, "host-slowdown", "FACTOR", "how much slower that host is than the dump's (1.0)", CALL(set_slowdown) },
	{ 0, "each", NULL, "one assessment a file instead of one of all", FIELD(check_options, each) },
	{ 0, "db", "FILE", "support database", FIELD(check_options, db) },
	{ 0, "overlay", "FILE", "facts of your own site, repeatable", LIST(check_options, overlays) },
	{ 0, "limit", "NAME=N", "set a limit; `opcheck help limits` lists them", CALL(set_limit) },
	{ 0 },
};

static int check_once(const struct check_options *options, const struct opdb *db, const struct check_input *inputs,
	size_t count, struct err *err)
{
	unsigned shows = outputs_show(&options->gated.report.outputs);
	struct progress progress;
	struct check_request request = { .inputs = inputs,
		.input_count = count,
		.db = db,
		.targets = options->targets.items,
		.target_count = options->targets.count,
		.torch = options->torch,
		.policy = &options->gated.gate.policy,
		.assumptions = &options->assumptions,
		.cost = options->cost,
		.limits = &options->limits,
		.left_out = progress_left_out,
		.ctx = &progress,
		.meter = &progress.meter,
		.skip_digests = !(shows & SHOWS_DIGESTS),
		.skip_history = !(shows & SHOWS_HISTORY) };
	struct result *result;
	int status;

	progress_start(&progress, options->gated.report.outputs.quiet);
	status = check_run(&request, &result, err);
	progress_stop(&progress);
	if (status)
		return status;
	status = outputs_write(&options->gated.report.outputs, result, &options->gated.report.render, err);
	if (!status)
		status = gated_options_status(&options->gated, result);
	result_free(result);
	return status;
}

/* The exit status that a result of check_once leads to. */
static int exit_status(int status, const struct err *err)
{
	return status < 0 ? err_exit_status(err->code) : status;
}

/* One assessment a file. One that fails is told and the others go on; the gravest status is the answer. */
static int check_each(const struct check_options *options, const struct opdb *db, const struct check_input *inputs,
	size_t count, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < count; i++) {
		struct err failure = { 0 };
		int one = check_once(options, db, &inputs[i], 1, &failure);

		if (exit_status(one, &failure) > exit_status(status, err)) {
			if (status < 0)
				command_print_error(err);
			status = one;
			*err = failure;
		} else if (one < 0) {
			command_print_error(&failure);
		}
	}
	return status;
}

static int check_all(
	const struct check_options *options, const struct opdb *db, const struct arguments *arguments, struct err *err)
{
	struct check_input *inputs = mem_zalloc(arguments->count * sizeof(inputs[0]));
	int status;

	for (size_t i = 0; i < arguments->count; i++)
		inputs[i].path = arguments->items[i];
	if (options->each && arguments->count > 1 && options->gated.report.outputs.count) {
		err_set(err, ERR_VALUE, "--each makes %zu reports, --output has room for one", arguments->count);
		status = err_hint(err, "call opcheck once a file");
	} else if (options->each) {
		status = check_each(options, db, inputs, arguments->count, err);
	} else {
		status = check_once(options, db, inputs, arguments->count, err);
	}
	free(inputs);
	return status;
}

static int no_server(struct err *err)
{
	err_set(err, ERR_VALUE, "the baseline is no file: an assessment of a server is one for `opcheck submit`");
	return err_hint(err, "fetch it first: curl URL/api/v1/assessments/ID/report.json");
}

static int run_check(const struct command *command, int argc, char **argv, struct err *err)
{
	struct check_options options = { .limits = limits_default() };
	struct arguments arguments = { 0 };
	struct opdb *db = NULL;
	int status;

	policy_init(&options.gated.gate.policy);
	status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help) {
		status = command_operands(&arguments, 1, SIZE_MAX, "the dump to check", err);
		if (!status)
			status = gated_options_settle(&options.gated, &options.limits, err);
		if (!status && gated_options_wants_run(&options.gated))
			status = no_server(err);
		if (!status)
			status = database_open_with(options.db, &options.overlays, &options.limits, &db, err);
		if (!status)
			status = check_all(&options, db, &arguments, err);
	}
	opdb_close(db);
	gated_options_clear(&options.gated);
	free(options.targets.items);
	free(options.overlays.items);
	assumption_list_clear(&options.assumptions);
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_check = {
	.name = "check",
	.summary = "check profiler dumps against releases of torch_npu and torch_musa",
	.usage = "FILE|FOLDER... [OPTION]...",
	.examples = "  opcheck check profiler.log -t npu@2.7.1 -o html=report.html --fail-on unknown",
	.options = check_table,
	.run = run_check,
};
