#pragma once
/* The first screen of a plan. */
#include "scan/plan/plan.h"

void plan_screen(const struct plan *plan, const struct render_options *options, struct buf *out);
