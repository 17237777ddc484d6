#pragma once
/* The plan as a document. */
#include "scan/plan/plan.h"

/* "text", "md" or "html". */
void plan_put(const struct plan *plan, struct str format, const struct render_options *options, struct buf *out);
