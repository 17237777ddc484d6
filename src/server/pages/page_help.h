#pragma once
/* What the service is and how to use it, and what its error codes mean. */
#include "server/http/reply.h"

HANDLER(page_help);
HANDLER(page_problem);
