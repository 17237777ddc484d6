#pragma once
/* A document in the format that it is built for. */
#include "report/doc/doc.h"

/* Write it, and free what it holds. */
void doc_put(struct doc *doc, struct buf *out);
