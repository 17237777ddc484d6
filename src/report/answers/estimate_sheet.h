#pragma once
/* The estimates of a result as a table: `check --estimate`. */
#include "assess/model/result.h"
#include "report/doc/sheet.h"

extern const struct sheet_shape estimate_shape;

/* The rows of each target: the whole, classes of work, operators; or the reason of a refusal. */
void estimate_put_rows(const void *result, struct sheet *sheet);
