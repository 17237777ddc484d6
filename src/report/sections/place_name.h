#pragma once
/* A place of a program by its own name. */
#include "assess/model/result.h"

/* Returns the last part of a module's path, or a whole line of source. */
struct str place_name(const struct result_place *place);
