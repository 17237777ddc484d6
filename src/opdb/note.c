#include "opdb/note.h"

#include <stdlib.h>

#include "base/mem.h"
#include "opdb/dtype.h"
#include "opdb/prove.h"
#include "opdb/row.h"

enum { NOTES = 256 };

static const struct str kind_names[NOTE_KIND_COUNT] = {
	[NOTE_RUNS] = STR("runs"),
	[NOTE_CPU] = STR("cpu"),
	[NOTE_FAILS] = STR("fails"),
	[NOTE_WRONG] = STR("wrong result"),
	[NOTE_DTYPES] = STR("dtypes"),
	[NOTE_LAYOUT] = STR("layout"),
	[NOTE_SHAPES] = STR("shapes"),
	[NOTE_AICPU] = STR("aicpu"),
	[NOTE_CHIP] = STR("chip"),
	[NOTE_AUTOCAST] = STR("autocast"),
};

/* The types that documents speak of: a list that has all of these is no limit. */
enum {
	DOCUMENTED = DTYPE_FP32 | DTYPE_FP16 | DTYPE_BF16 | DTYPE_FP64 | DTYPE_INT8 | DTYPE_UINT8 | DTYPE_INT16 |
		     DTYPE_INT32 | DTYPE_INT64 | DTYPE_BOOL | DTYPE_COMPLEX64 | DTYPE_COMPLEX128
};

static const struct str target_names[TARGET_COUNT] = { STR("npu"), STR("musa") };

struct str note_kind_name(enum note_kind kind)
{
	return kind_names[kind];
}

/* --- loading */

static bool is_part_of_chip(char c)
{
	return is_word(c) || c == '-';
}

unsigned chips_named(enum target_kind target, struct str text)
{
	unsigned chips = 0;

	for (size_t from = 0, to; from < text.len; from = to + 1) {
		struct str usual;
		const struct chip *chip;

		for (to = from; to < text.len && is_part_of_chip(text.ptr[to]); to++)
			;
		if (to - from < 3) /* "A2" and the like mean too much else */
			continue;
		chip = chip_find(target, str_sub(text, from, to), &usual);
		for (unsigned i = 0; chip && chip_at(target, i); i++)
			chips |= chip_at(target, i) == chip ? 1u << i : 0;
	}
	return chips;
}

static struct note *add_note(struct name_facts *name, struct row *row)
{
	struct note *note = arena_alloc(row->arena, sizeof(*note)), **end;

	if (!note) {
		row->full = true;
		return NULL;
	}
	*note = (struct note){ .overload = STR(""), .text = STR(""), .date = STR(""), .ref = STR(""), .path = STR("") };
	for (end = &name->notes; *end; end = &(*end)->next)
		;
	*end = note;
	return note;
}

static struct str overload_of(struct str op)
{
	size_t dot = str_find(op, STR("."));

	return dot == STR_NONE ? STR("") : str_skip(op, dot + 1);
}

/* What a report says, from what was observed and how its detail begins. */
static enum note_kind reported_kind(unsigned observed, struct str detail)
{
	static const enum note_kind kinds[] = { NOTE_RUNS, NOTE_CPU, NOTE_FAILS, NOTE_DTYPES, NOTE_SHAPES };

	static const struct str wrong[] = { STR("wrong"), STR("incorrect"), STR("inaccurate"), STR("undercount"),
		STR("garbage") };

	if (str_starts(detail, STR("aicpu:")))
		return NOTE_AICPU;
	for (size_t i = 0; kinds[observed] == NOTE_RUNS && i < ARRAY_SIZE(wrong); i++) {
		if (str_has(detail, wrong[i]))
			return NOTE_WRONG;
	}
	if (str_starts(detail, STR("layout:")))
		return NOTE_LAYOUT;
	return kinds[observed];
}

void note_load_report(struct name_facts *name, struct row *row)
{
	static const struct str observed_names[] = {
		STR("native"),
		STR("cpu_fallback"),
		STR("not_implemented"),
		STR("dtype_limited"),
		STR("dynamic_shape"),
	};
	struct note *note = add_note(name, row);
	struct versions_told told;
	struct dtypes_told types;
	unsigned observed;

	if (!note)
		return;
	note->target = row_word(row, target_names, TARGET_COUNT);
	note->overload = overload_of(row_text(row));
	told = (struct versions_told){ .target = note->target, .torch = row_text(row), .plugin = row_text(row) };
	observed = row_word(row, observed_names, ARRAY_SIZE(observed_names));
	note->text = row_text(row);
	note->ref = row_text(row);
	note->date = told.date = row_text(row);
	note->kind = reported_kind(observed, note->text);
	note->evidence = EVIDENCE_REPORT;
	note->releases = releases_meant(row->db, &told, &note->told);
	note->mild = str_has(note->text, STR("inferred]")) && !note->told;
	note->chips = chips_named(note->target, note->text);
	types = dtypes_told(note->text);
	note->slow = note->kind == NOTE_AICPU ? (types.refused ? types.refused : DTYPE_ALL) : 0;
	note->refused = note->kind == NOTE_DTYPES ? types.refused : 0;
	note->accepted = note->kind == NOTE_RUNS ? types.refused | types.accepted : types.accepted;
}

/* The series that documents name. */
static unsigned series(struct str hardware, bool *ret_all)
{
	static const struct {
		struct str word, chip;
	} names[] = {
		{ STR("A2"), STR("910B") },
		{ STR("A3"), STR("910C") },
		{ STR("950DT"), STR("950DT") },
		{ STR("Atlas-train"), STR("910A") },
	};
	struct str word = { 0 };
	unsigned chips = 0;

	*ret_all = str_eq(hardware, STR("all")) ||
		   str_eq(hardware, STR("950DT A2 A3")); /* every one that is told apart */
	while (!*ret_all && hardware.len && str_cut(&hardware, ' ', &word)) {
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			chips |= str_eq(names[i].word, word) ? chips_named(TARGET_NPU, names[i].chip) : 0;
	}
	return chips;
}

struct api_row {
	struct str api, supported, dtypes, excluded, remarks, ref, path;
	unsigned chips, first, last, source;
	bool all;
};

static struct note *add_document_note(
	struct name_facts *name, struct row *row, const struct api_row *api, enum note_kind kind, struct str text)
{
	struct note *note = add_note(name, row);

	if (!note)
		return NULL;
	note->target = TARGET_NPU;
	note->kind = kind;
	note->text = text;
	note->document = true;
	note->first_document = api->first;
	note->last_document = api->last;
	note->chips = api->chips;
	note->evidence = EVIDENCE_VENDOR_DOC;
	return note;
}

void note_load_api(struct name_facts *name, struct row *row)
{
	size_t documents = row->db->documents.count;
	struct api_row api = { .api = row_text(row) };
	unsigned dtypes = 0, excluded = 0;
	struct note *note;

	api.chips = series(row_text(row), &api.all);
	api.first = row_number(row, documents);
	api.last = row_number(row, documents);
	api.supported = row_text(row);
	row->damaged |= !dtypes_from(row_text(row), &dtypes);
	row->damaged |= !dtypes_from(row_text(row), &excluded);
	api.remarks = row_text(row);
	if (dtypes | excluded) {
		note = add_document_note(name, row, &api, NOTE_DTYPES, api.api);
		if (note) {
			note->taken = str_eq(api.supported, STR("yes")) ? api.chips ? api.chips : ~0u : 0;
			note->accepted = dtypes & ~excluded;
			note->refused = excluded | (dtypes ? DTYPE_ALL & ~dtypes : 0);
		}
	}
	if (str_has(api.remarks, STR("cpu")))
		add_document_note(name, row, &api, NOTE_CPU, api.api);
	if (str_eq(api.supported, STR("no")) && !api.all)
		add_document_note(name, row, &api, NOTE_CHIP, api.api);
}

void note_load_types(struct name_facts *name, struct row *row)
{
	static const struct str words[] = { STR("takes"), STR("aicpu") };
	struct note *note = add_note(name, row);
	unsigned types;

	if (!note)
		return;
	note->target = TARGET_NPU;
	note->kind = row_word(row, words, ARRAY_SIZE(words)) ? NOTE_AICPU : NOTE_DTYPES;
	if (!dtypes_from(row_text(row), &types))
		row->damaged = true;
	note->text = row_text(row);
	note->source = row_id(row, row->db->sources.count);
	note->evidence = EVIDENCE_VENDOR_DOC;
	memset(&note->releases, 0xff, sizeof(note->releases));
	if (note->kind == NOTE_AICPU) {
		note->slow = types ? types : DTYPE_ALL;
	} else {
		note->accepted = types;
		note->refused = DTYPE_ALL & ~types;
	}
}

/* The chips that a condition in a kernel sets apart: those below the chip at its boundary, or 950 itself. */
static unsigned chips_apart(struct str condition)
{
	if (str_has(condition, STR("910B1")))
		return chips_named(TARGET_NPU, STR("910A 310P 310B"));
	return str_has(condition, STR("950")) ? chips_named(TARGET_NPU, STR("950DT")) : 0;
}

static void hold_over(struct note *note, struct row *row)
{
	unsigned first = row_number(row, RELEASE_WORDS * 64), last = row_number(row, RELEASE_WORDS * 64);

	note->told = true;
	for (unsigned place = first; place <= last; place++)
		note->releases.words[place / 64] |= (uint64_t)1 << place % 64;
}

void note_load_autocast(struct name_facts *name, struct row *row)
{
	struct note *note = add_note(name, row);

	if (!note)
		return;
	note->kind = NOTE_AUTOCAST;
	note->overload = overload_of(row_text(row));
	note->target = row_word(row, target_names, TARGET_COUNT);
	note->text = row_text(row);
	hold_over(note, row);
	note->path = row_text(row);
	note->source = row_id(row, row->db->sources.count);
	note->evidence = EVIDENCE_SOURCE;
}

void note_load_chip(struct name_facts *name, struct row *row)
{
	struct str path = row_text(row), condition = row_text(row), action;
	struct note range = { .told = true };
	struct note *note;

	hold_over(&range, row);
	action = row_text(row);
	if (action.len && !str_has(action, STR("error")) && !str_has(action, STR("host")))
		return; /* slower, or the acl_op kernel, whose chips are known */
	note = add_note(name, row);
	if (!note)
		return;
	note->target = TARGET_NPU;
	note->kind = str_has(action, STR("error")) || !action.len ? NOTE_CHIP : NOTE_CPU;
	note->mild = !action.len; /* a branch, and nobody looked what it does */
	note->text = condition;
	note->path = path;
	note->chips = note->mild
			      ? 0
			      : chips_apart(condition); /* of a branch that nobody looked at either side may be meant */
	note->told = true;
	note->releases = range.releases;
	note->evidence = EVIDENCE_SOURCE;
	note->source = row_id(row, row->db->sources.count);
}

/* --- which hold */

static bool is_about_chip(const struct note *note, const struct chip *chip)
{
	for (unsigned i = 0; chip_at(note->target, i); i++) {
		if (chip_at(note->target, i) == chip)
			return note->chips >> i & 1;
	}
	return false;
}

/* The kind of evidence that a note is for the release, false when it is not about it. */
static bool holds(
	const struct note *note, const struct question *question, struct str overload, struct note_answer *ret)
{
	const struct release *release = question->release;
	bool about = note->target == release->target;

	if (about && overload.len && note->overload.len && !str_eq(overload, note->overload))
		return false;
	if (about && note->chips && question->chip && !is_about_chip(note, question->chip))
		return false;
	*ret = (struct note_answer){ .note = note, .evidence = note->evidence, .told = note->told };
	ret->for_chip = note->chips && question->chip;
	if (note->document) {
		about = about && release->has_document && note->first_document <= release->document &&
			release->document <= note->last_document;
		ret->told = release->own_document;
		if (!release->own_document)
			ret->evidence = EVIDENCE_INFERRED;
		return about;
	}
	return about && release_set_has(&note->releases, release);
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
	int specific = right->for_chip - left->for_chip;

	if (!specific)
		specific = right->told - left->told;
	if (!specific)
		specific = (right->note->overload.len != 0) - (left->note->overload.len != 0);
	if (!specific)
		specific = weights[left->evidence] - weights[right->evidence];
	return specific ? specific : str_cmp(right->note->date, left->note->date);
}

/* The same, with an order among equals that does not depend on how they are sorted. */
static int by_order(const void *a, const void *b)
{
	const struct note_answer *left = a, *right = b;
	int order = by_rank(a, b);

	if (!order)
		order = (int)left->note->kind - (int)right->note->kind;
	return order ? order : str_cmp(left->note->text, right->note->text);
}

/* Whether notes of these kinds cannot both be true of the same calls. */
static bool contradict(const struct note *winner, const struct note *loser)
{
	bool bad = loser->kind == NOTE_CPU || loser->kind == NOTE_FAILS;

	return (winner->kind == NOTE_RUNS && bad) ||
	       (loser->kind == NOTE_RUNS && (winner->kind == NOTE_CPU || winner->kind == NOTE_FAILS));
}

/* Whether another API of the same operator is said to be supported on the chips that a document leaves out. */
static bool is_taken(const struct note_answer *notes, size_t count, const struct note *left_out)
{
	for (size_t i = 0; left_out->document && left_out->kind == NOTE_CHIP && i < count; i++) {
		if (notes[i].note->document && !(left_out->chips & ~notes[i].note->taken))
			return true;
	}
	return false;
}

/* Notes stand in their order: one that contradicts a better one of another rank is lost. Types are decided one by one. */
static void decide(struct answer *ret, struct note_answer *notes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct note *note = notes[i].note;

		for (size_t better = 0; better < i && !notes[i].lost; better++)
			notes[i].lost = by_rank(&notes[better], &notes[i]) < 0 && contradict(notes[better].note, note);
		notes[i].lost |= is_taken(notes, count, note);
		if (note->kind == NOTE_LAYOUT)
			continue;
		/* of equal documents the one that accepts a type is right: each API shows but a part of the operator */
		ret->accepted |= note->accepted & ~ret->refused;
		for (size_t other = i + 1; other < count && by_rank(&notes[i], &notes[other]) == 0; other++)
			ret->accepted |= notes[other].note->accepted & ~ret->refused;
		if (note->kind == NOTE_DTYPES && note->refused && !(note->refused & ~ret->accepted))
			notes[i].lost = true;
		ret->refused |= note->refused & ~ret->accepted;
	}
}

static const struct {
	unsigned flag;
	enum status_class worst; /* the flag says nothing more of a status that is worse */
	enum op_status leads_to; /* what a report on the release itself lowers the status to */
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
	[NOTE_CHIP] = { FLAG_SOC_LIMITED, CLASS_CPU, OP_NATIVE },
};

/* Where a note can be read. */
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
	bool report = note->evidence == EVIDENCE_REPORT || note->evidence == EVIDENCE_MEASURED;

	if (answer->lost)
		return;
	ret->slow |= note->slow;
	if (!note->mild && class <= effects[note->kind].worst &&
		(!note->document || note->kind != NOTE_DTYPES || note->refused & DOCUMENTED))
		ret->flags |= effects[note->kind].flag;
	if (!report || !answer->told || note->chips)
		return;
	if (note->kind == NOTE_RUNS && op_status_class(ret->status) != CLASS_DEVICE)
		ret->best = OP_NATIVE;
	else if (effects[note->kind].leads_to > ret->certain && class <= effects[note->kind].worst)
		ret->certain = effects[note->kind].leads_to;
}

/* Whether the release's kernels of a name were written for the plugin and take data: views only rename it, and kernels of
   a structured group are PyTorch's own. */
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
			(rule->written && !has_written_kernel(question, name)))
			continue;
		ret[count] = (struct note_answer){ .note = &rule->note, .evidence = rule->note.evidence, .told = true };
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

	ret->certain = ret->best = ret->status;
	ret->layouts = op_status_class(ret->status) == CLASS_DEVICE ? missing_layouts(question, name, overload) : 0;
	for (const struct note *note = name->notes; note && count < NOTES; note = note->next) {
		if (resolver->without_reported && note->evidence == EVIDENCE_REPORT)
			continue;
		count += holds(note, question, overload, &found[count]);
	}
	count += rules_hold(question, name, &found[count], NOTES - count);
	if (count == NOTES)
		resolver->full = true;
	if (!count)
		return;
	notes = arena_alloc(&resolver->arena, count * sizeof(notes[0]));
	if (!notes) {
		resolver->full = true;
		return;
	}
	memcpy(notes, found, count * sizeof(notes[0]));
	qsort(notes, count, sizeof(notes[0]), by_order);
	decide(ret, notes, count);
	for (size_t i = 0; i < count; i++) {
		take_effect(&notes[i], ret);
		if (!notes[i].lost && notes[i].note->kind != NOTE_AUTOCAST && wants_texts(question))
			show_evidence(question, &notes[i], ret);
	}
	ret->notes = notes;
	ret->note_count = count;
}
