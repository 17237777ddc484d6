#pragma once
/* Values that decide over the control flow and over shapes: each is a stop for the device, and a shape that changes. */
#include "scan/find/check.h"

/* Values that decide over the control flow and over shapes. */
void check_dynamic(struct check *check, const struct script *script);
