#pragma once
/* What a policy said, read back from a JSON report; nothing where the report has none. */
#include "report/load_pieces.h"

void load_finding_policy(struct loader *loader, const cJSON *object, struct result_finding *ret);
void load_checks(struct loader *loader, const cJSON *object, struct result_target *ret);
void load_policy(struct loader *loader, const cJSON *root, struct result_policy *ret);
