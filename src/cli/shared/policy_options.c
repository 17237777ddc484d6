#include "cli/shared/policy_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "assess/plan/cost.h"
#include "base/value/utf8.h"
#include "check/asked/policy_files.h"
#include "check/asked/stated.h"
#include "check/asked/terms.h"
#include "cli/shared/client.h"

int gated_options_fail_on(void *ctx, struct str value, struct err *err)
{
	return gate_parse(&((struct gated_options *)ctx)->gate.policy.gate, value, err);
}

int gated_options_types(void *ctx, struct str value, struct err *err)
{
	return stated_set_types(&((struct gated_options *)ctx)->stated, value, err);
}

int gated_options_uncovered(void *ctx, struct str value, struct err *err)
{
	return stated_set_uncovered(&((struct gated_options *)ctx)->stated, value, err);
}

int gated_options_slow(void *ctx, struct str value, struct err *err)
{
	return stated_set_slow(&((struct gated_options *)ctx)->stated, value, err);
}

int gated_options_bandwidth(void *ctx, struct str value, struct err *err)
{
	return cost_parse_bandwidth(value, &((struct gated_options *)ctx)->cost.host_bandwidth, err);
}

int gated_options_slowdown(void *ctx, struct str value, struct err *err)
{
	return cost_parse_slowdown(value, &((struct gated_options *)ctx)->cost.host_slowdown_milli, err);
}

static int settle_budgets(struct policy_options *options, struct err *err)
{
	for (size_t i = 0; i < BUDGET_KINDS; i++) {
		int status = options->budgets[i].ptr
				     ? budget_parse(&options->policy.budgets, i, options->budgets[i], err)
				     : 0;

		if (status)
			return status;
	}
	return 0;
}

bool gated_options_wants_run(const struct gated_options *options)
{
	const char *baseline = options->gate.baseline.ptr;

	return baseline && client_is_id(baseline) && access(baseline, F_OK) != 0;
}

static int read_files(struct gated_options *options, struct err *err)
{
	struct policy_options *gate = &options->gate;
	const struct limits *limits = &options->common.limits;
	int status = 0;

	if (options->common.render.new_only && !gate->baseline.len) {
		err_set(err, ERR_ARGUMENT, "--new-only needs a baseline");
		return err_hint(err, "give an earlier report with --baseline REPORT.json");
	}
	for (size_t i = 0; i < gate->waivers.count && !status; i++)
		status = policy_read_waivers(&gate->policy, gate->waivers.items[i].ptr, limits, err);
	if (!status && gate->baseline.len && !gated_options_wants_run(options))
		status = policy_read_baseline(&gate->policy, gate->baseline.ptr, limits, err);
	return status;
}

void gated_options_init(void *options)
{
	policy_init(&((struct gated_options *)options)->gate.policy);
}

int gated_options_settle(void *options, const struct arguments *arguments, struct err *err)
{
	struct policy_options *gate = &((struct gated_options *)options)->gate;
	int status = settle_budgets(gate, err);

	(void)arguments;
	if (!status)
		status = terms_set_date(&gate->policy, gate->date, err);
	return status ? status : read_files(options, err);
}

int gated_options_settle_each(const struct gated_options *options, const struct arguments *arguments, struct err *err)
{
	if (arguments->count <= 1 || !options->common.outputs.count)
		return 0;
	err_set(err, ERR_VALUE, "--each makes %zu reports, but --output names one file", arguments->count);
	return err_hint(err, "run opcheck once for each file");
}

void gated_options_clear(void *options)
{
	policy_clear(&((struct gated_options *)options)->gate.policy);
}

/* 1 when some target failed the gate. */
static int gate_status(const struct gated_options *options, const struct result *result)
{
	for (size_t i = 0; i < result->target_count && !options->gate.exit_zero; i++) {
		if (result->targets[i].gate == GATE_FAILED)
			return 1;
	}
	return 0;
}

int gated_options_report(const struct gated_options *options, struct result *result, struct err *err)
{
	int status = common_write_report(&options->common, result, err);

	if (!status)
		status = stated_allows(&options->stated, result, err);
	if (!status)
		status = gate_status(options, result);
	result_free(result);
	return status;
}
