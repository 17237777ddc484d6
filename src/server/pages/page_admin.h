#pragma once
/* For administrators: the tokens of the service, and the jobs that it works on. */
#include "server/http/reply.h"

HANDLER(page_tokens);
HANDLER(answer_token_form);
HANDLER(answer_token_end);
HANDLER(page_queue);
HANDLER(answer_queue_form);
