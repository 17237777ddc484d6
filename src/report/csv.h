#pragma once
/* The operators as CSV: a row for each operator and target. */
#include "assess/model/result.h"
#include "report/doc/doc.h"

void render_csv(const struct result *result, const struct render_options *options, struct buf *out);
