#pragma once
/* The data of a site's search (web/site.js), as a script: a page that is a file cannot read data otherwise. */
#include "check/site/site_state.h"
#include "report/doc/catalog.h"

int site_put_index(struct site *site, enum lang lang, struct err *err);
