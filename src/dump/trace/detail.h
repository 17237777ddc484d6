#pragma once
/*
 * A text that calls of one operator may have different: the smallest in byte order is kept, and whether there were
 * others. So nothing depends on the order of the calls.
 */
#include "base/memory/buf.h"

enum { TRACE_MAX_DETAIL = 4096 }; /* bytes of one */

struct trace_detail {
	char *raw; /* heap memory */
	uint32_t len, capacity;
	bool varies;
	bool clean; /* known to need no repair: it is emitted as it is */
};

/* Take one more text, raw from the trace. False if it is too long or *room, the bytes for all texts, is used up. */
bool trace_detail_take(struct trace_detail *detail, struct str raw, size_t *room);

/* Returns whether the text equals the kept one, as nearly always. */
static inline bool trace_detail_is(const struct trace_detail *detail, struct str raw)
{
	return detail->len == raw.len && raw.len && memcmp(detail->raw, raw.ptr, raw.len) == 0;
}

static inline struct str trace_detail_raw(const struct trace_detail *detail)
{
	return (struct str){ detail->raw, detail->len };
}

/* As a list in JSON, in valid UTF-8 and with one blank behind each comma: a view of the text or of scratch; "" for
   anything but a list. */
struct str trace_detail_json(struct trace_detail *detail, struct buf *scratch);
