#pragma once
/*
 * The one use case: dumps in, assessment out. The command line and the service both call this, so both give one answer.
 */
#include "assess/assess.h"
#include "assess/gate/policy.h"
#include "check/asked/terms.h"
#include "io/source.h"
#include "scan/source/files.h"

struct check_input {
	const char *path;             /* "-": standard input. A folder means the dumps in it, unless a name is given. */
	struct str name;              /* its name in the report; "": the base name of path */
	const struct file_span *span; /* the bytes of the file that it is; NULL: all */
};

struct check_request {
	const struct check_input *inputs; /* one assessment of all of them */
	size_t input_count;
	const struct source_part *scripts; /* of the program: findings of a scan are joined with the dumps */
	size_t script_count;
	struct bucket_list *buckets;               /* filled with the bucket plan when given; lives in the result */
	const struct survey_options *survey;       /* that of assess_request; may have no target */
	const struct assumption_list *assumptions; /* may be NULL */
	struct stated stated;
	struct cost_options cost;
	const struct opdb *db;
	const struct str *targets; /* a user wrote them; none: the newest stable release of npu and of musa */
	size_t target_count;
	struct str torch;            /* only releases for this version of PyTorch; "": any */
	bool skip_digests;           /* leaves the digests of the dumps empty: they cost more than reading does */
	bool skip_history;           /* leaves since and until of verdicts empty that run on the device */
	bool skip_releases;          /* leaves out what holds on other releases: it costs more than a target */
	const struct policy *policy; /* applied to the result; NULL: none */
	const struct limits *limits;
	struct meter *meter; /* shows how far reading has come; may be NULL */
	/* Called for each file of a folder or an archive that is not a dump; err has its name and the reason. May be
	   NULL. */
	void (*left_out)(void *ctx, const struct err *err);
	void *ctx;
	/* Takes over an assessment for each model that the dumps of folders are of (check/input/models.h); an error
	   ends the run. check_run returns none then. NULL: one assessment of all. */
	int (*take)(void *ctx, struct result *result);
	void *take_ctx;
	bool one_model; /* several are an error */
};

/*
 * Reads the dumps and assesses them, in the natural order of their names whatever the order they are given in;
 * several files side by side. A file may be an archive of dumps (check/input/readers.h). Dumps of different ranks
 * (rank_label) have steps of their own; otherwise the steps of one file follow those of the file before.
 *
 * Errors are those of target_resolve, folder_list, dump_read, members_next, assess and scan_run.
 */
int check_run(const struct check_request *request, struct result **ret, struct err *err);

/* The version of opcheck, as in reports. Static text. */
const char *check_version(void);
