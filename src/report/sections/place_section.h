#pragma once
/* Modules and lines of the program by their time. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void places_build(struct doc *doc, const struct result *result);
