#pragma once
/*
 * Lists of names that hold for every release and are asked where no database is open: of saved reports, of calls, of
 * rows that a database is made of. They are fact text all the same: opdb/rules/names.tsv, compiled in.
 */
#include "base/view/str.h"

enum name_list {
	NAMES_DATA,          /* arguments of torch_musa's kernels that have the type of the data */
	NAMES_DEVICE,        /* operators that PyTorch or a plugin calls on its device alone */
	NAMES_MAKES_COMPLEX, /* operators with a complex result whatever their arguments are */
	NAMES_MAKES_SPARSE,  /* about sparse tensors, from dense ones */
	NAMES_SELECTS,       /* arguments that choose or place */
	NAMES_SLOW_BOOL,     /* base names: they compute with booleans */
	NAMES_SLOW_INT64,    /* base names: they compare keys of int64 */
	NAMES_SPARSE,        /* operators about sparse tensors: they make, take or open them */
	NAME_LISTS
};

/* Returns whether a pattern of the list matches the name. Safe from any thread. */
bool name_is_listed(enum name_list list, struct str name);
