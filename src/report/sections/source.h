#pragma once
/* The report on a scan of scripts: required changes, their positions and replacements. */
#include "assess/model/result.h"
#include "report/doc/doc.h"

/* The whole of it, behind its title. */
void source_build(struct doc *doc, const struct result *result);

/* A line for each finding, waived ones left out: path,line,column,rule,action,target,expression,replacement,reason;
   beside a dump also operators,time_share, and findings about operators with a line for each line that calls one. */
void source_put_csv(const struct result *result, struct buf *out);
