#pragma once
/* Steps in which operators meet new shapes, on a page alone. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void steps_build(struct doc *doc, const struct result *result);
