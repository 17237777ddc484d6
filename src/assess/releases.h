#pragma once
/* What judging again says, without texts: costs, the same dump on every release, or that survey alone. */
#include "assess/work.h"

/* What judging again says, without texts: costs, the same dump on every release, or that survey alone. */
int assessment_add_costs(struct assessment *work);
int assessment_add_releases(struct assessment *work);
int assessment_survey(struct assessment *work);
