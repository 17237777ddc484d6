#pragma once
/* Words of a report that need explaining. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void glossary_build(struct doc *doc, const struct result *result);
