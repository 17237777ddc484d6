#pragma once
/* Pieces of HTML that the report and the pages of the service share. Texts come from the catalogue, everything is escaped. */
#include "assess/model/result.h"
#include "report/catalog.h"
#include "report/htmlw.h"

/* The text with this id. */
void html_label(struct buf *out, enum lang lang, const char *id);

/* The word for a value of a closed set ("verdict.blocked"), or the value itself. */
void html_word(struct buf *out, enum lang lang, const char *set, struct str value);

/* The same as a coloured mark; its class is the prefix and the value. */
void html_tag(struct buf *out, enum lang lang, const char *prefix, const char *set, struct str value);

void html_message(struct buf *out, enum lang lang, const struct message *message);

/* "18.8 %" */
void html_percent(struct buf *out, int64_t ppm);

/* One line for each advice. */
void html_advice(struct buf *out, enum lang lang, const struct message *advice, size_t count);

/* The sections of findings and of those that are waived; left_out of them are not listed. In html_findings.c. */
void html_findings(struct buf *out, enum lang lang, const struct result *result, size_t left_out);

/* What a policy said of a finding, of a target, how many findings are left out, and in all; nothing without one. In
   html_policy.c. */
void html_standing(struct buf *out, enum lang lang, const struct result_finding *finding);
void html_checks(struct buf *out, enum lang lang, const struct result_target *target);
void html_left_out(struct buf *out, enum lang lang, size_t count);
void html_policy(struct buf *out, enum lang lang, const struct result_policy *policy);

/* The verdict on an operator: target, status, how it follows, conditions, advice and evidence. */
void html_verdict(struct buf *out, enum lang lang, const struct result_verdict *verdict);

/* What a dump made on a device adds: to the line of an input, one agreement and all of a report, to the details of an operator.
   Nothing for other dumps. */
void html_device(struct buf *out, enum lang lang, const struct result *result, size_t input);
void html_agreement(struct buf *out, enum lang lang, const struct agreement *agreement);
void html_agreements(struct buf *out, enum lang lang, const struct result *result);
void html_observed(struct buf *out, enum lang lang, const struct result_observed *observed);
