#pragma once
/* The version, limits and health of the service. */
#include "server/http/reply.h"

HANDLER(answer_version);
HANDLER(answer_alive);
HANDLER(answer_ready);
HANDLER(answer_metrics);
