#pragma once
/* Markdown by pieces: text from a dump cannot end a cell, make a link, a tag, a mention or an issue reference. */
#include "base/buf.h"

/* Text, with what Markdown would read into it escaped and control characters visible. */
void md_text(struct buf *out, struct str text);
