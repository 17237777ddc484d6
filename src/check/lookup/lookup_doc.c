#include "check/lookup/lookup_doc.h"

#include "assess/judge/judgement.h"
#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "check/lookup/lookup_calls.h"
#include "check/lookup/lookup_library.h"
#include "check/lookup/lookup_put.h"
#include "check/lookup/lookup_units.h"
#include "opdb/db/note.h"
#include "opdb/model/argument_limit.h"
#include "opdb/model/dtype.h"
#include "opdb/resolve/history.h"
#include "report/doc/doc_build.h"

/* Every overload with its verdict and its signature; those that no program calls by the name stand last. */
static void put_overloads(struct doc *doc, const struct answer *answer)
{
	for (size_t i = 0; i < answer->overload_count; i++) {
		const struct overload_answer *overload = &answer->overloads[i];

		lookup_put_fact(doc, i ? "" : "overloads",
			doc_format_of(doc, "%.*s: %.*s %.*s", STR_ARG(overload->name),
				STR_ARG(op_status_name(overload->status)), STR_ARG(overload->signature)));
	}
}

static void put_lookup_types(struct doc *doc, const char *title, unsigned types)
{
	lookup_put_fact(doc, title, dtypes_text(&doc->arena, types, ", "));
}

/* "report 2026-05-20: fails: text (source)"; one that a better note or a kernel's code contradicts is marked. */
static void put_note(struct doc *doc, const struct answer *told, const struct note_answer *answer, const char *title)
{
	const struct note *note = answer->note;
	bool source = note->ref.len, against = lookup_is_against_kernels(told, note);

	lookup_put_fact(doc, title,
		doc_format_of(doc, "%.*s%s%.*s%s: %.*s: %.*s%s%.*s%s%s%s",
			STR_ARG(evidence_kind_name(answer->evidence)), note->date.len ? " " : "", STR_ARG(note->date),
			answer->release_named ? "" : ", release not named", STR_ARG(note_kind_name(note->kind)),
			STR_ARG(note->text), source ? " (" : "", STR_ARG(note->ref), source ? ")" : "",
			answer->lost ? " [lost to a better one]" : "", against ? " [the kernels say otherwise]" : ""));
}

static const struct str layout_texts[] = {
	[0] = STR(""),
	[LAYOUT_SPARSE] = STR("no kernel for sparse COO tensors"),
	[LAYOUT_SPARSE_CSR] = STR("no kernel for sparse CSR tensors"),
	[LAYOUT_SPARSE | LAYOUT_SPARSE_CSR] = STR("no kernel for sparse COO and CSR tensors"),
};

/* Overloads of a name have notes of their own; a line says it once. */
static bool says_the_same(const struct note *note, const struct note *other)
{
	return note->kind == other->kind && str_eq(note->text, other->text) && str_eq(note->ref, other->ref) &&
	       str_eq(note->path, other->path);
}

/* Calls that raise whatever their types: "raises if self has more than 8 dimensions (address)". */
static void put_arguments(struct doc *doc, const struct answer *answer)
{
	for (size_t i = 0; i < answer->argument_count; i++) {
		const struct argument_limit *limit = answer->arguments[i];
		struct str when = doc->options.lang == LANG_ZH_CN ? limit->zh : limit->en;

		lookup_put_fact(doc, i ? "" : "raises if",
			doc_format_of(doc, "%.*s: %.*s (%.*s)", STR_ARG(limit->op), STR_ARG(when),
				STR_ARG(answer->argument_refs[i])));
	}
}

static void put_notes(struct doc *doc, const struct answer *answer)
{
	enum { SHOWN = 12 };
	struct result_types types = types_taken(answer);

	put_lookup_types(doc, "takes", types.takes);
	put_lookup_types(doc, "refuses", types.refuses);
	put_lookup_types(doc, "AI CPU", types.aicpu);
	if (answer->tested)
		lookup_put_fact(doc, "tested",
			doc_format_of(doc, "%.*s; the library behind is closed and says nothing of other types",
				STR_ARG(dtypes_text(&doc->arena, answer->tested, ", "))));
	lookup_put_fact(doc, "calls", answer->leaves);
	lookup_put_fact(doc, "layouts", layout_texts[answer->layouts]);
	put_arguments(doc, answer);
	for (size_t i = 0; i < answer->note_count && i < SHOWN; i++) {
		if (!i || !says_the_same(answer->notes[i].note, answer->notes[i - 1].note))
			put_note(doc, answer, &answer->notes[i], i ? "" : "notes");
	}
	if (answer->note_count > SHOWN)
		lookup_put_fact(doc, "", doc_format_of(doc, "... and %zu more", answer->note_count - SHOWN));
}

/* The history of the status: one row for each run of releases. */
static void put_history(struct doc *doc, const struct history *history)
{
	CLEANUP(buf_clear) struct buf backports = BUF_UNLIMITED;

	for (size_t i = 0; i < history->count; i++) {
		const struct transition *run = &history->transitions[i];
		bool one = run->last == run->release;

		lookup_put_fact(doc, i ? "" : "releases",
			doc_format_of(doc, "%-13.*s %.*s%s%.*s", STR_ARG(op_status_name(run->status)),
				STR_ARG(run->release->name), one ? "" : " .. ",
				STR_ARG(one ? STR("") : run->last->name)));
	}
	if (history->earliest)
		lookup_put_fact(doc, "since",
			doc_format_of(doc, "%.*s (%.*s)", STR_ARG(history->earliest->name),
				STR_ARG(history->earliest->date)));
	for (size_t i = 0; i < history->backport_count; i++)
		buf_printf(&backports, "%s%.*s (%.*s)", i ? ", " : "", STR_ARG(history->backports[i]->name),
			STR_ARG(history->backports[i]->date));
	lookup_put_fact(doc, "backports", arena_keep(&doc->arena, buf_str(&backports)));
}

/* "source, 2025-12-31: https://..." */
static void put_evidence(struct doc *doc, const struct result_evidence *evidence)
{
	struct str missing = doc_format_of(doc, " (%.*s)", STR_ARG(doc_label_of(doc, "report.no-address")));

	lookup_put_fact(doc, "evidence",
		doc_format_of(doc, "%.*s%s%.*s: %.*s%.*s%.*s", STR_ARG(evidence_kind_name(evidence->kind)),
			evidence->date.len ? ", " : "", STR_ARG(evidence->date), STR_ARG(evidence->ref),
			STR_ARG(evidence->text), STR_ARG(evidence->ref.len ? STR("") : missing)));
}

static const struct doc_column columns[] = {
	{ .gap = 2, .width = 10, .title = STR("") },
	{ .gap = 1, .fit = COLUMN_WRAP, .title = STR("") },
};
static const struct doc_table facts = { .columns = columns, .count = ARRAY_SIZE(columns), .bare = true };

/* "max_pool2d_with_indices_backward: native", one a line. */
static void put_backward(struct doc *doc, const struct lookup_answer *answer)
{
	for (size_t i = 0; i < answer->backward_count; i++)
		lookup_put_fact(doc, i ? "" : "backward",
			doc_format_of(doc, "%.*s: %.*s", STR_ARG(answer->backward[i].base),
				STR_ARG(op_status_name(answer->backward[i].status))));
}

static void put_answer(struct doc *doc, const struct lookup_answer *answer)
{
	const struct result_verdict *verdict = &answer->judgement.verdict;
	const struct answer *known = &answer->answer;
	CLEANUP(buf_clear) struct buf flags = BUF_UNLIMITED;

	doc_open(doc, BLOCK_PARAGRAPH);
	doc_printf(doc, "%s: %.*s", answer->target->id, STR_ARG(op_status_name(verdict->status)));
	if (known->explicit_status != verdict->status)
		doc_printf(doc, " (called by name: %.*s)", STR_ARG(op_status_name(known->explicit_status)));
	doc_close(doc);
	doc_table(doc, &facts);
	lookup_put_fact(doc, "via", verdict->via);
	put_overloads(doc, &answer->answer);
	words_put(&flags, &flag_words, verdict->flags, ", ");
	lookup_put_fact(doc, "flags", arena_keep(&doc->arena, buf_str(&flags)));
	lookup_put_fact(doc, "equivalent", known->equivalents);
	if (verdict->status == OP_NEEDS_PACKAGE)
		lookup_put_fact(doc, "package", known->package);
	put_backward(doc, answer);
	lookup_put_library(doc, &answer->answer);
	if (answer->sparse.layouts)
		lookup_put_fact(doc, "sparse",
			doc_format_of(doc, "calls %.*s: %.*s", STR_ARG(answer->sparse.kernel),
				STR_ARG(layout_texts[answer->sparse.layouts])));
	lookup_put_fact(doc, "instead", answer->instead);
	put_notes(doc, &answer->answer);
	put_history(doc, &answer->history);
	for (size_t i = 0; i < verdict->condition_count; i++)
		lookup_put_fact(doc, "condition", doc_message_of(doc, &verdict->conditions[i]));
	for (size_t i = 0; i < verdict->advice_count; i++)
		lookup_put_fact(doc, "advice", doc_message_of(doc, &verdict->advice[i]));
	for (size_t i = 0; i < verdict->evidence_count; i++)
		put_evidence(doc, &verdict->evidence[i]);
	if (!verdict->evidence_count)
		lookup_put_fact(doc, "evidence", doc_label_of(doc, "report.no-evidence"));
	doc_table_end(doc);
	lookup_put_units(doc, &answer->answer);
}

void lookup_build(struct doc *doc, const struct lookup *lookup)
{
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_printf(doc, "%.*s%s%.*s", STR_ARG(lookup->name.len ? lookup->name : lookup->api),
		lookup->overload.len ? "." : "", STR_ARG(lookup->overload));
	doc_close(doc);
	if (lookup->name.len) {
		doc_table(doc, &facts);
		lookup_put_fact(doc, "Python", lookup->api);
		lookup_put_fact(doc, "PyTorch", lookup->known_in);
		doc_table_end(doc);
	}
	lookup_put_calls(doc, lookup);
	for (size_t i = 0; i < lookup->count; i++)
		put_answer(doc, &lookup->answers[i]);
	recipe_list_build(doc, &lookup->recipes);
}
