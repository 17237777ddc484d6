#pragma once
/* Whether training works. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void training_build(struct doc *doc, const struct result *result);
