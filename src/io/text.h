#pragma once
/*
 * A source as text: byte order mark and NULs taken out, UTF-16 turned into UTF-8.
 *
 * NULs come from log rotation under an open descriptor, which leaves a hole. Other 8-bit encodings are decided line by
 * line, where lines are split: see dump/common/line.h.
 */
#include "io/source.h"

struct text;

/* Reads from source, which must outlive the text. */
struct text *text_new(struct source *source);
void text_free(struct text *text);

/* Like source_next, in UTF-8 where the first bytes decide the encoding of the whole file. */
int text_next(struct text *text, struct str *ret_chunk, struct err *err);

/* "utf-16le", "utf-16be", or "" while nothing says that it is UTF-16. Static text. */
const char *text_encoding(const struct text *text);

/* True when the text began with a byte order mark. */
bool text_has_mark(const struct text *text);
