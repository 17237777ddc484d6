#pragma once
/* The version of PyTorch that a dump comes from, held against those of the targets. */
#include "assess/model/result.h"

/* Whether a version such as "2.7.1" belongs to an era as a dump shows it: "1.6", "1.10-2.2" or "2.8+". A text that is no era
   covers everything. */
bool era_covers(struct str era, struct str torch);

/* Adds to result->warnings what the dumps' eras and the targets' versions say; both are described already. */
void versions_compare(struct result *result);
