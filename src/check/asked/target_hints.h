#pragma once
/* Advice for texts that are not targets but name a vendor, a server, a card or a version of CANN. */
#include "base/setup/err.h"
#include "base/view/str.h"

struct opdb;

/* Replace the error on a text that is not a target by one that says how to write what it means, if that is known.
   Returns -ERR_TARGET. */
int target_hint(const struct opdb *db, struct str text, struct err *err);
