#pragma once
/* Modules and lines of the program by their time. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void places_build(struct doc *doc, const struct result *result);

/* Returns the last part of a module's path, or a whole line of source. */
struct str place_name(const struct result_place *place);
