#pragma once
/* Collectives and copies. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void traffic_build(struct doc *doc, const struct result *result);
