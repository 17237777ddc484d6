#pragma once
/* Parts of a result that need no verdict: the program, its inputs, its targets and the database. */
#include "assess/model/result.h"
#include "opdb/db/opdb.h"
#include "opdb/db/target.h"

struct assessment;

/* Program, database and inputs of the result. */
void assessment_describe_sources(struct assessment *work);
void assessment_describe_inputs(struct assessment *work);

/* Describe a target and the database before judging; copies are in the arena. */
void assess_describe_target(struct arena *arena, const struct target *target, struct result_target *ret);
void assess_describe_database(struct arena *arena, const struct opdb *db, const char *tool_version, struct result *ret);
