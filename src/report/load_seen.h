#pragma once
/* Reading back what a report has of dumps made on a device. */
#include "assess/model/result.h"
#include "report/values.h"

void load_device(struct loader *loader, const cJSON *input, struct result_device *ret);
void load_observed(struct loader *loader, const cJSON *op, struct result_observed *ret);
void load_agreements(struct loader *loader, const cJSON *root, struct result *ret);
