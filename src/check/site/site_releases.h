#pragma once
/* Pages of releases: the list of all, and the newest ones with operators that do not run there and changes. */
#include "check/site/site_state.h"
#include "report/doc/catalog.h"

int site_put_releases(struct site *site, enum lang lang, struct err *err);
