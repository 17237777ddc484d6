#pragma once
/* Projects: their runs, and the waivers that they have accepted. */
#include "server/http/reply.h"

HANDLER(answer_project);
HANDLER(answer_waivers);
HANDLER(answer_set_waivers);
