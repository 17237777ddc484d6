#pragma once
/* Which shapes change, found in a thread beside the judging where there is enough to do. */
#include "assess/work.h"

/* Which shapes change, found in a thread beside the judging where there is enough to do. */
void assessment_start_shapes(struct assessment *work);
void assessment_finish_shapes(struct assessment *work);
