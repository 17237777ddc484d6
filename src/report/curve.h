#pragma once
/* The way to ready as a drawing: how the certain share grows with every fix of a target. */
#include "report/catalog.h"

/* ctx: the struct result_target. */
void curve_put(struct buf *out, enum lang lang, const void *ctx);
