#pragma once
/* Runs and their projects: what a submit says of its run, and what the project has accepted. */
#include "server/http/reply.h"

HANDLER(answer_project);
HANDLER(answer_waivers);
HANDLER(answer_set_waivers);
