#pragma once
/* Logging in with a token, and out again. A session ends after SESSION_SECONDS, or with its token. */
#include "server/http/reply.h"

HANDLER(page_login);
HANDLER(answer_login);
HANDLER(answer_logout);
