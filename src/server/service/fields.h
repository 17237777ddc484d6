#pragma once
/* Fields, each preceded by its length: the waivers of an assessment, and the orders of jobs of version 0.1. */
#include "base/memory/buf.h"

void field_put(struct buf *out, struct str text);

/* Takes the next one off rest. False when it is not whole, or no number. */
bool field_take(struct str *rest, struct str *ret);
bool field_take_number(struct str *rest, uint64_t *ret);
