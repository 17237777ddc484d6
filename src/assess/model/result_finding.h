#pragma once
/* One finding of a result. See result.h. */
#include "assess/model/result_operator.h"
#include "assess/model/result_policy.h"
#include "assess/model/result_source.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE };

/* Beside a baseline; AGE_NONE: there was none. */
enum finding_age { AGE_NONE, AGE_NEW, AGE_KNOWN };

struct result_finding {
	struct message what; /* id is the rule */
	enum severity severity;
	struct str operator_name, target; /* "" where it is about no single one */
	struct str *operators;            /* all of them, where it is about several */
	size_t operator_count;
	int64_t share_ppm;
	struct result_evidence *evidence;
	size_t evidence_count;
	struct message *advice;
	size_t advice_count;
	struct str fingerprint; /* 16 hexadecimal digits: the same finding in every run */
	struct str fact; /* so many: the same as long as the facts say the same; "": it rests on the dump alone */
	enum finding_age age;
	const struct result_site *site;     /* where in a script; NULL: it is about what a dump shows */
	const struct result_waiver *waiver; /* the one that speaks of it, or NULL */
};

/* A recipe that advice names. */
struct result_recipe {
	struct str name, torch, tolerance; /* as of struct recipe (opdb/db/recipe.h) */
	struct str code;
};

/* Findings that ask for one thing of a person, over rules, operators and targets. */
struct result_cause {
	struct str id;        /* "op-needs-package/torchvision" */
	struct str rule;      /* the gravest */
	struct message text;  /* about the findings of that rule */
	struct message *also; /* about those of the other rules, one each */
	size_t also_count;
	enum severity severity;
	struct str *targets, *operators; /* largest share first */
	size_t target_count, operator_count;
	struct result_on_target *on_targets; /* by target, where that says more than targets and operators */
	size_t on_target_count;
	int64_t share_ppm; /* of its gravest findings' operators */
	struct message *advice;
	size_t advice_count;
	struct str *findings; /* fingerprints */
	size_t finding_count;
	struct str under; /* id of the cause that it follows from; "" */
};
