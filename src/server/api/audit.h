#pragma once
/* The audit log as the API shows it. */
#include "server/http/reply.h"

HANDLER(answer_audit);
