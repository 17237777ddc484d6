#pragma once
/* Resumes submits that were acknowledged, as after a crash. */
#include "server/service/service.h"

/* Takes over each ticket on which no process has a lease. */
int submits_resume(const struct service *service, struct err *err);
