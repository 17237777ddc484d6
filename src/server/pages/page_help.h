#pragma once
/* Help on the service, and the pages of its error codes. */
#include "server/http/reply.h"

HANDLER(page_help);
HANDLER(page_problem);
