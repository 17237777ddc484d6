#pragma once
/* Parts of a report that other answers have, too. */
#include "json/jsonw.h"
#include "report/render.h"

/* The verdict record of the JSON report, as the next value. */
void json_put_verdict(struct jsonw *json, const struct result_verdict *verdict);

/* Schema, tool, database, what was assumed, and basis, as keys of the open object. */
void json_put_header(struct jsonw *json, const struct result *result);

/* "time": {"lo": 0.9, "hi": 1} */
void json_put_interval(struct jsonw *json, const char *key, struct result_interval interval);

/* "readiness": {"time": {"lo": ...}, ...} */
void json_put_coverage(struct jsonw *json, const char *key, const struct result_coverage *coverage);
/* A statement, and a list of them. */
void json_put_message(struct jsonw *json, const struct message *message);
void json_put_messages(struct jsonw *json, const char *key, const struct message *messages, size_t count);

/* The keys of a finding, of a target and of the report that a policy makes; none without one. In json_policy.c. */
void json_put_finding_policy(struct jsonw *json, const struct result_finding *finding);
void json_put_checks(struct jsonw *json, const struct result_target *target);
void json_put_policy(struct jsonw *json, const struct result_policy *policy);

/* A statement with its rule, its English text and its parameters, as the next value. */
void json_put_message(struct jsonw *json, const struct message *message);

/* A list of statements under a key. */
void json_put_messages(struct jsonw *json, const char *key, const struct message *messages, size_t count);

/* What a dump made on a device adds to an input and to an operator; nothing for other dumps. One agreement, and all of
   a report, as the next value. */
void json_put_device(struct jsonw *json, const struct result_device *device);
void json_put_observed(struct jsonw *json, const struct result_observed *observed);
void json_put_agreements(struct jsonw *json, const struct result *result);
void json_put_agreement(struct jsonw *json, const struct agreement *agreement);

/* Text as one CSV cell: quoted where needed, formulas made text, control characters visible. */
void csv_put_text(struct buf *out, struct str text);
