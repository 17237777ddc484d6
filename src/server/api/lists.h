#pragma once
/* The two lists of the porting guide as files. */
#include "server/http/reply.h"

HANDLER(answer_list);
