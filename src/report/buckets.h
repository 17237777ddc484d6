#pragma once
/* The bucket plan in its own three forms; it is no part of the report. */
#include "assess/shape/buckets.h"
#include "report/render.h"

/* result is that of the same assessment: it tells what was read and which operators nothing is known of. */
void buckets_put_text(const struct bucket_list *list, const struct result *result, const struct render_options *options,
	struct buf *out);
void buckets_put_json(const struct bucket_list *list, const struct result *result, struct buf *out);
void buckets_put_csv(const struct bucket_list *list, struct buf *out);
