#include "check/lookup/lookup_put.h"

#include "json/jsonw.h"
#include "opdb/model/dtype.h"
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

void lookup_put_types_json(struct jsonw *json, const char *key, unsigned types)
{
	jsonw_key_list(json, key);
	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		if (types >> i & 1)
			jsonw_str(json, dtype_name(i));
	}
	jsonw_list_end(json);
}
