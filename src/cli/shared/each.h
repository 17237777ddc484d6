#pragma once
/* Commands with a gate that take their operands one after the other (--each). */
#include "base/setup/opt.h"
#include "cli/shared/policy_options.h"

/* ERR_VALUE for a report each of several inputs where outputs name one file. */
int each_settle(const struct gated_options *options, const struct arguments *arguments, struct err *err);

/* Runs a command for each operand, and for each dump of an operand that is a folder; a screen has a line of each.
   Errors are printed, the worst status is returned with its error. A file of a folder that is no dump counts only
   where the folder has none. */
int each_run(struct gated_options *options, int (*run)(void *ctx, const struct arguments *one, struct err *err),
	void *ctx, const struct arguments *arguments, struct err *err);
