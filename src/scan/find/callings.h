#pragma once
/* The lines of a program that call the operators of its dumps. */
#include "scan/find/program.h"

/* Join the lines of a program with the operators of its dumps, and its findings with operators: by recorded stacks,
   else by the operators that each Python API calls. Fills in source->callings for the operators that findings of the
   dump are about, and the operators and their share of findings in the scripts. All lives in its arena.
   ERR_DB_DAMAGED, ERR_LIMIT. */
struct opdb;
struct result;
int callings_put(const struct program *program, const struct opdb *db, const struct result *dump, struct result *scan,
	struct err *err);
