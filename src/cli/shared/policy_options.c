#include "cli/shared/policy_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check/asked/policy_files.h"
#include "check/asked/terms.h"
#include "cli/shared/client.h"

int gated_options_term(void *ctx, const char *name, struct str value, struct err *err)
{
	struct gated_options *options = ctx;
	const struct terms terms = { &options->gate.policy, &options->stated, &options->cost,
		&options->common.assumptions };
	const struct term *term = term_named(str_from(name));

	return term->set(&(struct term_use){ &terms, term }, term->kind == TERM_SWITCH ? STR("true") : value, err);
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

int gated_options_settle(void *options, const struct arguments *arguments UNUSED, struct err *err)
{
	struct policy *policy = &((struct gated_options *)options)->gate.policy;

	if (!policy->date[0])
		date_today(policy->date);
	return read_files(options, err);
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
	int status = 0;

	if (options->lines)
		each_add(options->lines, result, options->common.render.lang);
	else
		status = common_write_report(&options->common, result, err);

	if (!status)
		status = stated_allows(&options->stated, result, err);
	if (!status)
		status = gate_status(options, result);
	result_free(result);
	return status;
}
