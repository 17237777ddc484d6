#pragma once
/* Expressions that certainly are tensors. */
#include "scan/find/check.h"

/* Returns whether the expression is certainly a tensor: made by torch, or from one. */
bool is_sure_tensor(const struct check *check, const struct script *script, uint32_t node);

/* Returns whether it is certainly one of the CPU: made without a device, or moved there. */
bool is_cpu_tensor(const struct check *check, const struct script *script, uint32_t node);

/* The values that assignments in its scope give a name; returns how many. */
enum { VALUES_MOST = 8 };
unsigned values_of_name(const struct script *script, uint32_t node, uint32_t ret[VALUES_MOST]);

/* Returns whether it compares by order or for equality. */
bool is_order(const struct script *script, uint32_t node);
