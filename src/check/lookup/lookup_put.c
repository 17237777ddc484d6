#include "check/lookup/lookup_put.h"

#include "report/doc/doc_build.h"

void lookup_put_fact(struct doc *doc, const char *label, struct str value)
{
	lookup_put_fact_in(doc, 0, label, value);
}

void lookup_put_fact_in(struct doc *doc, unsigned formats, const char *label, struct str value)
{
	if (!value.len)
		return;
	doc_row(doc_in(doc, formats));
	doc_cell_text(doc, label ? doc_label_of(doc, label) : STR(""));
	doc_cell_text(doc, value);
}
