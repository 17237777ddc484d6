#pragma once
/* A document as Markdown. */
#include "report/doc/doc.h"

void doc_put_md(const struct doc *doc, struct buf *out);
