#include "opdb/diff.h"

#include "base/memory/mem.h"
#include "opdb/db/names.h"
#include "opdb/model/dtype.h"
#include "opdb/resolve/name.h"
#include "opdb/resolve/note_apply.h"
#include "opdb/resolve/units.h"

enum { NAMES_BYTES = 64 * 1024 * 1024 };

struct str op_change_name(enum op_change change)
{
	static const struct str names[CHANGE_COUNT] = { STR("added"), STR("removed"), STR("better"), STR("worse") };

	return names[change];
}

struct str diff_aspect_name(enum diff_aspect aspect)
{
	static const struct str names[ASPECT_COUNT] = { STR("unit"), STR("types"), STR("report") };

	return names[aspect];
}

struct state {
	bool there;
	enum op_status status;
	const struct name_facts *name;
	struct answer answer;
};

static struct question question_of(const struct diff_side *side)
{
	return (struct question){ .resolver = side->resolver,
		.release = side->target.release,
		.chip = side->target.chip,
		.status_only = true };
}

static int state_of(const struct diff_side *side, struct str full, struct state *ret, struct err *err)
{
	size_t colons = str_find(full, STR("::"));
	struct question question = question_of(side);
	int code;

	*ret = (struct state){ 0 };
	code = facts_get(&side->resolver->facts, str_sub(full, 0, colons), str_skip(full, colons + 2), &ret->name, err)
		       ?: answer_name(&question, ret->name, STR(""), &ret->answer, err);
	if (code)
		return code;
	ret->status = ret->answer.status;
	for (const struct overload *op = ret->name->overloads; op && !ret->there; op = op->next)
		ret->there = overload_exists(op, question.release, ret->name->aten);
	return 0;
}

/* --- beside the status */

enum { MOST_CHIPS = 8 };

/* The unit that runs a type on a chip, and the kernels that are or may be on the AI CPU. */
struct unit_cell {
	enum unit unit;
	struct str kernels;
};

static void fill_units(const struct diff_side *side, const struct state *state, const struct chip *chip,
	struct unit_cell ret[DTYPE_COUNT])
{
	struct question question = question_of(side);
	struct answer answer = { .status = state->status };

	question.chip = chip;
	units_apply(&question, state->name, STR(""), &answer);
	for (size_t i = 0; i < answer.units.count; i++) {
		const struct unit_answer *line = &answer.units.lines[i];

		for (unsigned type = 0; type < DTYPE_COUNT; type++) {
			if (line->dtypes >> type & 1)
				ret[type] = (struct unit_cell){ line->unit, line->kernels };
		}
	}
}

struct comparison {
	const struct diff_side *sides[2];
	const struct state *states[2];
	const struct diff_sink *sink;
	struct unit_cell cells[2][MOST_CHIPS][DTYPE_COUNT]; /* by side */
	struct str name;
};

static bool same_cell(const struct unit_cell *a, const struct unit_cell *b)
{
	return a->unit == b->unit && str_eq(a->kernels, b->kernels);
}

/* A chip and a type: a place in both tables. */
struct unit_place {
	unsigned chip, type;
};

static const struct unit_cell *cell_at(const struct comparison *about, unsigned side, struct unit_place at)
{
	return &about->cells[side][at.chip][at.type];
}

/* The types of a chip that moved as that one did. */
static unsigned types_like(const struct comparison *about, unsigned chip, struct unit_place model)
{
	unsigned types = 0;

	for (unsigned type = 0; type < DTYPE_COUNT; type++) {
		struct unit_place at = { chip, type };
		bool same = same_cell(cell_at(about, 0, at), cell_at(about, 0, model)) &&
			    same_cell(cell_at(about, 1, at), cell_at(about, 1, model));

		types |= same ? 1u << type : 0;
	}
	return types;
}

/* One detail for all types that moved so, and for all chips on which the same types did; done: what was reported. */
static int emit_move(const struct comparison *about, struct unit_place model, unsigned done[MOST_CHIPS])
{
	const struct unit_cell *before = cell_at(about, 0, model), *after = cell_at(about, 1, model);
	struct op_detail detail = { .name = about->name,
		.aspect = ASPECT_UNIT,
		.dtypes = types_like(about, model.chip, model),
		.before = unit_name(before->unit),
		.after = unit_name(after->unit),
		.kernels = { before->kernels, after->kernels },
		.text = STR(""),
		.ref = STR("") };

	for (unsigned chip = model.chip; chip < MOST_CHIPS; chip++) {
		if (types_like(about, chip, model) != detail.dtypes)
			continue;
		detail.chips |= 1u << chip;
		done[chip] |= detail.dtypes;
	}
	return about->sink->detail(about->sink->ctx, &detail);
}

/* Chips to compare: all, or those of a target that names one. */
static bool is_about_chip(const struct comparison *about, const struct chip *chip)
{
	const struct chip *before = about->sides[0]->target.chip, *after = about->sides[1]->target.chip;

	return (!before || before == chip) && (!after || after == chip);
}

static int compare_units(struct comparison *about)
{
	unsigned done[MOST_CHIPS] = { 0 };
	const struct chip *chip;
	int code = 0;

	for (unsigned i = 0; i < MOST_CHIPS && (chip = chip_at(TARGET_NPU, i)); i++) {
		for (unsigned side = 0; side < 2 && is_about_chip(about, chip); side++)
			fill_units(about->sides[side], about->states[side], chip, about->cells[side][i]);
	}
	for (struct unit_place at = { 0 }; at.chip < MOST_CHIPS && !code; at.chip++) {
		for (at.type = 0; at.type < DTYPE_COUNT && !code; at.type++) {
			bool moved = !same_cell(cell_at(about, 0, at), cell_at(about, 1, at));

			if (moved && !(done[at.chip] >> at.type & 1))
				code = emit_move(about, at, done);
		}
	}
	return code;
}

enum acceptance { ACCEPTANCE_UNKNOWN, ACCEPTED, REJECTED, ACCEPTANCE_COUNT };

static unsigned types_with(const struct answer *answer, enum acceptance acceptance)
{
	const unsigned types[] = { [ACCEPTANCE_UNKNOWN] = DTYPE_ALL & ~(answer->accepted | answer->refused),
		[ACCEPTED] = answer->accepted & ~answer->refused,
		[REJECTED] = answer->refused };

	return types[acceptance];
}

/* Limits of types by documents, reports and checks of kernels; those of CANN's kernels belong to units. */
static int compare_types(const struct comparison *about, const struct answer *before, const struct answer *after)
{
	static const struct str names[] = { STR("unknown"), STR("accepted"), STR("rejected") };
	unsigned differ = (before->refused ^ after->refused) & ~(before->units.types | after->units.types);
	int code = 0;

	for (unsigned pair = 0; differ && pair < ACCEPTANCE_COUNT * ACCEPTANCE_COUNT && !code; pair++) {
		enum acceptance from = pair / ACCEPTANCE_COUNT, to = pair % ACCEPTANCE_COUNT;
		struct op_detail detail = { .name = about->name,
			.aspect = ASPECT_TYPES,
			.dtypes = types_with(before, from) & types_with(after, to) & differ,
			.before = names[from],
			.after = names[to],
			.text = STR(""),
			.ref = STR("") };

		if (detail.dtypes)
			code = about->sink->detail(about->sink->ctx, &detail);
	}
	return code;
}

static bool is_alarm(const struct note *note)
{
	return (note->kind == NOTE_FAILS || note->kind == NOTE_WRONG || note->kind == NOTE_CRASHES) &&
	       (note->evidence == EVIDENCE_REPORT || note->evidence == EVIDENCE_MEASURED);
}

static bool has_report(const struct answer *answer, const struct note *note)
{
	return ANY(i, answer->note_count,
		answer->notes[i].note->kind == note->kind && str_eq(answer->notes[i].note->text, note->text) &&
			str_eq(answer->notes[i].note->ref, note->ref));
}

/* Reports that hold on one side and not on the other. */
static int compare_reports(
	const struct comparison *about, const struct answer *here, const struct answer *there, bool added)
{
	int code = 0;

	for (size_t i = 0; i < here->note_count && !code; i++) {
		const struct note *note = here->notes[i].note;
		struct str kind = note_kind_name(note->kind);

		if (is_alarm(note) && !has_report(there, note))
			code = about->sink->detail(about->sink->ctx, &(struct op_detail){ .name = about->name,
									     .aspect = ASPECT_REPORT,
									     .before = added ? STR("") : kind,
									     .after = added ? kind : STR(""),
									     .text = note->text,
									     .ref = note->ref });
	}
	return code;
}

static bool runs_on_device(const struct state *state)
{
	return op_status_class(state->status) == CLASS_DEVICE;
}

static int compare_details(struct comparison *about, struct err *err)
{
	struct answer answers[2];
	int code = 0;

	for (unsigned i = 0; i < 2 && !code; i++) {
		struct question question = question_of(about->sides[i]);

		answers[i] = about->states[i]->answer;
		notes_apply(&question, about->states[i]->name, STR(""), &answers[i]);
		code = resolver_check(about->sides[i]->resolver, err);
	}
	if (!code && runs_on_device(about->states[0]) && runs_on_device(about->states[1])) {
		code = compare_units(about) ?: compare_types(about, &answers[0], &answers[1]);
	}
	if (!code)
		code = compare_reports(about, &answers[0], &answers[1], false);
	if (!code)
		code = compare_reports(about, &answers[1], &answers[0], true);
	return code;
}

/* --- every name */

/* The order of the database: by namespace, then by base. */
static int name_order(struct str a, struct str b)
{
	size_t a_colons = str_find(a, STR("::")), b_colons = str_find(b, STR("::"));
	int order = str_cmp(str_sub(a, 0, a_colons), str_sub(b, 0, b_colons));

	return order ? order : str_cmp(a, b);
}

/* Takes the next name off two sorted lists. */
static struct str next_name(struct name_list *a, struct name_list *b)
{
	int order = !a->count ? 1 : !b->count ? -1 : name_order(a->items[0], b->items[0]);
	struct str name = order <= 0 ? a->items[0] : b->items[0];

	if (order <= 0) {
		a->items++;
		a->count--;
	}
	if (order >= 0) {
		b->items++;
		b->count--;
	}
	return name;
}

static int compare_name(const struct diff_side *before, const struct diff_side *after, struct str name,
	const struct diff_sink *sink, struct err *err)
{
	struct op_difference difference = { .name = name };
	struct state states[2];
	struct comparison about = {
		.sides = { before, after }, .states = { &states[0], &states[1] }, .sink = sink, .name = name
	};
	bool same_target = before->target.release->target == after->target.release->target;
	int code = state_of(before, name, &states[0], err) ?: state_of(after, name, &states[1], err);

	if (code)
		return code;
	difference.before = states[0].status;
	difference.after = states[1].status;
	if (states[0].there != states[1].there)
		difference.change = states[1].there ? CHANGE_ADDED : CHANGE_REMOVED;
	else
		difference.change = states[1].status < states[0].status ? CHANGE_BETTER : CHANGE_WORSE;
	if (states[0].there != states[1].there || states[0].status != states[1].status)
		code = sink->change(sink->ctx, &difference);
	return code || !sink->detail || !same_target || !states[0].there || !states[1].there
		       ? code
		       : compare_details(&about, err);
}

int opdb_diff(
	const struct diff_side *before, const struct diff_side *after, const struct diff_sink *sink, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(NAMES_BYTES);
	struct name_list old_names = { 0 }, new_names = { 0 };
	int code = opdb_names_with_prefix(before->db, STR(""), &arena, &old_names, err)
			   ?: opdb_names_with_prefix(after->db, STR(""), &arena, &new_names, err);

	while (!code && (old_names.count || new_names.count)) {
		struct str name = next_name(&old_names, &new_names);

		if (!sink->wanted || sink->wanted(sink->ctx, name))
			code = compare_name(before, after, name, sink, err);
	}
	return code;
}
