#pragma once
/* The time as a map of the operators, on a page alone. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void time_build(struct doc *doc, const struct result *result);

/* Opens, inside BLOCK_TABS, the part that the name of a target shows; of a group one is open, at first the first.
   doc_close ends it. */
void target_tab_open(struct doc *doc, const struct result *result, size_t target, const char *group);
