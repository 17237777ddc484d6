#include "base/memory/buf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"

enum { FIRST_BYTES = 64 };

void buf_clear(struct buf *buf)
{
	free(buf->ptr);
	*buf = BUF_INIT(buf->max_bytes);
}

void buf_reset(struct buf *buf)
{
	buf_cut(buf, 0);
	buf->full = false;
}

/* Makes room for more bytes and the NUL; false when the maximum would be passed. */
static bool reserve(struct buf *buf, size_t more)
{
	size_t capacity = buf->capacity ? buf->capacity : FIRST_BYTES;

	assert(buf->len <= buf->max_bytes);
	if (buf->full || more > buf->max_bytes - buf->len) {
		buf->full = true;
		return false;
	}
	while (capacity - buf->len <= more)
		capacity *= 2;
	if (capacity != buf->capacity) {
		buf->ptr = mem_resize(buf->ptr, capacity, 1);
		buf->capacity = capacity;
	}
	return true;
}

void buf_add(struct buf *buf, struct str text)
{
	if (!reserve(buf, text.len))
		return;
	if (text.len)
		memcpy(buf->ptr + buf->len, text.ptr, text.len);
	buf->len += text.len;
	buf->ptr[buf->len] = '\0';
}

void buf_vprintf(struct buf *buf, const char *format, va_list args)
{
	size_t room;
	va_list again;
	int len;

	if (!buf->capacity && buf->max_bytes >= FIRST_BYTES)
		reserve(buf, 0);
	room = buf->full ? 0 : buf->capacity - buf->len;
	va_copy(again, args);
	len = vsnprintf(room ? buf->ptr + buf->len : NULL, room, format, again); /* it mostly fits */
	va_end(again);
	if (len < 0 || !reserve(buf, (size_t)len)) {
		if (room)
			buf->ptr[buf->len] = '\0';
		return;
	}
	if ((size_t)len >= room)
		vsnprintf(buf->ptr + buf->len, (size_t)len + 1, format, args);
	buf->len += (size_t)len;
}

void buf_printf(struct buf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vprintf(buf, format, args);
	va_end(args);
}

char *buf_take(struct buf *buf)
{
	char *text = buf->ptr ? buf->ptr : mem_zalloc(1);

	*buf = BUF_INIT(buf->max_bytes);
	return text;
}
