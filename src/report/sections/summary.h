#pragma once
/* Head of a report: its dumps, assumptions, and how ready each target is. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void head_build(struct doc *doc, const struct result *result, const char *title_id);
void inputs_build(struct doc *doc, const struct result *result);
void assumptions_build(struct doc *doc, const struct result *result);
void shown_build(
	struct doc *doc, const struct result *result); /* the share of the time that the dumps show, if small */
void targets_build(struct doc *doc, const struct result *result);
void ignored_build(struct doc *doc, const struct result *result);

/* Returns the number of operators that do not run on a target or need a package. */
uint64_t target_blockers(const struct result_target *target);

/* SHA-256 of the dumps and the build of the database. */
void digests_build(struct doc *doc, const struct result *result);
