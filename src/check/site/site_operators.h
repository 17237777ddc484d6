#pragma once
/* Pages of operators: the list, and one for each. */
#include "check/site/site_state.h"
#include "report/doc/catalog.h"

int site_put_operator_list(struct site *site, enum lang lang, struct err *err);

/* In every language at once, as a look-up takes longer than its pages. */
int site_put_operators(struct site *site, struct err *err);
