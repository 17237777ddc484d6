#pragma once
/* Operators of a dump with sparse input. Profilers do not say so, but sparse tensors have sizes and no strides, and
   what runs inside of an operator gives them away. */
#include "assess/model/operators.h"

/* Returns whether an operator of aten, by its full name, makes, takes or opens sparse tensors. */
bool sparse_by_name(struct str name);

struct sparse_calls {
	bool some; /* of the operator's calls got one */
	bool all;  /* each of them did, as the strides show */
};

/* Of each operator; the list lives in arena. *ret_known: the dump has strides, or what ran inside of what. */
struct sparse_calls *sparse_calls_find(
	struct arena *arena, const struct profile *profile, const struct operators *operators, bool *ret_known);

/* Returns, by operator, whether it gets sparse tensors: all may where the dump does not tell. NULL for a program
   without sparse tensors. In arena. */
bool *sparse_find(struct arena *arena, const struct profile *profile, const struct operators *operators);
