#pragma once
/* Options of commands that end in a report with a gate: gate, waivers and baseline. */
#include "assess/gate/policy.h"
#include "cli/shared/option_rows.h"
#include "report/screen/each_screen.h"

struct policy_options {
	struct policy policy; /* resolved: complete */
	struct str_list waivers;
	struct str baseline;
	bool exit_zero;
};

/* The first member of the options of a command with a gate. */
struct gated_options {
	struct common_options common;
	struct policy_options gate;
	struct stated stated;
	struct cost_options cost;
	struct each_list *lines; /* with --each, a line a report; NULL: reports are written */
};

/* Sets a term of check/asked/terms.h. */
int gated_options_term(void *ctx, const char *name, struct str value, struct err *err);

/* clang-format off */
#define GATE(member) FIELD(gated_options, member), .topic = "gate"
#define GATED_TERM(name) TERM(name, gated_options_term)

#define STATED_OPTIONS \
	GATED_TERM("assume"), \
	GATED_TERM("dtype"), \
	GATED_TERM("require-dtypes"), \
	GATED_TERM("max-uncovered-time"), \
	GATED_TERM("slow-time"), \
	GATED_TERM("host-bandwidth"), \
	GATED_TERM("host-slowdown")

#define POLICY_OPTIONS \
	GATED_TERM("fail-on"), \
	{ 0, "exit-zero", NULL, "exit 0 even if the gate fails", GATE(gate.exit_zero) }, \
	{ 0, "waivers", "FILE", "findings that you accept, repeatable", LIST(gated_options, gate.waivers), \
		.topic = "gate" }, \
	GATED_TERM("fail-on-expired-waiver"), \
	GATED_TERM("date"), \
	{ 0, "baseline", "REPORT", "ignore the findings of this JSON report", GATE(gate.baseline) }, \
	{ 0, "new-only", NULL, "with --baseline: list only new findings", GATE(common.render.new_only) }

#define GATE_OPTIONS \
	POLICY_OPTIONS, \
	GATED_TERM("max-blocked-time"), \
	GATED_TERM("max-fallback-time"), \
	GATED_TERM("max-unknown-time"), \
	GATED_TERM("max-dynamic-time"), \
	GATED_TERM("min-readiness"), \
	GATED_TERM("min-coverage"), \
	GATED_TERM("max-aicpu-time")
/* clang-format on */

/* Of a struct command whose options begin with struct gated_options. settle reads the files of the policy: the
   errors of policy_files.h, ERR_VALUE. clear frees the policy, resolved or not. */
void gated_options_init(void *options);
int gated_options_settle(void *options, const struct arguments *arguments, struct err *err);
void gated_options_clear(void *options);

/* Returns whether the baseline is an assessment of a server, which the caller has to fetch. */
bool gated_options_wants_run(const struct gated_options *options);

/* Writes the reports and frees the result. 1: some target failed the gate; an error of stated_allows or the outputs. */
int gated_options_report(const struct gated_options *options, struct result *result, struct err *err);
