#include "report/doc/doc_put.h"

#include "report/doc/doc_build.h"
#include "report/doc/html_doc.h"
#include "report/doc/md_doc.h"
#include "report/doc/text_doc.h"

void doc_put(struct doc *doc, struct buf *out)
{
	if (doc->format == DOC_TEXT)
		doc_put_text(doc, out);
	else if (doc->format == DOC_HTML)
		doc_put_html(doc, out);
	else
		doc_put_md(doc, out);
	doc_clear(doc);
}
