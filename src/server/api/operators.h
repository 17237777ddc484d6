#pragma once
/* The support database as JSON: the same as the command line prints. */
#include "server/http/reply.h"

HANDLER(answer_targets);
HANDLER(answer_operators);
HANDLER(answer_operator);
