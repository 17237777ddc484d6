#pragma once
/* The options of commands that end in a report with a gate: what the gate looks at, waivers and the baseline. */
#include "assess/gate/policy.h"
#include "cli/shared/common.h"

struct policy_options {
	struct policy policy; /* settled: complete */
	struct str_list waivers;
	struct str baseline, date, budgets[BUDGET_KINDS];
	bool exit_zero;
};

/* The first member of the options of a command with a gate. */
struct gated_options {
	struct common_options common;
	struct policy_options gate;
	struct stated stated;
	struct cost_options cost;
};

int gated_options_fail_on(void *ctx, struct str value, struct err *err);
int gated_options_types(void *ctx, struct str value, struct err *err);
int gated_options_uncovered(void *ctx, struct str value, struct err *err);
int gated_options_slow(void *ctx, struct str value, struct err *err);
int gated_options_bandwidth(void *ctx, struct str value, struct err *err);
int gated_options_slowdown(void *ctx, struct str value, struct err *err);

/* clang-format off */
#define GATE(member) FIELD(gated_options, member), .topic = "gate"
#define BUDGET_OPTION(kind, name, help) { 0, name, "PERCENT", help, GATE(gate.budgets[kind]) }

#define COST_OPTIONS \
	{ 0, "host-bandwidth", "RATE", "between host and device, each way (12GB/s)", CALL(gated_options_bandwidth) }, \
	{ 0, "host-slowdown", "FACTOR", "how much slower the target's host CPU is (1.0)", CALL(gated_options_slowdown) }

#define STATED_OPTIONS \
	{ 0, "dtype", "LIST", "data types that the program computes in (fp32,bf16)", CALL(gated_options_types) }, \
	{ 0, "require-dtypes", NULL, "exit 3 while data types are an open question", GATE(stated.require_dtypes) }, \
	{ 0, "max-uncovered-time", "PERCENT", "time without operators (5%)", CALL(gated_options_uncovered), \
		.topic = "gate" }, \
	{ 0, "slow-time", "PERCENT", "time on host or AI CPU that warns (5%)", CALL(gated_options_slow), \
		.topic = "gate" }

#define POLICY_OPTIONS \
	{ 0, "fail-on", "LIST", "exit 1 on: unsupported ...; `opcheck help gate`", CALL(gated_options_fail_on) }, \
	{ 0, "exit-zero", NULL, "exit 0 even if the gate fails", GATE(gate.exit_zero) }, \
	{ 0, "waivers", "FILE", "findings that you accept, repeatable", LIST(gated_options, gate.waivers), \
		.topic = "gate" }, \
	{ 0, "fail-on-expired-waiver", NULL, "exit 1 if a waiver has expired", \
		GATE(gate.policy.fail_on_expired_waiver) }, \
	{ 0, "date", "YYYY-MM-DD", "day on which waivers must be valid (today)", GATE(gate.date) }, \
	{ 0, "baseline", "REPORT", "ignore the findings of this JSON report", GATE(gate.baseline) }, \
	{ 0, "new-only", NULL, "with --baseline: list only new findings", GATE(common.render.new_only) }

/* The budgets stand in the order of budget_kinds. */
#define GATE_OPTIONS \
	POLICY_OPTIONS, \
	BUDGET_OPTION(0, "max-blocked-time", "time of operators that do not run"), \
	BUDGET_OPTION(1, "max-fallback-time", "time of operators that run on the CPU"), \
	BUDGET_OPTION(2, "max-unknown-time", "time of operators that are unknown"), \
	BUDGET_OPTION(3, "max-dynamic-time", "time of operators whose shapes change"), \
	BUDGET_OPTION(4, "min-readiness", "time that runs on the device"), \
	BUDGET_OPTION(5, "min-coverage", "time that runs, on the device or the CPU"), \
	BUDGET_OPTION(6, "max-aicpu-time", "time of operators that run on the AI CPU")
/* clang-format on */

/* Of a struct command whose options begin with struct gated_options. settle reads what the policy is made of: the
   errors of policy_files.h, ERR_VALUE. clear frees the policy, settled or not. */
void gated_options_init(void *options);
int gated_options_settle(void *options, const struct arguments *arguments, struct err *err);
void gated_options_clear(void *options);

/* ERR_VALUE for a report each of several inputs where outputs name one file. */
int gated_options_settle_each(const struct gated_options *options, const struct arguments *arguments, struct err *err);

/* Whether the baseline is an assessment of a server: settle leaves it to the caller, who knows the server. */
bool gated_options_wants_run(const struct gated_options *options);

/* Writes the reports and frees the result. 1: some target failed the gate; an error of stated_allows or the outputs. */
int gated_options_report(const struct gated_options *options, struct result *result, struct err *err);
