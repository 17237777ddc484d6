#pragma once
/* Meanings of the environment variables that are set. The table is opdb/faults/environment.tsv. */
#include "base/memory/arena.h"
#include "base/memory/mem.h"
#include "base/setup/err.h"

struct variable {
	struct str name, value; /* the value printable and cut */
	bool known, look_again; /* in the table; worth a second look */
	struct str meaning[2];  /* by enum lang */
	struct str sources;     /* addresses, joined by blanks */
};

typedef MEM_LIST(struct variable) variable_list;

/* Those of the environment that the table has, and others of CANN, HCCL, the plugins and MUSA; by name. Free the items.
   ERR_FACT for a malformed row. */
int variables_in_force(struct arena *arena, variable_list *ret, struct err *err);
