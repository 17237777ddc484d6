#pragma once
/* The first page of a site: operators counted by status, and the ways on. */
#include "check/site/site_state.h"
#include "report/doc/catalog.h"

int site_put_home(struct site *site, enum lang lang, struct err *err);
