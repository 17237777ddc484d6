#pragma once
/*
 * derivatives.yaml: for which operators there is a formula of the gradient.
 *
 * Of op-plugin's the fact text keeps nothing; it is read to hold the lists against it, because a formula for an
 * operator that is not there means that list and formulas are of different releases. PyTorch's own becomes
 * torch/gradients.tsv.
 */
#include "import/facts.h"
#include "import/native.h"
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

/* Rows of torch/gradients.tsv from PyTorch's file: backward nodes, and the backward operators that their formulas call.
   What only throws has no row, nor has a formula for one dispatch key, which is for nested tensors. */
struct gradients {
	const struct native *native; /* the operators of the same version */
	const struct generated_list *generated;
	struct fact_rows *rows;
	unsigned place; /* where they hold */
	size_t count;   /* how many were added */
};

/* ERR_IMPORT, also for an operator that the version lacks; ERR_OPEN. */
int gradients_read(const char *path, struct arena *arena, struct gradients *ret, struct err *err);
