#pragma once
/*
 * op-plugin's derivatives.yaml: for which operators it has a formula of the gradient.
 *
 * The fact text keeps no formulas; the file is read to hold the lists against it, because a formula for an operator
 * that is not there means that list and formulas are of different releases.
 */
#include "import/plugin_version.h"

struct derivatives {
	struct str version; /* the one that is built: "v2.7" */
	bool (*is_known)(void *context, struct str op);
	void *context;
	size_t formulas; /* that hold for the version */
	size_t unknown;  /* of these, for operators that nobody registers */
	struct str first_unknown;
	size_t first_line;
};

/* Reads the file, in either dialect of op-plugin. The caller sets version and is_known, which says whether an operator
   is there; the rest is what was found. ERR_IMPORT, ERR_OPEN. */
int derivatives_read(const char *path, struct arena *arena, struct derivatives *ret, struct err *err);
