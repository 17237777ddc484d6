#pragma once
/* The fastest way to ready as a curve. */
#include "base/memory/buf.h"
#include "report/doc/catalog.h"

/* ctx is the struct result_target. */
void curve_put(struct buf *out, enum lang lang, const void *ctx);
