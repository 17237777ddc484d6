#pragma once
/* Markdown by pieces: text from a dump cannot end a cell, make a link, a tag, a mention or an issue reference. */
#include "base/buf.h"
#include "report/catalog.h"

/* Text, with what Markdown would read into it escaped and control characters visible. */
void md_text(struct buf *out, struct str text);

/* Whole lines of a finished text, at most that many bytes with the note how many lines were cut off. */
void md_put_head(struct buf *out, enum lang lang, struct str text, size_t most);
