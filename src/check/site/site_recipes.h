#pragma once
/* Pages of recipes: the list, and each with its code. */
#include "check/site/site_state.h"
#include "report/doc/catalog.h"

int site_put_recipes(struct site *site, enum lang lang, struct err *err);
