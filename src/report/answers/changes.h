#pragma once
/* A comparison of two results; the service and the command line show the same. */
#include "assess/compare/changes.h"
#include "report/doc/doc.h"

/* fail_on: bits of enum change_word; the text names the checks and their results. */
struct changes_view {
	const struct changes *changes;
	unsigned fail_on;
};

/* A file in one of the formats; its content below the title, for a page of the service. */
void changes_put(
	const struct changes_view *view, enum doc_format format, const struct render_options *options, struct buf *out);
void changes_build(struct doc *doc, const struct changes_view *view);

/* Returns whether a change in fail_on happened. */
bool changes_fail(const struct changes_view *view);
