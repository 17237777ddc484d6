#pragma once
/* Commands that take their operands one after the other (--each). */
#include "cli/shared/command.h"

/* Runs it for each operand, and for each dump of an operand that is a folder. Errors are printed, the worst status is
   returned with its error. A file of a folder that is no dump counts only where the folder has none. */
int command_each(int (*run)(void *ctx, const struct arguments *one, struct err *err), void *ctx,
	const struct arguments *arguments, struct err *err);
