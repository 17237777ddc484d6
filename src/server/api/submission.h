#pragma once
/*
 * What a client asks of a dump, and the assessment that comes of it.
 * The id of an assessment is the SHA-256 over these fields, each preceded by its length: digest of the dump, its name,
 * the options as JSON, name and value of every limit that a report depends on, digest of the support database, version
 * of opcheck. The same submit therefore answers with the same assessment, and a new database makes a new one.
 */
#include "assess/gate/policy.h"
#include "check/asked/terms.h"
#include "report/doc/doc.h"
#include "server/http/request.h"
#include "store/assessments.h"

struct submission_file {
	struct str name;
	struct file_span span;
	bool is_source; /* a script of the program */
};

struct submission {
	struct str name;                     /* what the report calls the dump */
	const struct submission_file *files; /* that the dump is made of, one behind the other */
	size_t file_count;                   /* 0: it is one */
	size_t source_count;                 /* of these; the others are dumps */
	struct str input_sha256;             /* of the dump, in hexadecimal */
	uint64_t input_bytes;                /* of the dump as it was sent */
	const struct str *targets;           /* as a user writes them; none: the newest stable releases */
	size_t target_count;
	struct str torch; /* only releases for this version of PyTorch; "": any */
	const struct term_value {
		const struct term *term;
		struct str value;
	} * terms;
	size_t term_count;
	const struct str *waivers; /* the name of a file, a line feed, and its text */
	size_t waiver_count;
	bool no_stacks;                       /* leaves out where the program calls operators */
	struct str project_waivers, baseline; /* the same of the project; id of an assessment; "": none */
};

/* What the parameters of a request say, but for the dump; what terms mean is settled later. ERR_VALUE. The text lives
   with the request. */
int submission_read(struct request *request, struct submission *ret, struct err *err);

/* A submission against one support database; text lives in the arena, the submission and the database. */
struct settlement {
	const struct submission *submission; /* given, as are the next three */
	const struct opdb *db;
	const struct limits *limits;
	struct arena *arena;
	struct policy policy; /* without its baseline until submission_take_baseline */
	struct stated stated;
	struct cost_options cost;
	struct assumption_list assumptions;
	struct str *targets; /* resolved ids */
	struct str *asked;   /* the same as the user wrote them; NULL: by their ids or bare names */
	size_t target_count;
	struct stored_assessment record; /* without its number and time; verdicts come with the check */
	struct {
		struct stored_blocker *items;
		size_t count, capacity;
	} blockers; /* come with the check, too; at most limits.blockers of a target, those with the largest share */
	struct str *used; /* with the check, too: operators, at most limits.blockers with the largest share */
	size_t used_count;
};
void settlement_clear(struct settlement *settlement);
/* Resolves targets and terms: the id of the assessment is known. The errors of targets_choose, of terms and of
   policy_add_waivers. */
int submission_settle(struct settlement *settlement, struct err *err);

/* The JSON report of the assessment that is the baseline. ERR_REPORT. */
int submission_take_baseline(struct settlement *settlement, struct str report, struct err *err);

/* Reads the dump for "advice" or "buckets"; form: that, a point and a format, "advice.md". The errors of check_run. */
int submission_answer(struct settlement *settlement, struct str form, const struct render_options *options,
	struct buf *ret, struct err *err);

/* Reads and assesses the dump at a path: verdicts into the record, and the report as JSON. The errors of check_run and
   stated_allows. */
int submission_check(struct settlement *settlement, const char *path, struct buf *ret_report, struct err *err);
