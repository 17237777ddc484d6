#pragma once
/*
 * A submission resolved against one support database: releases, terms and digests in place of what a user wrote, so
 * that the id of its assessment is known; and the check.
 * The id is the SHA-256 over these fields, each preceded by its length: digest of the dump, its name, the options as
 * JSON, name and value of every limit that a report depends on, digest of the support database, version of opcheck. The
 * same submit therefore answers with the same assessment, and a new database makes a new one.
 */
#include "check/asked/terms.h"
#include "report/doc/doc.h"
#include "server/service/submission.h"
#include "store/assessments.h"

/* Text lives in the arena, the submission and the database. */
struct resolution {
	const struct submission
		*submission; /* given, as are the next three, and digest and length of the record's input */
	const struct opdb *db;
	const struct limits *limits;
	struct arena *arena;
	struct policy policy; /* without its baseline until submission_take_baseline */
	struct stated stated;
	struct cost_options cost;
	struct assumption_list assumptions;
	MEM_LIST(struct term_value) terms; /* in the form that the same meaning always has */
	struct str *targets;               /* resolved ids */
	struct str *asked;                 /* the same as the user wrote them; NULL: by their ids or bare names */
	size_t target_count;
	struct stored_assessment record; /* without its number and time; verdicts come with the check */
	MEM_LIST(struct stored_blocker)
	blockers;         /* come with the check; at most limits.blockers of a target, those with the largest share */
	struct str *used; /* come with the check: operators, at most limits.blockers with the largest share */
	size_t used_count;
};
void resolution_clear(struct resolution *resolution);

/* Resolves targets and terms. The errors of targets_choose, of terms and of policy_add_waivers. */
int submission_resolve(struct resolution *resolution, struct err *err);

/* The JSON report of the assessment that is the baseline. ERR_REPORT. */
int submission_take_baseline(struct resolution *resolution, struct str report, struct err *err);

/* Reads the dump for "advice" or "buckets"; form: that, a point and a format, "advice.md". The errors of check_run. */
int submission_answer(struct resolution *resolution, struct str form, const struct render_options *options,
	struct buf *ret, struct err *err);

/* Reads and assesses the dump at a path: verdicts into the record, and the report as JSON. The errors of check_run and
   stated_allows. */
int submission_check(struct resolution *resolution, const char *path, struct buf *ret_report, struct err *err);
