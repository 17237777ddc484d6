#pragma once
/* Details of an operator below its row: verdicts, data types, releases and shapes. */
#include "assess/model/result.h"
#include "report/doc/doc.h"

void operator_details_build(struct doc *doc, const struct result *result, const struct result_operator *op);

/* Put a recorded call as an item of a list. */
void shape_build(struct doc *doc, const struct result_shape *shape);
