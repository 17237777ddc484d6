#pragma once
/* Parts of a report, each in a file of its own: they add a section to a document, or nothing where there is none. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void causes_build(struct doc *doc, const struct result *result);
void operators_build(struct doc *doc, const struct result *result);
void implied_build(struct doc *doc, const struct result *result); /* that a target adds to those recorded */
void training_build(struct doc *doc, const struct result *result);
void traffic_build(struct doc *doc, const struct result *result); /* collectives and copies */

/* Costs of the CPU and of compiling; the plan to ready among them, and compiling alone. */
void costs_build(struct doc *doc, const struct result *result);
void fixes_build(struct doc *doc, const struct result *result);
void compiling_build(struct doc *doc, const struct result *result);

/* Steps in which operators meet new shapes, on a page alone. */
void steps_build(struct doc *doc, const struct result *result);

/* Operators of a scan beside a dump, with the lines that call them. Text has only those of errors and warnings, unless
   all is asked for. */
void callings_build(struct doc *doc, const struct result *result);

/* Numbers the addresses of all evidence, in the order of the findings, then of the operators, until doc_clear; lists
   them. */
void sources_collect(struct doc *doc, const struct result *result);
void sources_build(struct doc *doc, const struct result *result);
