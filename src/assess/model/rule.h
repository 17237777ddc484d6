#pragma once
/*
 * The rules that a report may cite, in one table. Their ids are stable; their texts stand in web/i18n under the id,
 * with ".about" for what it means and ".advice" for what to do.
 */
#include "assess/model/result.h"

struct rule {
	const char *id;
	enum severity severity;
	bool hides; /* a fact about the capture that may hide operators: no target can be called ready */
};

extern const struct rule rules[];
extern const size_t rule_count;

/* The rule with this id, or NULL. */
const struct rule *rule_find(struct str id);

/* The least work that the finding's advice names, else what its rule asks for. */
enum effort effort_of(const struct result_finding *finding);
