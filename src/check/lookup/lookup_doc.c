#include "check/lookup/lookup_doc.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "check/lookup/lookup_units.h"
#include "opdb/db/note.h"
#include "opdb/model/argument_limit.h"
#include "opdb/model/dtype.h"
#include "opdb/resolve/history.h"
#include "report/doc/doc_build.h"
#include "report/sections/verdict.h"

/* Put a row into the open table of facts, in all formats or in some; none for a value that is empty. label NULL: the
   row goes on with the fact above. */
static void put_fact_in(struct doc *doc, unsigned formats, const char *label, struct str value)
{
	if (!value.len)
		return;
	doc_row(doc_in(doc, formats));
	doc_cell_text(doc, label ? doc_label_of(doc, label) : STR(""));
	doc_cell_text(doc, value);
}

static void put_fact(struct doc *doc, const char *label, struct str value)
{
	put_fact_in(doc, 0, label, value);
}

/* --- operators that a Python name calls; empty for an operator */

enum { SHARES = 3 };
static void put_share(struct doc *doc, unsigned percent)
{
	doc_cell(doc);
	if (percent)
		doc_printf(doc, "%u %%", percent);
}

/* Put a table into the open document. */
static void lookup_put_calls(struct doc *doc, const struct lookup *lookup)
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
	for (size_t i = 0; i < lookup->call_count; i++) {
		const struct lookup_call *call = &lookup->calls[i];

		doc_row(doc);
		doc_cell_styled(doc, SPAN_NAME, call->call.name);
		put_share(doc, call->call.forward);
		put_share(doc, call->call.backward);
		for (size_t j = 0; j < lookup->targets->count; j++)
			doc_cell_tag(doc, SET_STATUS, op_status_name(call->verdicts[j].status));
	}
	doc_table_end(doc);
}

/* --- facts of libraries other than the plugins: collectives and packages */

/* --- collectives */

/* "SUM: fp32, fp16 (bool: MAX)" */
static void put_collectives(struct doc *doc, const struct answer *answer)
{
	for (size_t i = 0; i < answer->library.collective_count; i++) {
		const struct collective_fact *fact = answer->library.collectives[i];
		struct str types = dtypes_text(&doc->arena, fact->dtypes, ", ");
		struct str said = !fact->supported ? doc_label_of(doc, "lookup.refused")
				  : types.len      ? types
						   : doc_label_of(doc, "lookup.any-type");
		bool note = fact->note.len;

		put_fact(doc, i ? NULL : "lookup.reduce",
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
		put_fact(doc, i ? NULL : "lookup.in-package", arena_keep(&doc->arena, buf_str(&text)));
	}
}

/* Every overload with its verdict and its signature; those that no program calls by the name stand last. */
static void put_overloads(struct doc *doc, const struct answer *answer)
{
	for (size_t i = 0; i < answer->overload_count; i++) {
		const struct overload_answer *overload = &answer->overloads[i];

		put_fact(doc, i ? NULL : "lookup.overloads",
			doc_format_of(doc, "%.*s: %.*s %.*s", STR_ARG(overload->name),
				STR_ARG(op_status_name(overload->status)), STR_ARG(overload->signature)));
	}
}

static void put_lookup_types(struct doc *doc, const char *label, unsigned types)
{
	put_fact(doc, label, dtypes_text(&doc->arena, types, ", "));
}

/* ", label" or " [label]", where it holds. */
static struct str remark(struct doc *doc, bool holds, const char *opens, const char *label)
{
	const char *closes = opens[1] == '[' ? "]" : "";

	return holds ? doc_format_of(doc, "%s%.*s%s", opens, STR_ARG(doc_label_of(doc, label)), closes) : STR("");
}

/* "report 2026-05-20: fails: text (source)"; one that a better note or a kernel's code contradicts is marked. */
static void put_note(struct doc *doc, const struct answer *told, const struct note_answer *answer, const char *label)
{
	const struct note *note = answer->note;
	bool source = note->ref.len, against = lookup_is_against_kernels(told, note);

	put_fact(doc, label,
		doc_format_of(doc, "%.*s%s%.*s%.*s: %.*s: %.*s%s%.*s%s%.*s%.*s",
			STR_ARG(evidence_kind_name(answer->evidence)), note->date.len ? " " : "", STR_ARG(note->date),
			STR_ARG(remark(doc, !answer->release_named, ", ", "lookup.unnamed-release")),
			STR_ARG(note_kind_name(note->kind)), STR_ARG(note->text), source ? " (" : "",
			STR_ARG(note->ref), source ? ")" : "",
			STR_ARG(remark(doc, answer->lost, " [", "lookup.superseded")),
			STR_ARG(remark(doc, against, " [", "lookup.against-kernels"))));
}

static const struct str layout_texts[] = {
	[0] = STR(""),
	[LAYOUT_SPARSE] = STR("no kernel for sparse COO tensors"),
	[LAYOUT_SPARSE_CSR] = STR("no kernel for sparse CSR tensors"),
	[LAYOUT_SPARSE | LAYOUT_SPARSE_CSR] = STR("no kernel for sparse COO and CSR tensors"),
};

/* Calls that raise whatever their types: "raises if self has more than 8 dimensions (address)". */
static void put_arguments(struct doc *doc, const struct answer *answer)
{
	for (size_t i = 0; i < answer->argument_count; i++) {
		const struct argument_limit *limit = answer->arguments[i];
		struct str when = doc->options.lang == LANG_ZH_CN ? limit->zh : limit->en;

		put_fact(doc, i ? NULL : "lookup.raises-if",
			doc_format_of(doc, "%.*s: %.*s (%.*s)", STR_ARG(limit->op), STR_ARG(when),
				STR_ARG(answer->argument_refs[i])));
	}
}

static void put_notes(struct doc *doc, const struct answer *answer)
{
	enum { SHOWN = 12 };
	struct result_types types = types_taken(answer);
	struct message more = message_of("lookup.more");

	put_lookup_types(doc, "lookup.takes", types.takes);
	put_lookup_types(doc, "lookup.refuses", types.refuses);
	put_lookup_types(doc, "lookup.aicpu", types.aicpu);
	if (answer->tested)
		put_fact(doc, "lookup.tested",
			doc_format_of(doc, "%.*s; the library behind is closed and says nothing of other types",
				STR_ARG(dtypes_text(&doc->arena, answer->tested, ", "))));
	put_fact(doc, "lookup.calls", answer->leaves);
	put_fact(doc, "lookup.layouts", layout_texts[answer->layouts]);
	put_arguments(doc, answer);
	for (size_t i = 0; i < answer->note_count && i < SHOWN; i++) {
		const struct note *note = answer->notes[i].note, *before = i ? answer->notes[i - 1].note : NULL;

		/* overloads of a name have notes of their own; a line says it once */
		if (!before || note->kind != before->kind || !str_eq(note->text, before->text) ||
			!str_eq(note->ref, before->ref) || !str_eq(note->path, before->path))
			put_note(doc, answer, &answer->notes[i], i ? NULL : "lookup.notes");
	}
	if (answer->note_count <= SHOWN)
		return;
	message_add_number(&more, &doc->arena, "count", (int64_t)(answer->note_count - SHOWN));
	put_fact(doc, NULL, doc_message_of(doc, &more));
}

/* The releases of a status: a row for each run of them, on a page a step. */
static void put_runs(struct doc *doc, const struct history *history)
{
	for (size_t i = 0; i < history->count; i++) {
		const struct transition *run = &history->transitions[i];
		bool one = run->last == run->release;

		put_fact_in(doc, DOC_PLAIN, i ? NULL : "lookup.releases",
			doc_format_of(doc, "%-13.*s %.*s%s%.*s", STR_ARG(op_status_name(run->status)),
				STR_ARG(run->release->name), one ? "" : " .. ",
				STR_ARG(one ? STR("") : run->last->name)));
	}
	if (history->earliest)
		put_fact_in(doc, DOC_PLAIN, "lookup.since",
			doc_format_of(doc, "%.*s (%.*s)", STR_ARG(history->earliest->name),
				STR_ARG(history->earliest->date)));
}

static void put_steps(struct doc *doc, const struct history *history)
{
	doc_open(doc_in(doc, DOC_HTML), BLOCK_SOFT);
	doc_printf(doc, "%.*s:", STR_ARG(doc_label_of(doc, "page.history")));
	doc_close(doc);
	doc_open(doc_in(doc, DOC_HTML), BLOCK_STEPS);
	for (size_t i = 0; i < history->count; i++) {
		doc_open(doc, BLOCK_ITEM);
		doc_styled(doc, SPAN_NAME, history->transitions[i].release->name);
		doc_text(doc, STR(" "));
		doc_tag(doc, SET_STATUS, op_status_name(history->transitions[i].status));
		doc_close(doc);
	}
	doc_close(doc);
}

static const struct doc_column columns[] = {
	{ .gap = 2, .width = 10, .title = STR("") },
	{ .gap = 1, .fit = COLUMN_WRAP, .title = STR("") },
};
static const struct doc_table facts = { .columns = columns, .count = ARRAY_SIZE(columns), .bare = true };

/* The verdict as a page shows it: with every call on the AI CPU where all of its types are. */
static struct result_verdict shown_verdict(const struct lookup_answer *answer)
{
	struct result_verdict verdict = answer->judgement.verdict;
	struct result_types types = types_taken(&answer->answer);

	if (types.takes && !(types.takes & ~types.aicpu))
		verdict.aicpu = (struct result_interval){ WHOLE_PPM, WHOLE_PPM };
	return verdict;
}

static void put_head(struct doc *doc, const struct lookup_answer *answer, const struct result_verdict *verdict)
{
	enum op_status by_name = answer->answer.explicit_status;

	doc_open(doc_in(doc, DOC_HTML), BLOCK_GROUP);
	verdict_build(doc, verdict);
	doc_close(doc);
	doc_open(doc_in(doc, DOC_PLAIN), BLOCK_PARAGRAPH);
	doc_printf(doc, "%s: %.*s", answer->target->id, STR_ARG(op_status_name(verdict->status)));
	if (by_name != verdict->status)
		doc_printf(doc, " (called by name: %.*s)", STR_ARG(op_status_name(by_name)));
	doc_close(doc);
}

/* Rows of the verdict that a page has above its table. */
static void put_reasons(struct doc *doc, const struct result_verdict *verdict)
{
	struct str missing = doc_format_of(doc, " (%.*s)", STR_ARG(doc_label_of(doc, "report.no-address")));
	for (size_t i = 0; i < verdict->condition_count; i++)
		put_fact_in(doc, DOC_PLAIN, "lookup.condition", doc_message_of(doc, &verdict->conditions[i]));
	for (size_t i = 0; i < verdict->advice_count; i++)
		put_fact_in(doc, DOC_PLAIN, "lookup.advice", doc_message_of(doc, &verdict->advice[i]));
	for (size_t i = 0; i < verdict->evidence_count; i++) { /* "source, 2025-12-31: https://..." */
		const struct result_evidence *evidence = &verdict->evidence[i];

		put_fact_in(doc, DOC_PLAIN, "lookup.evidence",
			doc_format_of(doc, "%.*s%s%.*s: %.*s%.*s%.*s", STR_ARG(evidence_kind_name(evidence->kind)),
				evidence->date.len ? ", " : "", STR_ARG(evidence->date), STR_ARG(evidence->ref),
				STR_ARG(evidence->text), STR_ARG(evidence->ref.len ? STR("") : missing)));
	}
	if (!verdict->evidence_count)
		put_fact_in(doc, DOC_PLAIN, "lookup.evidence", doc_label_of(doc, "report.no-evidence"));
}

static void put_answer(struct doc *doc, const struct lookup_answer *answer)
{
	const struct result_verdict verdict = shown_verdict(answer);
	const struct answer *known = &answer->answer;
	const struct history *history = &answer->history;
	CLEANUP(buf_clear) struct buf flags = BUF_UNLIMITED, backports = BUF_UNLIMITED;

	doc_open_styled(doc, DOC_HTML, BLOCK_ANSWER);
	put_head(doc, answer, &verdict);
	doc_table(doc, &facts);
	put_fact_in(doc, DOC_PLAIN, "lookup.via", verdict.via);
	put_overloads(doc, known);
	words_put(&flags, &flag_words, verdict.flags, ", ");
	put_fact_in(doc, DOC_PLAIN, "lookup.flags", arena_keep(&doc->arena, buf_str(&flags)));
	put_fact(doc, "lookup.equivalent", known->equivalents);
	if (verdict.status == OP_NEEDS_PACKAGE)
		put_fact(doc, "lookup.package", known->package);
	for (size_t i = 0; i < answer->backward_count; i++) /* "max_pool2d_with_indices_backward: native" */
		put_fact(doc, i ? NULL : "lookup.backward",
			doc_format_of(doc, "%.*s: %.*s", STR_ARG(answer->backward[i].base),
				STR_ARG(op_status_name(answer->backward[i].status))));
	put_collectives(doc, known);
	put_packages(doc, known);
	if (answer->sparse.layouts)
		put_fact(doc, "lookup.sparse",
			doc_format_of(doc, "calls %.*s: %.*s", STR_ARG(answer->sparse.kernel),
				STR_ARG(layout_texts[answer->sparse.layouts])));
	put_fact(doc, "lookup.instead", answer->instead);
	put_notes(doc, known);
	put_runs(doc, history);
	for (size_t i = 0; i < history->backport_count; i++)
		buf_printf(&backports, "%s%.*s (%.*s)", i ? ", " : "", STR_ARG(history->backports[i]->name),
			STR_ARG(history->backports[i]->date));
	put_fact(doc, "lookup.backports", arena_keep(&doc->arena, buf_str(&backports)));
	put_reasons(doc, &verdict);
	doc_table_end(doc);
	lookup_put_units(doc, known);
	put_steps(doc, history);
	doc_close(doc);
}

void lookup_build(struct doc *doc, const struct lookup *lookup)
{
	doc_say_printf(doc, BLOCK_PARAGRAPH, "%.*s%s%.*s", STR_ARG(lookup->name.len ? lookup->name : lookup->api),
		lookup->overload.len ? "." : "", STR_ARG(lookup->overload));
	if (lookup->name.len) {
		doc_table(doc, &facts);
		put_fact(doc, "lookup.python", lookup->api);
		put_fact(doc, "lookup.torch", lookup->known_in);
		doc_table_end(doc);
	}
	lookup_build_answers(doc, lookup);
	recipe_list_build(doc, &lookup->recipes);
}

void lookup_build_answers(struct doc *doc, const struct lookup *lookup)
{
	lookup_put_calls(doc, lookup);
	for (size_t i = 0; i < lookup->count; i++)
		put_answer(doc, &lookup->answers[i]);
}
