#pragma once
/* Two reports beside each other, as a job puts it. */
#include "assess/model/result.h"
#include "server/request.h"

struct compared {
	const struct result *before, *after;
	struct str form; /* "json", or "page": what the page of comparisons shows */
};

/* Appends what changed, with the parameters of the request. ERR_VALUE for words of ?fail_on=. */
int compare_put(const struct request *request, struct compared compared, struct buf *out, struct err *err);
