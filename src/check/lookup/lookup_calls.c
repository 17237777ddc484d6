#include "check/lookup/lookup_calls.h"

#include "report/doc/doc_build.h"

enum { SHARES = 3 };
static void put_share(struct doc *doc, unsigned percent)
{
	doc_cell(doc);
	if (percent)
		doc_printf(doc, "%u %%", percent);
}

static void put_call(struct doc *doc, const struct lookup *lookup, const struct lookup_call *call)
{
	doc_row(doc);
	doc_cell_styled(doc, SPAN_NAME, call->call.name);
	put_share(doc, call->call.forward);
	put_share(doc, call->call.backward);
	for (size_t i = 0; i < lookup->targets->count; i++)
		doc_cell_tag(doc, SET_STATUS, op_status_name(call->verdicts[i].status));
}

void lookup_put_calls(struct doc *doc, const struct lookup *lookup)
{
	static const struct doc_column shares[SHARES] = {
		{ .gap = 2, .width = 38, .label = "report.operator" },
		{ .gap = 1, .width = 7, .number = true, .label = "page.forward" },
		{ .gap = 1, .width = 8, .number = true, .label = "page.backward" },
	};
	struct doc_column *columns;

	if (!lookup->call_count)
		return;
	columns = arena_alloc(&doc->arena, (SHARES + lookup->targets->count) * sizeof(columns[0]));
	memcpy(columns, shares, sizeof(shares));
	for (size_t i = 0; i < lookup->targets->count; i++)
		columns[SHARES + i] = (struct doc_column){
			.gap = 2, .width = 20, .title = arena_keep(&doc->arena, str_from(lookup->targets->items[i].id))
		};
	doc_say_label(doc, BLOCK_SOFT, "page.calls-about");
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = SHARES + lookup->targets->count });
	for (size_t i = 0; i < lookup->call_count; i++)
		put_call(doc, lookup, &lookup->calls[i]);
	doc_table_end(doc);
}
