#pragma once
/* Finds assessments, runs and models by the names that clients give. */
#include "server/service/service.h"
#include "store/model.h"
#include "store/run.h"
#include "store/team.h"

/* ERR_ADDRESS: the name is unknown; what: an "assessment", a "run" ... */
int no_such(struct err *err, const char *what);

/* The assessment or run of a project ("": of any) whose id is this, or alone begins like this. ERR_ADDRESS for none,
   ERR_PREFIX for several. */
int find_assessment(const struct service *service, const struct id_like *named, struct arena *arena,
	struct stored_assessment *ret, struct err *err);
int find_run(const struct service *service, const struct id_like *named, struct arena *arena, struct run *ret,
	struct err *err);

/* The branches of a model. Without a project: those of no project, else of the project that ran a model of that name
   last, which name->project is then. ERR_ADDRESS. */
int find_model(const struct service *service, struct model_name *name, struct arena *arena,
	struct latest_list *ret_branches, struct err *err);
