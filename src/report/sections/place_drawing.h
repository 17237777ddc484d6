#pragma once
/* Modules and lines as an icicle a target, on a page alone. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void places_draw(struct doc *doc, const struct result *result);
