#pragma once
/* Questions about the program whose answers change a verdict. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void questions_build(struct doc *doc, const struct result *result);
