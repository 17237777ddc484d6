#pragma once
/* What only all runs together say: models beside targets, and the operators that hold most runs up. */
#include "server/http/reply.h"

HANDLER(page_fleet);
HANDLER(page_demand);
