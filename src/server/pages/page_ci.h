#pragma once
/* The check of a model in CI: the files of deploy/ci, which are compiled in, with the values of this model and of this
   service. */
#include "server/pages/page.h"
#include "store/team.h"

/* Put jobs to copy, and the badge of the model. */
void page_put_ci(struct page *page, const struct trend_query *model);
