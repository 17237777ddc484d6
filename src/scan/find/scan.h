#pragma once
/*
 * A program's own sources held against the rules of a port: a result with the places that must change, and those that
 * a person has to look at, for each target.
 *
 * Alone it has no inputs and no operators: result->source is there instead. A target is blocked while something must
 * change, and inconclusive where a script could not be read.
 */
#include "assess/assess.h"
#include "scan/find/tables.h"

struct scan_request {
	struct program_request program;
	const struct opdb *db;
	const struct target *targets;
	size_t target_count;
	const char *tool_version;
	struct source_tables *tables; /* NULL: none are wanted */
	struct result *beside;        /* of dumps of the program, on the same targets; NULL: none */
};

/*
 * With `tables`, these are filled in as well.
 *
 * With `beside`, the answer is that result with what is in the scripts joined to it: findings in scripts come first,
 * and a verdict is the graver one. A policy is applied after that. When the scan fails, `beside` is as it was, and the
 * caller's.
 *
 * ERR_OPEN for a path that is not there; ERR_EMPTY when no script is under the paths; ERR_LIMIT; ERR_UNREAD in a
 * program without a grammar; ERR_VALUE for `beside` with other targets; ERR_DB_DAMAGED.
 */
int scan_run(const struct scan_request *request, struct result **ret, struct err *err);
