#pragma once
/* A document as text for a terminal. */
#include "report/doc/doc.h"

void doc_put_text(const struct doc *doc, struct buf *out);
