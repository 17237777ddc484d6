#pragma once
/*
 * The rules that a report may cite, in one table. Their ids are stable; their texts stand in web/i18n under the id,
 * with ".about" for what it means and ".advice" for what to do.
 */
#include "assess/model/result.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE };

struct rule {
	const char *id;
	enum severity severity;
	bool hides; /* a fact about the capture that may hide operators: no target can be called ready */
};

extern const struct rule rules[];
extern const size_t rule_count;

/* The rule with this id, or NULL. */
const struct rule *rule_find(struct str id);

/* "error", "warning", "note". Static text. */
struct str severity_name(enum severity severity);

/* How much work the least way out of a finding is: "flag", "config", "recipe", "package", "upgrade" or "port", from the
   least to the most: the least that the finding's advice names, else what its rule asks for. Static text. */
struct str effort_of(const struct result_finding *finding);
