#pragma once
/* Operators of a scan beside a dump, with the lines that call them. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

/* Text has only the operators of errors and warnings, unless all is asked for. */
void callings_build(struct doc *doc, const struct result *result);
