#pragma once
/* Parts of a report that other answers have, too. */
#include "report/jsonw.h"
#include "report/render.h"

/* The verdict record of the JSON report, as the next value. */
void json_put_verdict(struct jsonw *json, const struct result_verdict *verdict);

/* Text as one CSV cell: quoted where needed, formulas made text, control characters visible. */
void csv_put_text(struct buf *out, struct str text);
