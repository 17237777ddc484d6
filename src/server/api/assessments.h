#pragma once
/* Submitting dumps, and the assessments that there are. */
#include "server/http/reply.h"

HANDLER(answer_submit);
HANDLER(answer_rejudge);
HANDLER(answer_example);
HANDLER(answer_assessments);
HANDLER(answer_assessment);
HANDLER(answer_keep);
HANDLER(answer_remove);
