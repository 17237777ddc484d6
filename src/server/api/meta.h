#pragma once
/* What the service is and how it is. */
#include "server/http/reply.h"

HANDLER(answer_version);
HANDLER(answer_alive);
HANDLER(answer_ready);
HANDLER(answer_metrics);
