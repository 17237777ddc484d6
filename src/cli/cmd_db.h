#pragma once
/* The actions of `opcheck db`, one row of a table each. */
#include "base/opt.h"
#include "import/import.h"

struct db_options {
	struct str db, output;
	struct str opdb; /* directory of the fact text that an import changes */
	struct import_options import;
	struct str native_functions, framework, op_plugin, derivatives, functions, patch, tags, generated;
};

/* `opcheck db import WHAT [FILE]`; arguments begin with "import". */
int db_import(struct db_options *options, const struct arguments *arguments, struct err *err);
