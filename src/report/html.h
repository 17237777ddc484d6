#pragma once
/* The HTML report in parts, for a page that frames it: its style is report_css, its script report_js. */
#include "report/render.h"

extern const char report_css[], report_js[];

/* From the doctype to the opened body; the style is report_css. */
void html_put_head(const struct result *result, enum lang lang, const char *title_id, struct buf *out);

/* The header element: what the page is and from what it was made. */
void html_put_header(const struct result *result, enum lang lang, const char *title_id, struct buf *out);

/* The page without its head: a header and a main element. */
void html_put_report(const struct result *result, enum lang lang, struct buf *out);

/* The Content-Security-Policy of the file that render_html makes: its own style and script may act, and nothing may be
   loaded. */
void html_put_policy(struct buf *out);
