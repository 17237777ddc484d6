#pragma once
/* A comparison of two results in its own four forms; the service and the command line show the same. */
#include "assess/compare/changes.h"
#include "report/render.h"

/* fail_on: bits of enum change_word; what is looked at is said, and whether it fails. */
struct changes_view {
	const struct changes *changes;
	unsigned fail_on;
};

void changes_put_text(const struct changes_view *view, const struct render_options *options, struct buf *out);
void changes_put_json(const struct changes_view *view, const struct render_options *options, struct buf *out);
void changes_put_md(const struct changes_view *view, const struct render_options *options, struct buf *out);

/* One file; or what stands inside its main element, for a page of the service. */
void changes_put_html(const struct changes_view *view, const struct render_options *options, struct buf *out);
void changes_put_html_body(const struct changes_view *view, enum lang lang, struct buf *out);

/* Whether something happened that a word of fail_on stands for. */
bool changes_fail(const struct changes_view *view);
