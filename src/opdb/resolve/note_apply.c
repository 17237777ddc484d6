#include "opdb/resolve/note_apply.h"

#include <stdlib.h>
#include <string.h>

#include "opdb/model/dtype.h"
#include "opdb/resolve/arguments.h"
#include "opdb/resolve/units.h"

enum { NOTES = 256 };

/* --- which hold */

static bool is_about_chip(const struct note *note, const struct chip *chip)
{
	return note->target == chip->target && note->chips & chip_bit(chip);
}

/* Returns whether a generated kernel of one overload calls the other one. */
static bool calls_overload(
	const struct question *question, const struct name_facts *name, struct str overload, struct str other)
{
	for (const struct overload *op = name->overloads; op; op = op->next) {
		const struct torch_fact *fact = torch_fact_at(op, question->release->torch_place);

		if (str_eq(op->overload, overload))
			return fact && fact->structured_delegate.len &&
			       str_eq(overload_of(fact->structured_delegate), other);
	}
	return false;
}

/* The kind of evidence that a note is for the release, false when it is not about it. */
static bool note_holds(const struct note *note, const struct question *question, const struct name_facts *name,
	struct str overload, struct note_answer *ret)
{
	const struct release *release = question->release;

	if (note->target != release->target)
		return false;
	if (note->document ? !release->has_document || !documents_have(note->documents, release)
			   : !release_set_has(&note->releases, release))
		return false;
	if (!overload.len && note->kind == NOTE_DTYPES && note->refused == DTYPE_ALL &&
		str_eq(note->overload, STR("out")))
		return false; /* a variant with an output that always throws: a name without one calls another */
	if (overload.len && note->overload.len && !str_eq(overload, note->overload) &&
		!calls_overload(question, name, overload, note->overload))
		return false;
	if (note->chips && question->chip && !is_about_chip(note, question->chip))
		return false;
	*ret = (struct note_answer){ .note = note, .evidence = note->evidence, .release_named = note->release_named };
	ret->for_chip = note->chips && question->chip;
	if (note->document) {
		ret->release_named = release->own_document;
		ret->evidence = release->own_document ? note->evidence : EVIDENCE_INFERRED;
	}
	return true;
}

/* More specific first: a chip, the release, an overload; then the better evidence; then the newer. */
static int by_rank(const void *a, const void *b)
{
	static const int weights[] = { [EVIDENCE_MEASURED] = 0,
		[EVIDENCE_SOURCE] = 1,
		[EVIDENCE_VENDOR_DOC] = 2,
		[EVIDENCE_REPORT] = 3,
		[EVIDENCE_INFERRED] = 4 };
	const struct note_answer *left = a, *right = b;

	return right->for_chip - left->for_chip ?:
	       right->release_named - left->release_named ?:
	       (right->note->overload.len != 0) - (left->note->overload.len != 0) ?:
	       weights[left->evidence] - weights[right->evidence] ?:
	       str_cmp(right->note->date, left->note->date);
}

/* The same, with an order among equals that does not depend on how they are sorted. */
static int by_order(const void *a, const void *b)
{
	const struct note_answer *left = a, *right = b;

	return by_rank(a, b) ?:
	       (int)left->note->kind - (int)right->note->kind ?:
	       str_cmp(left->note->text, right->note->text);
}

/* Returns whether another API of the same operator is supported on the chips that a document leaves out. */
static bool is_taken(const struct note_answer *notes, size_t count, const struct note *left_out)
{
	return left_out->document && left_out->kind == NOTE_CHIP &&
	       ANY(i, count, notes[i].note->document && !(left_out->chips & ~notes[i].note->taken));
}

/* Returns whether a better note supersedes another one. A note on one overload does not affect the others. */
static bool beats(const struct note_answer *better, const struct note_answer *note, bool one_overload)
{
	const struct note *winner = better->note, *loser = note->note;
	bool same = one_overload || !winner->overload.len || str_eq(winner->overload, loser->overload);
	bool contradictory = (winner->kind == NOTE_RUNS && (loser->kind == NOTE_CPU || loser->kind == NOTE_FAILS)) ||
			     (loser->kind == NOTE_RUNS && (winner->kind == NOTE_CPU || winner->kind == NOTE_FAILS));

	return same && contradictory && by_rank(better, note) < 0;
}

/* The types that the same plugin's documents for any PyTorch say the operator takes. */
static unsigned taken_elsewhere(const struct question *question, const struct name_facts *name)
{
	const struct release *release = question->release;
	unsigned types = 0;

	for (const struct note *note = release->has_document ? name->notes : NULL; note; note = note->next) {
		if (!note->document || !note->accepted ||
			(note->chips && question->chip && !is_about_chip(note, question->chip)))
			continue;
		types |= documents_of_plugin(question->resolver->db, note->documents, release) ? note->accepted : 0;
	}
	return types;
}

static bool is_report(const struct note *note)
{
	return note->evidence == EVIDENCE_REPORT || note->evidence == EVIDENCE_MEASURED;
}

/* The kernels know better than a document, and than a report that tells no release. */
static bool is_hearsay(const struct note_answer *answer)
{
	return answer->note->evidence == EVIDENCE_VENDOR_DOC || (is_report(answer->note) && !answer->release_named);
}

/* Types are decided one by one. */
static void decide_types(struct answer *ret, struct note_answer *notes, size_t count, size_t i, unsigned elsewhere)
{
	const struct note *note = notes[i].note;
	bool report = is_report(note);
	unsigned told = is_hearsay(&notes[i]) ? ~ret->units.types : ~0u;
	unsigned refused;

	/* of equal documents the one that accepts a type is right: each API shows but a part of the operator */
	ret->accepted |= note->accepted & ~ret->refused & told;
	for (size_t other = i + 1; other < count && by_rank(&notes[i], &notes[other]) == 0; other++)
		ret->accepted |= notes[other].note->accepted & ~ret->refused & told;
	refused = note->refused & told & ~ret->accepted;
	if (notes[i].evidence == EVIDENCE_INFERRED && !note->document)
		refused &= ~ret->switched;
	ret->confirmed |= report && notes[i].release_named ? note->accepted & ~ret->refused : 0;
	if (note->document)
		refused &= ~elsewhere | note->barred;
	if (note->kind == NOTE_DTYPES && note->refused && !refused)
		notes[i].lost = true;
	ret->refused |= refused;
	ret->barred |= notes[i].evidence == EVIDENCE_INFERRED ? 0 : refused & note->barred;
	ret->reported |= report && notes[i].release_named ? refused : 0;
}

/* Notes are in their order: one that contradicts a better one of another rank is superseded. */
static void decide_notes(
	struct answer *ret, struct note_answer *notes, size_t count, bool one_overload, unsigned elsewhere)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t better = 0; better < i && !notes[i].lost; better++)
			notes[i].lost = beats(&notes[better], &notes[i], one_overload);
		notes[i].lost |= is_taken(notes, count, notes[i].note);
		if (notes[i].note->kind != NOTE_LAYOUT)
			decide_types(ret, notes, count, i, elsewhere);
	}
}

/* Facts of an NPU's kernels hold unless the type was seen to run, or to fail, on this very release. */
static void decide_units(struct answer *ret)
{
	unsigned taken = ret->units.types & ~ret->units.refused;

	ret->units.refused &= ~ret->confirmed;
	ret->barred &= ~ret->confirmed;
	ret->refused |= ret->units.refused;
	ret->accepted = (ret->accepted | (taken & ~ret->refused)) & ~ret->units.refused;
	ret->flags |= (ret->slow | ret->maybe_slow) & DTYPE_USUAL ? FLAG_AICPU : 0u;
	ret->flags |= ret->units.refused & DTYPE_USUAL ? FLAG_DTYPE_LIMITED : 0u;
}

static const struct {
	unsigned flag;
	enum status_class worst; /* the flag says nothing more of a status that is worse */
	enum op_status leads_to; /* status after a report on the release itself */
} effects[NOTE_KIND_COUNT] = {
	[NOTE_RUNS] = { 0, CLASS_UNKNOWN, OP_NATIVE },
	[NOTE_CPU] = { FLAG_HOST_PATH, CLASS_DEVICE, OP_CPU_FALLBACK },
	[NOTE_FAILS] = { FLAG_REPORTED_BROKEN, CLASS_CPU, OP_UNSUPPORTED },
	[NOTE_WRONG] = { FLAG_REPORTED_BROKEN, CLASS_CPU, OP_NATIVE },
	[NOTE_DTYPES] = { FLAG_DTYPE_LIMITED, CLASS_DEVICE, OP_NATIVE },
	[NOTE_LAYOUT] = { 0, CLASS_CPU, OP_NATIVE },
	[NOTE_SHAPES] = { FLAG_JIT_COMPILE, CLASS_DEVICE, OP_NATIVE },
	[NOTE_AICPU] = { FLAG_AICPU, CLASS_DEVICE, OP_NATIVE },
	[NOTE_AUTOCAST] = { 0, CLASS_DEVICE, OP_NATIVE },
	[NOTE_TESTED] = { 0, CLASS_DEVICE, OP_NATIVE },
	[NOTE_COMPOSED] = { 0, CLASS_DEVICE, OP_NATIVE },
	[NOTE_CRASHES] = { FLAG_REPORTED_BROKEN, CLASS_CPU, OP_NATIVE },
	[NOTE_CHIP] = { FLAG_SOC_LIMITED, CLASS_CPU, OP_NATIVE },
	[NOTE_SLOW] = { FLAG_SOC_LIMITED, CLASS_DEVICE, OP_NATIVE },
};

/* Add the evidence of a note. */
static void show_evidence(const struct question *question, const struct note_answer *answer, struct answer *ret)
{
	const struct note *note = answer->note;
	const struct opdb *db = question->resolver->db;
	struct cite cited = { .source = note->source, .note = note->path, .ref = STR("") };

	if (note->document)
		evidence_add_address(
			question, db->documents.items[question->release->document].url, answer->evidence, ret);
	else if (cited.source)
		evidence_add(question, &cited, answer->evidence, ret);
	else
		evidence_add_address(question, note->ref, answer->evidence, ret);
}

static void take_effect(const struct note_answer *answer, struct answer *ret)
{
	const struct note *note = answer->note;
	enum status_class class = op_status_class(ret->status);
	bool report = is_report(note);
	unsigned slow;

	if (answer->lost)
		return;
	slow = note->slow & ~(note->evidence == EVIDENCE_VENDOR_DOC ? ret->units.types : 0);
	if (slow == DTYPE_ALL && (ret->slow | ret->maybe_slow | ret->strided) & ret->units.types) {
		slow = 0; /* the note has no types, the kernels do */
		ret->maybe_slow |= ret->slow | ret->maybe_slow ? 0 : ret->strided & ret->units.types;
	}
	if (report && is_hearsay(answer)) { /* it saw some call; the kernels tell of all */
		ret->maybe_slow |= slow & ret->units.types & ~ret->slow;
		slow &= ~ret->units.types;
	}
	ret->slow |= slow;
	ret->tested |= note->tested;
	if (note->kind == NOTE_AICPU && !(note->slow & (ret->slow | ret->maybe_slow)))
		return;
	if (note->kind == NOTE_DTYPES && note->refused && !(note->refused & ret->refused))
		return;
	if (!note->mild && class <= effects[note->kind].worst &&
		(!note->document || note->kind != NOTE_DTYPES || note->refused & DTYPE_DOCUMENTED))
		ret->flags |= effects[note->kind].flag;
	if (!report || !answer->release_named || note->chips || note->mild)
		return;
	if (note->kind == NOTE_RUNS && op_status_class(ret->status) != CLASS_DEVICE)
		ret->best = OP_NATIVE;
	else if (effects[note->kind].leads_to > ret->certain && class <= effects[note->kind].worst)
		ret->certain = effects[note->kind].leads_to;
}

/* Returns whether the release's kernels of a name were written for the plugin and take data: views only rename it,
   and kernels of a structured group are PyTorch's own. */
static bool has_written_kernel(const struct question *question, const struct name_facts *name)
{
	for (const struct overload *op = name->overloads; op; op = op->next) {
		const struct kernel *kernel = kernel_on(op, question->release, name->aten);
		const struct torch_fact *fact = torch_fact_at(op, question->release->torch_place);
		const struct signature *signature = signature_at(op, question->release->torch_place);
		bool takes_data = signature && str_starts(signature->text, STR("(Tensor"));

		if (kernel && kernel->status == KERNEL_NATIVE && takes_data && !kernel->structured && fact &&
			!(fact->has & HAS_VIEW))
			return true;
	}
	return false;
}

/* Rules about types that hold: those of the chip asked about, and those of the kind of kernel. */
static size_t rules_hold(
	const struct question *question, const struct name_facts *name, struct note_answer *ret, size_t room)
{
	const struct opdb *db = question->resolver->db;
	size_t count = 0;

	for (size_t i = 0; i < db->dtype_rules.count && count < room; i++) {
		const struct dtype_rule *rule = &db->dtype_rules.items[i];

		if (rule->note.target != question->release->target || (rule->note.chips && !question->chip) ||
			(rule->until && question->release->place >= rule->until) ||
			(rule->written && !has_written_kernel(question, name)))
			continue;
		ret[count] = (struct note_answer){
			.note = &rule->note, .evidence = rule->note.evidence, .release_named = true
		};
		ret[count].for_chip = rule->note.chips != 0;
		count += !rule->note.chips || is_about_chip(&rule->note, question->chip);
	}
	return count;
}

/* Layouts for which PyTorch has kernels of an overload on CPU or CUDA, and the release none. */
static unsigned missing_layouts(const struct question *question, const struct name_facts *name, struct str overload)
{
	unsigned wanted = 0, there = 0;

	for (const struct overload *op = name->overloads; op; op = op->next) {
		const struct torch_fact *fact = torch_fact_at(op, question->release->torch_place);

		if (overload.len && !str_eq(op->overload, overload))
			continue;
		wanted |= fact ? fact->layouts : 0;
		for (const struct kernel *kernel = op->kernels; kernel; kernel = kernel->next) {
			if (kernel->key == KEY_VARIANT && kernel_holds(kernel, question->release))
				there |= kernel->layout;
		}
	}
	return wanted & ~there;
}

void notes_apply(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret)
{
	struct resolver *resolver = question->resolver;
	struct note_answer *notes, found[NOTES];
	size_t count = 0;

	resolver->facts.watch.notes = true;
	ret->certain = ret->best = ret->status;
	ret->layouts = op_status_class(ret->status) == CLASS_DEVICE ? missing_layouts(question, name, overload) : 0;
	units_apply(question, name, overload, ret);
	arguments_apply(question, name, overload, ret);
	for (const struct note *note = name->notes; note && count < NOTES; note = note->next) {
		bool left_out = resolver->without_reported ||
				(resolver->without_repository.len &&
					str_starts(note->ref, resolver->without_repository));

		if (left_out && note->evidence == EVIDENCE_REPORT)
			continue;
		count += note_holds(note, question, name, overload, &found[count]);
	}
	count += rules_hold(question, name, &found[count], NOTES - count);
	if (count == NOTES)
		resolver->full = true;
	if (!count)
		decide_units(ret);
	notes = count ? resolver_keep(resolver, found, count * sizeof(notes[0])) : NULL;
	if (!notes)
		return;
	qsort(notes, count, sizeof(notes[0]), by_order);
	for (size_t i = 0; i < count; i++)
		ret->switched |= notes[i].note->switched;
	decide_notes(ret, notes, count, overload.len != 0, taken_elsewhere(question, name));
	decide_units(ret);
	for (size_t i = 0; i < count; i++) {
		take_effect(&notes[i], ret);
		if (!notes[i].lost && notes[i].note->kind != NOTE_AUTOCAST && notes[i].note->kind != NOTE_TESTED &&
			wants_texts(question))
			show_evidence(question, &notes[i], ret);
	}
	if (ret->tested && !has_written_kernel(question, name))
		ret->tested = 0; /* PyTorch's own kernel takes what it takes on CUDA */
	ret->notes = notes;
	ret->note_count = count;
}
