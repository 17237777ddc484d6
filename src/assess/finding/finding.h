#pragma once
/*
 * From judgements to findings: what a reader must know, with its rule, weight and advice.
 *
 * Sources of findings: verdicts, shapes and implied operators and data types here, and what a target asks of a
 * program beside its operators (constraints.h).
 */
#include "assess/judge/implied.h"
#include "assess/judge/judge.h"
#include "assess/model/rule.h"
#include "opdb/db/opdb.h"

struct finding_list {
	struct arena *arena;   /* of texts, evidence and advice */
	const struct opdb *db; /* for recipes; NULL: without */
	struct result_finding *items;
	size_t count, capacity; /* on the heap while it grows */
};

/* Adds one by itself; operator_name and target live as long as the list, either may be "". More parameters may be added
   to its statement until the next one is. */
struct result_finding *finding_add(
	struct finding_list *findings, const char *rule, struct str operator_name, struct str target);

/* The same about something that is no operator, such as a type of kernel, which its fingerprint names. */
struct result_finding *finding_add_about(struct finding_list *findings, const char *rule, struct str about);

/* Tells the last one from others of its rule and target, by its fingerprint; takes it back and returns false where the
   list has the same already. */
bool finding_tell_apart(struct finding_list *findings, struct str about);

/* Adds what follows from the verdict on an operator (with its shape analysis) on one target. */
void findings_of_verdict(
	struct finding_list *findings, const struct result_operator *op, const struct judgement *judgement, bool slow);

/* Adds what follows from its shapes on any target, with the recipes for them. */
void findings_of_shapes(struct finding_list *findings, const struct result_operator *op);

/* Adds what follows from operators that were not recorded, on the targets where they do not run on the device. */
void findings_of_implied(struct finding_list *findings, const struct result_implied *implied);

/* Adds one finding for each kind of data type that devices take badly and calls show: hot spots of every port, whatever
   the target. order: places of the result's operators among the call facts. */
void findings_of_types(struct finding_list *findings, const struct result *result, const struct call_facts *call_facts,
	const size_t *order);

/* Sorts by severity, share, operator, target, rule and fingerprint. */
void findings_sort(struct finding_list *findings);
