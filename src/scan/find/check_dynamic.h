#pragma once
/* Values that decide over the control flow and over shapes: each is a stop for the device, and a shape that changes. */
#include "scan/find/check.h"

/* Values that decide over the control flow and over shapes. */
void check_dynamic(struct check *check, const struct script *script);

/* Returns whether the expression is certainly a tensor: made by torch, or from one. */
bool is_sure_tensor(const struct check *check, const struct script *script, uint32_t node);

/* The last value that an assignment in its scope gives a name, or 0. */
uint32_t value_of_name(const struct script *script, uint32_t node);
