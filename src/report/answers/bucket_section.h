#pragma once
/* Sizes that change, and what to pad them to, on a page alone. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void padding_build(struct doc *doc, const struct result *result);
