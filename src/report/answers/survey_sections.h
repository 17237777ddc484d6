#pragma once
/* `opcheck advise`: the releases of a result that was made of a survey alone, as a document and in the other formats by
   their names. Text and Markdown list the releases that one would move to, those that agree as one line; all lists each
   one, development heads too. */
#include "assess/model/result.h"
#include "report/doc/doc.h"

void survey_write(const struct result *result, struct str form, const struct render_options *options, struct buf *out);
