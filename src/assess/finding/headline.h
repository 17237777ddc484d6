#pragma once
/*
 * The headline of a target: one word for its verdict, the cause behind most of it, and what to do first. Texts are
 * "headline-..." in web/i18n; operators of ATen stand there without their namespace.
 */
#include "assess/finding/tally.h"

/* Set the headline of the target, whose verdict and fixes are there. */
void headline_put(const struct reason_request *request, struct result *result);

/* Name a fix and the share after it: "recipe scatter_reduce -> 99.7 %". */
struct message headline_fix(struct arena *arena, const struct result_fix *fix, enum headline_word word);

/* The word of a verdict on a target on whose operators these are the judgements. */
enum headline_word headline_word_of(
	enum verdict verdict, const struct weights *weights, const struct judgement *judgements);

/* The word that a verdict leads to, whichever of its kind; whether that is to run. */
enum headline_word headline_word_kind(enum verdict verdict);
bool headline_is_run(enum verdict verdict);

/* "segment_reduce" of "aten::segment_reduce". */
struct str headline_name(struct str name);

/* Fill in a headline that a report of an earlier version lacks, from its verdict. */
void headline_complete(struct result_target *target);
