#pragma once
/* Runs and their projects: what a submit says of its run, and what the project has accepted. */
#include "server/http/reply.h"
#include "server/http/request.h"
#include "server/service/service.h"
#include "store/run.h"

HANDLER(answer_project);
HANDLER(answer_waivers);
HANDLER(answer_set_waivers);

/* Adds the waivers of the project that the request is of, as the parameter PROJECT_WAIVERS, unless it has that. Errors
   are of the store. */
int project_add_waivers(const struct service *service, struct request *request, struct err *err);

/* No parameter that a client may give. */
#define PROJECT_WAIVERS "project_waivers"

/* The same: the service leaves out where programs call operators. */
#define NO_STACKS "no_stacks"

/* What the report calls the file of such waivers. */
#define PROJECT_WAIVERS_FILE "project.waivers"
