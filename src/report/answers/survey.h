#pragma once
/* `opcheck advise` for programs: the releases of a result that was made of a survey alone. */
#include "assess/model/result.h"
#include "base/memory/buf.h"

void survey_put_json(const struct result *result, struct buf *out);
void survey_put_csv(const struct result *result, struct buf *out);
