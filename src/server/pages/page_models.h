#pragma once
/* Models: each with its branches, where they stand and how they came there. */
#include "server/http/reply.h"

HANDLER(page_models);
