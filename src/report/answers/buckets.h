#pragma once
/*
 * The bucket plan, in every format.
 *
 * result is that of the same assessment: its inputs, assumptions and unknown operators are shown.
 */
#include "assess/shape/buckets.h"
#include "report/doc/doc.h"

/* `opcheck buckets`: the bucket plan. */
void buckets_write(const struct bucket_list *list, const struct result *result, struct str form,
	const struct render_options *options, struct buf *out);           /* any of them by its name: "json", "md" */
void bucket_place_put(struct buf *out, const struct bucket_place *place); /* "aten::mm[0][1]" */
