#pragma once
/* `opcheck db diff A B`: two releases, or two database files release by release; also after `db install`. */
#include "cli/shared/common.h"

struct diff_options {
	struct common_options common;
	struct str_list of; /* dumps and reports: only their operators count; none: every operator */
	struct str to;      /* of db install: the database to replace */
};

/* A row of option tables. */
#define OPTION_OF                                                                                                      \
	{                                                                                                              \
		0, "of", "FILE", "only operators of this dump or report, repeatable", LIST(diff_options, of)           \
	}

/* Print the differences of the second database file from the first. As opdb_open, opdb_diff and check_run. */
int db_diff_print(const struct diff_options *options, const char *const paths[2], struct err *err);
