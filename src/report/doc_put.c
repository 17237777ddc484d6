#include "report/doc_put.h"

#include "report/doc_build.h"
#include "report/html_doc.h"
#include "report/md_doc.h"
#include "report/text_doc.h"

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
