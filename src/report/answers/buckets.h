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
	const struct render_options *options, struct buf *out); /* any of them by its name: "json", "md" */

/* Appends "aten::mm[0][1], aten::add[0][0], ... +3". */
void bucket_places_put(
	struct buf *out, const struct bucket_place *places, size_t shown, uint64_t total, const char *between);
