#pragma once
/* Operators whose result has a shape that depends on values: flagged whatever shapes a dump shows. */
#include "assess/model/operators.h"

/* tags: what PyTorch says of the operator (enum dynamic_tag). rows_hidden: the dump may not show all operators. */
bool is_data_dependent(const struct operators *operators, const struct op *op, unsigned tags, bool rows_hidden);
