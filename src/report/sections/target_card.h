#pragma once
/* The card of a target on a page: where the time goes, effort, risks and the date of its facts. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void target_card_build(struct doc *doc, const struct result *result, size_t target);
