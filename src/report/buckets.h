#pragma once
/* The bucket plan, which is no part of the report. */
#include "assess/shape/buckets.h"
#include "assess/model/result.h"
#include "report/doc.h"

/* result is that of the same assessment: what was read, and of which operators nothing is known. */
void buckets_put(const struct bucket_list *list, const struct result *result, enum doc_format format,
	const struct render_options *options, struct buf *out);
void buckets_put_json(const struct bucket_list *list, const struct result *result, struct buf *out);
void buckets_put_csv(const struct bucket_list *list, struct buf *out);
