#pragma once
/* The dumps, or the report on them, that a command takes beside its operands. */
#include "check/asked/targets.h"
#include "cli/shared/common.h"

#define OPTION_WITH(type, member)                                                                                      \
	{                                                                                                              \
		0, "with", "DUMP|REPORT", "join it with dumps, repeatable, or a report", LIST(type, member)            \
	}

/* The check of the dumps on the targets of the options, or the loaded report, which has its own targets; NULL
   without a path. As check_run and report_load; ERR_VALUE for a report that is not alone or has targets beside it. */
int beside_read(
	const struct common_options *options, const struct str_list *paths, struct result **ret, struct err *err);

/* Targets of that result, else those of the options. As targets_choose. */
int beside_targets(
	const struct common_options *options, const struct result *beside, struct target_list *ret, struct err *err);
