#pragma once
/* The report on one assessment, for a page that frames it. */
#include "assess/model/result.h"
#include "report/doc.h"

void report_build(struct doc *doc, const struct result *result);
