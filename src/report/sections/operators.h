#pragma once
/* All operators as a table. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void operators_build(struct doc *doc, const struct result *result);
