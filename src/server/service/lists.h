#pragma once
/* The two lists of the porting guide: all operators of a dump and those whose shapes change, as files and as a part of
   a page. */
#include "assess/model/result.h"
#include "dump/guide/guide.h"
#include "server/service/order.h"

/* Returns whether a form is one of them: "all_ops.txt", "dynamic_ops.txt", or "lists" for a page. */
bool lists_are(struct str form);

/* Where they come from: the guide's script, or its rule over a report (NULL: none) where the script makes nothing of
   the dump. */
struct listed {
	const struct guide_lists *script;
	const struct result *result;
};

/* In the job: appends the form that is ordered. */
void lists_put(const struct order *order, const struct listed *listed, struct buf *out);
