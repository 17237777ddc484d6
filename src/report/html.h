#pragma once
/* The HTML report in parts, for a page that frames it: its style is report_css, its script report_js. */
#include "report/render.h"

extern const char report_css[], report_js[];

/* The page without its head: a header and a main element. */
void html_put_report(const struct result *result, enum lang lang, struct buf *out);

/* The Content-Security-Policy of the file that render_html makes: its own style and script may act, and nothing may be
   loaded. */
void html_put_policy(struct buf *out);
