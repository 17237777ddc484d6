#pragma once
/* Texts of headlines, the same in every format: h1 and title of a page, the head of Markdown, SARIF, badges, text. */
#include "assess/model/result.h"
#include "report/doc/doc.h"

/* Returns whether the targets of a result have headlines; a scan and reports of earlier versions may have none. */
bool headline_known(const struct result *result);

/* Returns whether the headline stands in place of a title: of the report on dumps. */
bool headline_is_title(const struct result *result, const char *title_id);

/* "STOPS" */
struct str headline_word(enum lang lang, enum headline_word word);

/* "gnn" of one dump gnn.trace.json.gz, "12 dumps" of several. */
struct str headline_subject(struct arena *arena, enum lang lang, const struct result *result);

/* "gnn: RUNS on npu@v2.12.0-26.1.0, STOPS on musa@v2.7.1"; of many targets, their number by word. */
struct str headline_line(struct arena *arena, enum lang lang, const struct result *result);

/* "99 % device, 1 % host, AI CPU 1-9 %", of one of the result's targets; the first of these alone, "99 % device". */
struct str headline_shares(struct arena *arena, enum lang lang, const struct result *result, size_t target, bool first);

/* The line in bold; a list of the targets with their causes and first actions. */
void headline_build(struct doc *doc, const struct result *result);
void headlines_build(struct doc *doc, const struct result *result);
