#pragma once
/* Verdicts on each operator, then on each target, and why. */
#include "assess/work.h"

/* On each operator, then on each target, and why. */
int assessment_prepare_judge(struct assessment *work);
int assessment_judge_targets(struct assessment *work);
void assessment_sum_targets(struct assessment *work);
int assessment_settle_verdicts(struct assessment *work);

/* The headline of each target, once its fixes are there. */
void assessment_put_headlines(struct assessment *work);
