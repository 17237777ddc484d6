#pragma once
/* The page that holds two assessments against each other. */
#include "server/http/reply.h"

HANDLER(page_compare);
