#pragma once
/* The operators of the profile, by the names that the database knows. */
#include "assess/work.h"

/* The operators of the profile, by the names that the database knows. ERR_NO_OPERATOR. */
int assessment_gather(struct assessment *work);
