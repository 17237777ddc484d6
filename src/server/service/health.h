#pragma once
/* `opcheckd health`: asks the service at an address whether it is ready, for the health checks of containers. */
#include "base/setup/err.h"
#include "base/view/str.h"

/* 0 if it is. ERR_CONNECT if it does not answer or is not ready. */
int health_check(struct str address, struct err *err);
