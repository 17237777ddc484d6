#pragma once
/* The sections of a report, one file a topic. Each adds nothing where there is nothing to say. */
#include "assess/model/result.h"
#include "report/doc_build.h"

/* report.c: the whole report. */
void report_build(struct doc *doc, const struct result *result);

enum { SHARE_COLUMNS = 7, SHORT_LIST = 20 };

/* summary.c: what the page is and from what it was made; how ready each target is; what the dumps did not show. */
void head_build(struct doc *doc, const struct result *result, const char *title_id);
void inputs_build(struct doc *doc, const struct result *result);
void assumptions_build(struct doc *doc, const struct result *result);
void shown_build(struct doc *doc, const struct result *result);    /* how much of the time, if it is little */
void verdicts_build(struct doc *doc, const struct result *result); /* of all targets in a line */
void targets_build(struct doc *doc, const struct result *result);
void questions_build(struct doc *doc, const struct result *result);
void ignored_build(struct doc *doc, const struct result *result);

/* Operators that do not run on a target or need a package. */
uint64_t target_blockers(const struct result_target *target);

/* causes.c: findings by rule and origin; text lists them in place of findings, unless all is asked for. left_out, here
   and below: findings that are not listed because a baseline has them. */
void causes_build(struct doc *doc, const struct result *result, size_t left_out);

/* capture.c: what was weak in the dumps, with what mends it; what else is to be said of them and of the whole. */
/* Whether a rule is among the warnings about a dump. */
bool input_has_warning(const struct result_input *input, const char *rule);
bool has_weakness(const struct result *result);
void weaknesses_build(struct doc *doc, const struct result *result);
void notes_build(struct doc *doc, const struct result *result);

/* policy.c: where a policy came from; what the gate looked at, of all targets and of one; what a policy says of a
   finding. */
void policy_build(struct doc *doc, const struct result_policy *policy);
void gate_build(struct doc *doc, const struct result *result);
void checks_build(struct doc *doc, const struct result_target *target);
void standing_build(struct doc *doc, const struct result_finding *finding);

/* findings.c; the columns of findings, wherever they are listed. */
extern const struct doc_table finding_table;
void finding_open(struct doc *doc, enum severity severity, struct str share); /* a row, up to the cell that says what */
void findings_build(struct doc *doc, const struct result *result, size_t left_out);
void blockers_build(struct doc *doc, const struct result *result); /* the first errors alone */
/* How a reader answers what is wrong; notes are no verdicts. */
void correction_build(struct doc *doc, const struct result_finding *finding);
/* Whether a shell takes the name for one word: a dump says what operators are called, and readers copy commands. */
bool is_safe_word(struct str name);
void waived_build(struct doc *doc, const struct result *result);

/* operators.c: all of them as a table. */
void operators_build(struct doc *doc, const struct result *result);

/* What the CPU and compiling cost; the way to ready; where in the program the time goes. In files of these names. */
void costs_build(struct doc *doc, const struct result *result);
void compiling_build(struct doc *doc, const struct result *result); /* the last of these alone */
void fixes_build(struct doc *doc, const struct result *result);
void places_build(struct doc *doc, const struct result *result);

/* agreement.c: where a dump was made (once for inputs that follow each other and come from one place); what a device
   did beside what was predicted; what it did with one operator. */
void device_build(struct doc *doc, const struct result *result, size_t input);
void agreement_build(struct doc *doc, const struct agreement *agreement);
void agreements_build(struct doc *doc, const struct result *result);
void observed_build(struct doc *doc, const struct result_observed *observed);

/* Whether training works; what is called though not recorded; collectives and copies. */
void training_build(struct doc *doc, const struct result *result);
void implied_build(struct doc *doc, const struct result *result);
void traffic_build(struct doc *doc, const struct result *result);

/* callings.c: of a scan beside a dump, each operator with its findings and the lines that call it. Text has those alone
   that errors and warnings are about, unless all is asked for. */
void callings_build(struct doc *doc, const struct result *result);
