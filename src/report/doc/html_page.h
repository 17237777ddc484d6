#pragma once
/* An HTML file of its own: no network, readable without scripts. */
#include "assess/model/result.h"
#include "report/doc/doc.h"

/* Write a document and free it. HTML is a whole file, named by the first dump of the result, which may be NULL;
   Markdown stays within the limits of a comment, with a mark named by the title. */
void html_put_page(struct doc *doc, const struct result *result, const char *title_id, struct buf *out);

/* A document that is a whole answer: a page of its own has the title. Written as such a file, or as it is. */
struct doc answer_doc(struct str format, const struct render_options *options, const char *title_id);
void answer_doc_put(struct doc *doc, const char *title_id, struct buf *out);

/* The Content-Security-Policy of such a file: its own style and script are allowed, loading is not. */
void html_put_policy(struct buf *out);

/* The style and the script of a report. */
extern const char report_css[], report_js[];
