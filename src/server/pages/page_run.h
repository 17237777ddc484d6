#pragma once
/* The page of a run: what it was, with forms to rename, tag, keep and remove it. */
#include "server/http/reply.h"
#include "server/pages/page.h"
#include "store/team.h"

/* Put the forms to rename, keep and remove a model; the run is its newest. */
void page_put_model_forms(struct page *page, const struct run *run);
