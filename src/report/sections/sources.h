#pragma once
/* Addresses of all evidence of a report, numbered. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

/* Numbers the addresses in the order of the findings, then of the operators; doc_clear frees them. */
void sources_collect(struct doc *doc, const struct result *result);

/* The list itself. */
void sources_build(struct doc *doc, const struct result *result);
