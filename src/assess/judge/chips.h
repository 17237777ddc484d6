#pragma once
/* What a report says of the chips that its answers are about. */
#include "assess/model/result.h"
#include "opdb/db/target.h"

/* Adds to the result's warnings: for which chips a target without one was judged, and that a chip which was named makes no
   difference where nothing is known of it. */
void chips_note(const struct target *targets, size_t count, struct result *result);
