#pragma once
/* Results made by hand, for the renderers. */
#include "assess/model/result.h"

/* Two operators on two targets with a value in every field; texts from a dump are harmless. */
struct result *result_plain(void);

/* The same with texts that attack terminals, pages, spreadsheets and columns wherever a dump or a report may bring them. */
struct result *result_hostile(void);
