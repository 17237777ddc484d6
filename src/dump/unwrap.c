#include "dump/unwrap.h"

#include "base/utf8.h"

void unwrap_start(struct unwrap *unwrap, size_t width, unsigned pieces, uint64_t max_bytes)
{
	unwrap_stop(unwrap);
	*unwrap = (struct unwrap){ .width = width, .pieces = pieces, .joined = BUF_INIT(max_bytes) };
}

void unwrap_stop(struct unwrap *unwrap)
{
	buf_clear(&unwrap->joined);
	unwrap->width = unwrap->have = 0;
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
	unwrap->have++;
	if (full && unwrap->have < unwrap->pieces)
		return false;
	unwrap->have = 0;
	*ret = buf_str(&unwrap->joined);
	return true;
}
