#pragma once
/* Values that decide over the control flow and over shapes: each is a stop for the device, and a shape that changes. */
#include "scan/find/check.h"

void check_dynamic(struct check *check, const struct script *script);
