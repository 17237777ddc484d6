#pragma once
/* Operators as pages: found by name, those that runs use most first, and what becomes of one. */
#include "server/http/reply.h"

HANDLER(page_operators);
HANDLER(page_operator);
