#pragma once
/* Which function answers what, in one table. web/openapi.json says the same; a test holds the two against each
   other. */
#include "server/http/route.h"

extern const struct route_table routes;
