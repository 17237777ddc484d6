#include "dump/table/unwrap.h"

#include "base/value/utf8.h"

/* The line that was given last may still be in use. */
static void set_aside(struct unwrap *unwrap)
{
	if (!unwrap->joined.ptr)
		return;
	buf_clear(&unwrap->old);
	unwrap->old = unwrap->joined;
	unwrap->joined = BUF_INIT(unwrap->old.max_bytes);
}

void unwrap_start(struct unwrap *unwrap, size_t width, unsigned pieces, uint64_t max_bytes)
{
	set_aside(unwrap);
	unwrap->joined.max_bytes = max_bytes;
	unwrap->width = width;
	unwrap->pieces = pieces;
	unwrap->have = 0;
}

void unwrap_stop(struct unwrap *unwrap)
{
	set_aside(unwrap);
	unwrap->width = unwrap->have = 0;
}

void unwrap_clear(struct unwrap *unwrap)
{
	unwrap_stop(unwrap);
	buf_clear(&unwrap->old);
}

bool unwrap_line(struct unwrap *unwrap, struct str line, struct str *ret)
{
	bool full = unwrap->width && utf8_points(line) == unwrap->width;

	if (!full && !unwrap->have) {
		*ret = line;
		return true;
	}
	if (!unwrap->have)
		buf_reset(&unwrap->joined);
	buf_add(&unwrap->joined, line);
	buf_clear(&unwrap->old); /* line may have been in it */
	unwrap->have++;
	if (full && unwrap->have < unwrap->pieces)
		return false;
	unwrap->have = 0;
	*ret = buf_str(&unwrap->joined);
	return true;
}
