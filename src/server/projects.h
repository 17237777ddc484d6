#pragma once
/* Runs and their projects: what a submit says of its run, and what the project has accepted. */
#include "server/request.h"
#include "server/service.h"
#include "store/run.h"

/* Adds the waivers of the project that the request is of, as the parameter PROJECT_WAIVERS, unless it has that. Errors
   are of the store. */
int project_add_waivers(const struct service *service, struct request *request, struct err *err);

/* No parameter that a client may give. */
#define PROJECT_WAIVERS "project_waivers"

/* The same: the service leaves out where programs call operators. */
#define NO_STACKS "no_stacks"

/* What the report calls the file of such waivers. */
#define PROJECT_WAIVERS_FILE "project.waivers"

/* --- runs.c: project, model, branch, commit and tags */

/* Copied into the arena. ERR_VALUE for words that are none, ERR_SCOPE for another project than the token's. */
int run_take(const struct request *request, struct arena *arena, struct run *ret, struct err *err);

/* ?verdict=. ERR_VALUE for another word. */
int run_take_verdict(const struct request *request, struct str *ret, struct err *err);

/* ERR_VALUE for a name of a project, a model ... that is none; what: that it would be. */
int run_check_word(const char *what, struct str text, struct err *err);
