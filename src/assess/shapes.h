#pragma once
/* Operators whose shapes change, found in a thread of its own if the profile is large. */
#include "assess/work.h"

void assessment_start_shapes(struct assessment *work);
void assessment_finish_shapes(struct assessment *work);
