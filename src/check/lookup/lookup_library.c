#include "check/lookup/lookup_library.h"

#include "base/memory/mem.h"
#include "check/lookup/lookup_put.h"
#include "opdb/model/dtype.h"
#include "report/doc/doc_build.h"

/* --- collectives */

/* "SUM: fp32, fp16 (bool: MAX)" */
static void put_collectives(struct doc *doc, const struct answer *answer)
{
	for (size_t i = 0; i < answer->library.collective_count; i++) {
		const struct collective_fact *fact = answer->library.collectives[i];
		struct str types = dtypes_text(&doc->arena, fact->dtypes, ", ");
		struct str said = !fact->supported ? STR("refused") : types.len ? types : STR("any type");
		bool note = fact->note.len;

		lookup_put_fact(doc, i ? NULL : "lookup.reduce",
			doc_format_of(doc, "%.*s%s%.*s%s%.*s%s", STR_ARG(fact->reduce_op),
				fact->reduce_op.len ? ": " : "", STR_ARG(said), note ? " (" : "", STR_ARG(fact->note),
				note ? ")" : ""));
	}
}

/* --- packages */

static void add_types(struct buf *to, struct doc *doc, struct str verb, unsigned types)
{
	if (types)
		buf_printf(to, "; %.*s %.*s", STR_ARG(verb), STR_ARG(dtypes_text(&doc->arena, types, ", ")));
}

/* "mmcv v1.7.2 .. main: native kernel; boxes takes fp32; not tested with fp64" */
static void put_packages(struct doc *doc, const struct answer *answer)
{
	for (size_t i = 0; i < answer->library.package_count; i++) {
		const struct package_fact *fact = answer->library.packages[i];
		CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

		buf_printf(&text, "%.*s %.*s", STR_ARG(fact->package), STR_ARG(fact->since));
		if (!str_eq(fact->since, fact->last))
			buf_printf(&text, " .. %.*s", STR_ARG(fact->last));
		buf_printf(&text, ": %.*s", STR_ARG(fact->how.len ? fact->how : STR("registered")));
		if (fact->note.len)
			buf_printf(&text, " (%.*s)", STR_ARG(fact->note));
		add_types(&text, doc, doc_format_of(doc, "%.*s takes", STR_ARG(fact->argument)), fact->takes);
		add_types(&text, doc, doc_format_of(doc, "%.*s refuses", STR_ARG(fact->argument)), fact->refuses);
		add_types(&text, doc, STR("not tested with"), fact->skips);
		lookup_put_fact(doc, i ? NULL : "lookup.in-package", arena_keep(&doc->arena, buf_str(&text)));
	}
}

void lookup_put_library(struct doc *doc, const struct answer *answer)
{
	put_collectives(doc, answer);
	put_packages(doc, answer);
}
