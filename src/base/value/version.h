#pragma once
/* Versions as numbers: "2.10.0" comes behind "2.9.1". */
#include "base/view/str.h"

/* A candidate ("rc2", "RC2") before the final version of the same number: <0, 0, >0. */
int version_cmp(struct str a, struct str b);
