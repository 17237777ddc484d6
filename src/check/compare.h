#pragma once
/* Comparing a prediction with a run on the device: `opcheck compare`. */
#include "assess/compare/comparison.h"
#include "check/check.h"

struct compare_request {
	const char *predicted; /* a JSON report of check, or a dump */
	const char *device;    /* a dump made on the device */
	/* a user wrote it; "": the release of the dump's device, or the only one of the report */
	struct str target;
	struct str torch; /* as of struct check_request */
	const struct opdb *db;
	const struct limits *limits;
	void (*left_out)(void *ctx, const struct err *err); /* as of struct check_request */
	void *ctx;
};

/* The result of compare_run; compare_clear frees it, also after an error. */
struct compared {
	struct result *predicted, *seen;
	struct comparison comparison;
};

/* ERR_NO_DEVICE when the second dump was not made on a device; ERR_TARGET, ERR_AMBIGUOUS when the report has no
   verdicts on the target, or several that it might be; and the errors of check_run and report_load. */
int compare_run(const struct compare_request *request, struct compared *ret, struct err *err);
void compare_clear(struct compared *compared);
