#pragma once
/* Findings, as lists and as parts of other sections. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

enum { SHARE_COLUMNS = 7 };

/* The columns of findings, wherever they are listed. */
extern const struct doc_table finding_table;

/* Opens a row, up to the cell that holds the text. */
void finding_open(struct doc *doc, enum severity severity, struct str share);

/* Returns whether a report lists findings one by one: text has causes in their place, unless all is asked for. */
bool findings_listed(const struct doc *doc, const struct result *result);

/* Those that are listed; all where the section alone is asked for. */
void findings_build(struct doc *doc, const struct result *result);
void blockers_build(struct doc *doc, const struct result *result); /* the first errors alone */
void waived_build(struct doc *doc, const struct result *result);

/* The correction of a finding by a reader; notes have none. */
void correction_build(struct doc *doc, const struct result_finding *finding);

/* Returns whether a shell takes the name for one word: names come from dumps, and readers copy commands. */
bool is_safe_word(struct str name);
