#pragma once
/* Cells of CSV (RFC 4180). */
#include "base/memory/buf.h"

/* Put a text as one cell: quoted where needed, formulas made text, control characters visible. */
void csv_put_text(struct buf *out, struct str text);
