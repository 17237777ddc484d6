#pragma once
/* The fastest way to ready, fix by fix. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void fixes_build(struct doc *doc, const struct result *result);
