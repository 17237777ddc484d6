#pragma once
/* Comparing a prediction with a run on the device: `opcheck compare`. */
#include "assess/compare/comparison.h"
#include "check/check.h"

struct compare_request {
	const char *predicted; /* a JSON report of check, or a dump */
	const char *device;    /* a dump made on the device */
	/* as a user writes it; "": the release that the dump was made on, or the only one of the report */
	struct str target;
	struct str torch; /* as of struct check_request */
	const struct opdb *db;
	const struct limits *limits;
	void (*left_out)(void *ctx, const struct err *err); /* as of struct check_request */
	void *ctx;
};

/* What compare_run made; compare_clear frees it, also after an error. */
struct compared {
	struct result *predicted, *seen;
	struct comparison comparison;
};

/* ERR_NO_DEVICE when the second dump was not made on a device; ERR_TARGET, ERR_AMBIGUOUS when the report has no
   verdicts on the target, or several that it might be; and the errors of check_run and report_load. */
int compare_run(const struct compare_request *request, struct compared *ret, struct err *err);
void compare_clear(struct compared *compared);
