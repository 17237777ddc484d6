#pragma once
/* Results that need further judging, which makes no texts. */
#include "assess/work.h"

int assessment_add_costs(struct assessment *work);    /* costs on the targets, and times on their devices */
int assessment_add_releases(struct assessment *work); /* the same dump on every release */
int assessment_survey(struct assessment *work);       /* that survey alone */
