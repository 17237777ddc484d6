/* The findings of a dump beside a scan: operators, each with the lines that call it. */
#include <inttypes.h>

#include "report/sections/findings.h"
#include "report/sections/operator_index.h"
#include "report/sections/parts.h"
#include "report/sections/policy.h"

/* "train.py:12:5 x.nonzero() (torch.Tensor.nonzero)" */
static void put_call(struct doc *doc, const struct result_call *call)
{
	doc_open(doc, BLOCK_ADVICE);
	doc_styled(doc, SPAN_NAME,
		doc_format_of(doc, "%.*s:%" PRIu32 ":%" PRIu32, STR_ARG(call->site.path), call->site.line,
			call->site.column));
	doc_text(doc, STR(" "));
	doc_styled(doc, SPAN_CODE, call->site.expression);
	doc_text(doc, STR(" ("));
	if (call->origin == CALL_OF_API)
		doc_styled(doc, SPAN_CODE, call->api);
	else
		doc_label(doc, "source.recorded");
	doc_text(doc, STR(")"));
	doc_close(doc);
}

static void put_calls(struct doc *doc, const struct result_callings *callings)
{
	if (!callings) {
		doc_say_label(doc, BLOCK_META, "source.no-line");
		return;
	}
	for (size_t i = 0; i < callings->call_count; i++)
		put_call(doc, &callings->calls[i]);
	if (callings->call_total > callings->call_count)
		doc_say_count(doc, BLOCK_META, "source.more-lines", callings->call_total - callings->call_count);
}

void callings_build(struct doc *doc, const struct result *result)
{
	struct map by_name = callings_map(result);
	bool all = doc->options.all || !doc_is(doc, DOC_TEXT);
	size_t shown = 0, left = 0;

	doc_section(doc, "source.operators");
	doc_table(doc, &finding_table);
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct result_finding *finding = &result->findings[i];

		if (finding->site || !finding->operator_name.len)
			continue;
		if ((!all && finding->severity == SEVERITY_NOTE) || (doc_is(doc, DOC_HTML) && shown >= PAGE_ROWS)) {
			left++;
			continue;
		}
		finding_open(doc, finding->severity, doc_percent_of(doc, finding->share_ppm));
		doc_message(doc, &finding->what);
		standing_build(doc, finding);
		put_calls(doc, callings_find(&by_name, result, finding->operator_name));
		doc_cell_styled(doc, SPAN_CODE, str_from(finding->what.id));
		shown++;
	}
	doc_table_end(doc);
	doc_say_more(doc, "report.more-findings", left);
	doc_close(doc);
	map_clear(&by_name);
}
