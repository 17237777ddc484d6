#pragma once
/* The facts of one operator as JSON. */
#include "check/lookup/lookup.h"

/* Appends the answers as JSON. */
void lookup_put_json(const struct lookup *lookup, struct buf *out);
