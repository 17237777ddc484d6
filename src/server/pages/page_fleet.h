#pragma once
/* Pages over all runs: models by target, and the operators that block most runs. */
#include "server/http/reply.h"

HANDLER(page_fleet);
HANDLER(page_demand);
