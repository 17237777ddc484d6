#pragma once
/*
 * Warnings about an assessment as a whole, appended to result->warnings: what the inputs say when they are looked at
 * together, what a run in the other mode would call, and what was asked for in vain. The inputs, operators, ignored
 * names and targets of the result are there.
 */
#include "assess/judge/assume.h"
#include "assess/model/capture.h"
#include "opdb/db/target.h"

/* Names of files that were found beside the dumps and are none. */
struct left_out {
	const struct str *names;
	size_t count;
};

/* Files left out, dumps given twice, missing ranks of a run. */
void warn_of_inputs(
	const struct assess_input *inputs, size_t count, const struct left_out *left_out, struct result *result);

/* Targets whose PyTorch is of another era than the dumps'. */
void warn_of_versions(struct result *result);

/* Training or evaluation: which of the two the profile shows, and what the other one would call beside it; two formats
   that may show one run twice. */
void warn_of_modes(const struct opdb *db, const struct assess_input *inputs, size_t count, struct result *result);

/* For which chips a target without one was judged, and that a chip which was named makes no difference where nothing is
   known of it. */
void warn_of_chips(const struct opdb *db, const struct target *targets, size_t count, struct result *result);

/* Notes in the result what was assumed, and warns first of all of assumptions about operators that were not recorded.
   */
void warn_of_assumptions(const struct assumption_list *list, const struct operators *operators, struct result *result);

/* ERR_NO_OPERATOR for tables of a device alone: says how much ran there, and what of it on the AI CPU. */
int inputs_lack_operators(const struct assess_input *inputs, size_t count, struct err *err);

/* Returns whether a version such as "2.7.1" belongs to a dump's era: "1.6", "1.10-2.2" or "2.8+". A text that is no
   era covers everything. */
bool era_covers(struct str era, struct str torch);
