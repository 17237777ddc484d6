#pragma once
/* One model: its trend, what changed last, what its newest report says of releases and shapes, the lists of its newest
   dump, and its check in CI. */
#include "server/http/reply.h"

HANDLER(page_model);
HANDLER(answer_model_badge);
