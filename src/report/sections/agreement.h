#pragma once
/* Predictions beside what a device did. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

/* Where a dump was made: once for inputs in sequence that come from one machine. */
void device_build(struct doc *doc, const struct result *result, size_t input);

void agreement_build(struct doc *doc, const struct agreement *agreement);
void agreements_build(struct doc *doc, const struct result *result);
void observed_build(struct doc *doc, const struct result_observed *observed); /* one operator */
