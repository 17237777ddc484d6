#pragma once
/* From judgements to findings: what a reader must know, with its rule, weight and advice. */
#include "assess/judge/judge.h"
#include "assess/model/rule.h"

struct finding_list {
	struct result_finding *items;
	size_t count, capacity; /* on the heap while it grows */
};

/* Adds one by itself; operator_name and target live as long as the list, either may be "". More parameters may be added to its
   statement until the next one is. */
struct result_finding *finding_add(struct arena *arena, struct finding_list *findings, const char *rule,
	struct str operator_name, struct str target);

/* Adds what the verdict on an operator (with its shape analysis) on one target gives cause for. */
void findings_of_verdict(struct arena *arena, struct finding_list *findings, const struct result_operator *op,
	const struct result_verdict *verdict, const struct judgement *judgement);

/* Adds what its shapes give cause for on any target, with the recipes for them. db may be NULL: then without. */
void findings_of_shapes(
	struct arena *arena, const struct opdb *db, struct finding_list *findings, const struct result_operator *op);

/* Adds what operators that were not recorded give cause for, on the targets where they do not run on the device. */
void findings_of_implied(struct arena *arena, struct finding_list *findings, const struct result_implied *implied);

/* Adds a finding about several operators, of which the first is named; its fingerprint is that of the rule. */
struct result_finding *finding_of_several(
	struct arena *arena, struct finding_list *findings, const struct result_operator *first, const char *rule);

/* Sorts by severity, share, operator, target and rule. */
void findings_sort(struct finding_list *findings);
