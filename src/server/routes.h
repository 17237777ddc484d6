#pragma once
/* The table of routes with their functions. A test compares it with web/openapi.json. */
#include "server/http/route.h"

extern const struct route_table routes;
