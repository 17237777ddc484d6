#pragma once
/* The inside of the text report, shared by text.c and text_findings.c. */
#include "report/render.h"
#include "report/textw.h"

enum { SHARE_COLUMNS = 7, SHORT_LIST = 20 };

struct page {
	struct textw text;
	const struct result *result;
	const struct render_options *options;
	size_t left_out; /* findings that are known from a baseline */
};

/* The text with this id in the language of the page. */
struct str text_label(const struct page *page, const char *id);

/* The word for a value of a closed set: "status." and "cpu-fallback". */
struct str text_word(const struct page *page, const char *set, struct str value);

void text_put(struct page *page, struct str value);

/* "18.8 %"; the caller clears it. */
struct buf text_percent(int64_t ppm);

/* "93.2-96.1 %", or one figure where both are the same; the caller clears it. */
struct buf text_interval(struct result_interval interval);

/* Operators that do not run on a target or need a package. */
uint64_t text_blockers(const struct result_target *target);

/* What the report is, from what it was made, and what was assumed. */
void text_head(struct page *page, const char *title_id);

void text_heading(struct page *page, const char *id);

/* A statement of the report, wrapped behind an indent of which `first` columns are there already. */
void text_message(struct page *page, const struct message *message, unsigned first, unsigned indent);

/* The statement `id` with one parameter, {count}, as a line of its own. */
void text_count(struct page *page, const char *id, uint64_t count);

/* One finding with its advice. */
void text_finding(struct page *page, const struct result_finding *finding);

/* Whether it is known and what a waiver says of it, behind an indent; nothing without a policy. */
void text_standing(struct page *page, const struct result_finding *finding, unsigned indent);

/* Where the policy came from; what the gate looked at; the waived findings. Each writes nothing where there is nothing. */
void text_policy(struct page *page);
void text_gate(struct page *page);
void text_waived(struct page *page);

/* The sections about costs (report/costs.h). */
void text_costs(struct page *page);

/* The section of findings: errors and warnings one by one, notes summed up by rule unless the options ask for all. */
void text_findings(struct page *page);

/* Where a dump was made; the agreement of what was foretold with what a device did, one or all of a report. Nothing for dumps that
   were made elsewhere. */
void text_device(struct page *page, size_t input);
void text_agreement(struct page *page, const struct agreement *agreement);
void text_agreements(struct page *page);
