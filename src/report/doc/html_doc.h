#pragma once
/* A document as HTML, without the page around it. */
#include "report/doc/doc.h"

void doc_put_html(const struct doc *doc, struct buf *out);

/* Write one node without line feeds. */
void doc_put_html_node(const struct doc *doc, const struct doc_node *node, struct buf *out);
