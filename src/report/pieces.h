#pragma once
/* Parts of a report that other answers have, too. */
#include "report/jsonw.h"
#include "report/render.h"

/* The verdict record of the JSON report, as the next value. */
void json_put_verdict(struct jsonw *json, const struct result_verdict *verdict);

/* Schema, tool, database, what was assumed, and basis, as keys of the open object. */
void json_put_header(struct jsonw *json, const struct result *result);

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

/* Text as one CSV cell: quoted where needed, formulas made text, control characters visible. */
void csv_put_text(struct buf *out, struct str text);
