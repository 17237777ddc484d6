#pragma once
/*
 * UTF-8 text of unknown origin: checked, measured, repaired and made safe to show. libunistring knows the tables.
 */
#include "base/memory/arena.h"
#include "base/memory/buf.h"

/* True for valid UTF-8 (RFC 3629). Otherwise *ret_bad_at is the offset of the first byte that is not. */
bool utf8_valid(struct str text, size_t *ret_bad_at);

/* True when every byte is below 0x80. */
bool utf8_is_ascii(struct str text);

/* Appends text with every invalid byte sequence replaced by U+FFFD. Returns how many were replaced. */
size_t utf8_repair(struct buf *buf, struct str text);

/* Offset of the code point with this number in valid text; text.len when it has fewer. */
size_t utf8_offset(struct str text, size_t points);

/* Code points in valid text. */
size_t utf8_points(struct str text);

/* The longest head of a text that has at most that many bytes and no part of a character at its end. */
struct str utf8_head(struct str text, size_t bytes);

/* Columns that valid, printable text takes on a terminal; East Asian wide characters take two. */
size_t utf8_columns(struct str text);

/* The longest head of valid, printable text that fits into columns. */
struct str utf8_fit(struct str text, size_t columns);

/* Appends text so that a terminal, a log or a page shows it and does nothing else: control characters (C0, C1, DEL),
   line and paragraph separators, bidirectional overrides and what XML lacks become \xNN or \u{NNNN}; invalid bytes
   become U+FFFD. */
void utf8_printable(struct buf *buf, struct str text);

/* A printable copy of any text, in an arena without a budget. */
struct str utf8_keep_printable(struct arena *arena, struct str text);

/* The beginning of any text, printable, for a message: shown(name).text lives to the end of the statement. */
struct shown {
	char text[160];
};
struct shown shown(struct str text);
