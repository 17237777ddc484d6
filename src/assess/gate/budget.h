#pragma once
/*
 * Budgets: how much of the time may be lost on a target, in percent. A measurement is an interval, from the certain
 * to the possible value; its worse end counts. Time is that of the result's basis.
 */
#include "assess/model/result.h"
#include "base/setup/err.h"

struct budget_kind {
	const char *name; /* as on the command line and in the configuration: "max-blocked-time" */
	const char *help; /* of its option */
	bool at_least;    /* the lower end must reach the limit; else the upper end must not pass it */
	struct result_interval (*measure)(const struct result *result, const struct result_target *target);
	size_t at; /* without a function: the interval, in a target */
};

extern const struct budget_kind budget_kinds[];
enum { BUDGET_KINDS = 7 };

struct budgets {
	bool given[BUDGET_KINDS];
	int64_t limit_ppm[BUDGET_KINDS];
};

/* A share from "2%" or "99.5 %". ERR_VALUE names what takes it and shows an example. */
int percent_parse(struct str text, int64_t *ret_ppm, const char *name, const char *example, struct err *err);

/* Sets the budget with this number from "2%" or "99.5 %". ERR_VALUE. */
int budget_parse(struct budgets *budgets, size_t kind, struct str percent, struct err *err);

/* Measures a target against one of them. */
struct result_check budget_check(
	const struct budgets *budgets, size_t kind, const struct result *result, const struct result_target *target);
