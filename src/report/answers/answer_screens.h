#pragma once
/* First screens of answers beside the report: advise, compare, diff. */
#include "assess/compare/comparison.h"
#include "report/answers/changes_gate.h"
#include "report/doc/doc.h"

void advise_screen(const struct result *result, const struct render_options *options, struct buf *out);
void comparison_screen(const struct comparison *comparison, const struct render_options *options, struct buf *out);
void changes_screen(const struct changes_view *view, const struct render_options *options, struct buf *out);
