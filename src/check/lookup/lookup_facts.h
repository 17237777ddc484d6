#pragma once
/* The facts of one operator as JSON. */
#include "check/lookup/lookup.h"
#include "record/record.h"

extern const struct record lookup_record; /* of the answers; web/openapi.json describes the same */

/* Append the answers as JSON. */
void lookup_put_json(const struct lookup *lookup, struct buf *out);
