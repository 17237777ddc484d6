#pragma once
/* A prediction compared with a run on the device: as a document and as JSON. */
#include "assess/compare/comparison.h"
#include "report/doc/doc.h"

/* `opcheck compare`: a prediction beside a run on the device. */
void comparison_put(const struct comparison *comparison, enum doc_format format, const struct render_options *options,
	struct buf *out);
void comparison_put_csv(const struct comparison *comparison, struct buf *out);  /* a row for each operator */
void comparison_put_json(const struct comparison *comparison, struct buf *out); /* schema/comparison.schema.json */
