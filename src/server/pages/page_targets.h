#pragma once
/* The releases that the support database knows: as a page, and to choose from. */
#include "server/http/reply.h"
#include "server/pages/page.h"

/* The options of a select element with the releases of a target. */
void page_put_releases(struct page *page, const struct opdb *db, enum target_kind target, bool newest_chosen);
