#pragma once
/*
 * A growing text with a maximum.
 *
 * Failure is sticky: once an append would pass max_bytes nothing more is added and `full` stays set, so a chain of
 * appends is checked once at its end. The text is always ended by a NUL that does not count.
 */
#include <stdarg.h>

#include "base/view/str.h"

struct buf {
	char *ptr; /* NULL until the first append */
	size_t len;
	size_t capacity;
	size_t max_bytes;
	bool full;
};

#define BUF_INIT(max) ((struct buf){ .max_bytes = (max) })

/* Without a maximum: for text whose length the caller has bounded otherwise. */
#define BUF_UNLIMITED BUF_INIT(SIZE_MAX / 2)

/* Frees the text; the buffer may be used again with the same maximum. */
void buf_clear(struct buf *buf);

/* Empties the text and keeps its memory for the next one. */
void buf_reset(struct buf *buf);

/* Shortens the text to its first bytes, of which it has at least that many. */
static inline void buf_cut(struct buf *buf, size_t len)
{
	buf->len = len;
	if (buf->ptr)
		buf->ptr[len] = '\0';
}

void buf_add(struct buf *buf, struct str text);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *buf, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

static inline void buf_byte(struct buf *buf, char byte)
{
	if (buf->full || buf->len >= buf->max_bytes || buf->len + 1 >= buf->capacity) {
		buf_add(buf, (struct str){ &byte, 1 });
		return;
	}
	buf->ptr[buf->len++] = byte;
	buf->ptr[buf->len] = '\0';
}

/* The text as a view that lives until the next append; "" when nothing was added. */
static inline struct str buf_str(const struct buf *buf)
{
	return buf->ptr ? (struct str){ buf->ptr, buf->len } : STR("");
}

/* The text as a C string, same life. */
static inline const char *buf_text(const struct buf *buf)
{
	return buf->ptr ? buf->ptr : "";
}

/* Hands the text over to the caller, who frees it; the buffer is empty afterwards. Never NULL. */
char *buf_take(struct buf *buf);
