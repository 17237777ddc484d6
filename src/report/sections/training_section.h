#pragma once
/* Suitability of the targets for training. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void training_build(struct doc *doc, const struct result *result);
