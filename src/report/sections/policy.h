#pragma once
/* A policy and its gate. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void policy_build(struct doc *doc, const struct result_policy *policy); /* its files */
void changes_since_build(struct doc *doc, const struct result *result); /* beside a baseline */
void gate_build(struct doc *doc, const struct result *result);          /* of all targets */
void checks_build(struct doc *doc, const struct result_target *target); /* of one target */
void standing_build(struct doc *doc, const struct result_finding *finding);
