#pragma once
/* Operators whose result has a shape that depends on values. */
#include "assess/shape/dynamic.h"

struct opdb;

/* Operators whose result has a shape that depends on values, whatever shapes the dump shows. tags: what PyTorch says of
   the operator (enum dynamic_tag). rows_hidden: the dump may not show all operators. */
bool is_data_dependent(
	const struct opdb *db, const struct operators *operators, const struct op *op, unsigned tags, bool rows_hidden);
