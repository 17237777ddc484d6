#pragma once
/*
 * Renders what is not the stored report itself: another format or language, a part, the lists of the guide, advice. It
 * is made once, by a job, and stored beside the report.
 */
#include "server/service/order.h"
#include "server/service/service.h"

struct rendering {
	struct str id, form; /* of an assessment, whole; "page", the name of a renderer, a part, a list, "advice.md" */
	enum lang lang;
	bool lang_given;
	bool of_dump;       /* it is made of the dump as it was sent, too */
	struct str facts;   /* of advice: digest of the support database that it is by */
	struct str project; /* of the caller; "": any */
	struct str name;    /* that the store has it under */
};

/* The name: another version may render the same report otherwise. Each project has renderings of its own, so that the
   time of an answer does not show that another one has the same dump. */
struct str rendering_name(const struct rendering *rendering, bool translated, struct arena *arena);

/* Fills a new job: it renders the report, or with facts reads the dump again. Errors are of the store. */
int rendering_start(const struct service *service, const struct rendering *rendering, struct job *job, struct err *err);
