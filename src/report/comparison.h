#pragma once
/* The answer of `opcheck compare`: a prediction beside a run on the device. */
#include "assess/compare/comparison.h"
#include "report/render.h"

void comparison_put_text(const struct comparison *comparison, const struct render_options *options, struct buf *out);
void comparison_put_json(const struct comparison *comparison, struct buf *out); /* schema/comparison.schema.json */
void comparison_put_md(const struct comparison *comparison, const struct render_options *options, struct buf *out);
void comparison_put_html(const struct comparison *comparison, const struct render_options *options, struct buf *out);

/* The names of the dumps of one side, printable. */
void comparison_put_inputs(struct buf *out, const struct result *result);
