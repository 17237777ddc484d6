#include "assess/compare/changes.h"

#include <stdlib.h>

#include "base/value/figure.h"
#include "assess/compare/agree.h"
#include "assess/compare/share_base.h"
#include "assess/finding/causes.h"
#include "assess/model/words.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"

static const struct result_target *find_target(const struct result *result, struct str id)
{
	size_t at = STR_POSITION(result->targets, result->target_count, id);

	return at == STR_NONE ? NULL : &result->targets[at];
}

/* --- what cannot be compared */

static void note_change(struct changes *changes, const char *id, struct str before, struct str after)
{
	struct message *message = &changes->notes[changes->note_count++];

	*message = message_of(id);
	message_add(message, "before", before.len ? before : STR("-"));
	message_add(message, "after", after.len ? after : STR("-"));
}

static bool has_shapes(const struct result *result)
{
	return ANY(i, result->input_count, result->inputs[i].capture.shapes);
}

static uint64_t steps(const struct result *result)
{
	uint64_t most = 0;

	for (size_t i = 0; i < result->input_count; i++)
		most = result->inputs[i].steps > most ? result->inputs[i].steps : most;
	return most;
}

static bool same_overlays(const struct result_db *before, const struct result_db *after)
{
	bool same = before->overlay_count == after->overlay_count;

	for (size_t i = 0; same && i < before->overlay_count; i++)
		same = str_eq(before->overlays[i].sha256, after->overlays[i].sha256);
	return same;
}

static struct str number_text(struct changes *changes, uint64_t value)
{
	return arena_printf(&changes->arena, "%llu", (unsigned long long)value);
}

static struct str yes_or_no(bool is)
{
	return is ? STR("yes") : STR("no");
}

static bool same_dumps(const struct result *before, const struct result *after)
{
	bool same = before->input_count == after->input_count && before->input_count;

	for (size_t i = 0; same && i < before->input_count; i++)
		same = before->inputs[i].sha256.len && str_eq(before->inputs[i].sha256, after->inputs[i].sha256);
	return same;
}

static void note_differences(struct changes *changes)
{
	const struct result *before = changes->before, *after = changes->after;

	enum { MOST_NOTES = 8 };
	changes->notes = arena_alloc(&changes->arena, MOST_NOTES * sizeof(changes->notes[0]));
	changes->same_dumps = same_dumps(before, after);
	changes->shares = share_bases_compare((struct share_base){ before->basis, before->shown_ppm },
		(struct share_base){ after->basis, after->shown_ppm });
	changes->shapes = has_shapes(before) && has_shapes(after);
	if (!str_eq(before->db.build, after->db.build))
		note_change(changes, "diff.database", before->db.build, after->db.build);
	if (!same_overlays(&before->db, &after->db))
		note_change(changes, "diff.overlays", number_text(changes, before->db.overlay_count),
			number_text(changes, after->db.overlay_count));
	if (!str_eq(before->tool_version, after->tool_version))
		note_change(changes, "diff.program", before->tool_version, after->tool_version);
	if (before->basis != after->basis)
		note_change(changes, "diff.basis", word_for(&basis_words, before->basis),
			word_for(&basis_words, after->basis));
	else if (!changes->shares)
		note_change(changes, "diff.captures", shown_share(&changes->arena, before->shown_ppm),
			shown_share(&changes->arena, after->shown_ppm));
	if (!changes->shapes)
		note_change(changes, "diff.no-shapes", yes_or_no(has_shapes(before)), yes_or_no(has_shapes(after)));
	if (steps(before) != steps(after))
		note_change(
			changes, "diff.steps", number_text(changes, steps(before)), number_text(changes, steps(after)));
}

/* --- targets */

static void put_targets(struct changes *changes)
{
	const struct result *before = changes->before, *after = changes->after;
	size_t both = 0;

	changes->targets = arena_alloc(
		&changes->arena, (before->target_count + after->target_count + 1) * sizeof(changes->targets[0]));
	for (size_t i = 0; i < after->target_count; i++) {
		const struct result_target *target = &after->targets[i], *old = find_target(before, target->id);

		changes->targets[changes->target_count++] = (struct target_change){ target->id, old, target,
			changes->shares && old && target->verdict > old->verdict,
			changes->shares && old && target->verdict < old->verdict };
		both += old != NULL;
	}
	for (size_t i = 0; i < before->target_count; i++) {
		if (!find_target(after, before->targets[i].id))
			changes->targets[changes->target_count++] = (struct target_change){ .id = before->targets[i].id,
				.before = &before->targets[i] };
	}
	if (!both)
		note_change(changes, "diff.no-target", number_text(changes, before->target_count),
			number_text(changes, after->target_count));
	else if (both < changes->target_count)
		note_change(changes, "diff.some-targets", number_text(changes, both),
			number_text(changes, changes->target_count));
}

/* --- findings */

/* The fingerprints of all findings, waived or not, in byte order; on the heap. */
static struct str *fingerprints(const struct result *result, size_t *ret_count)
{
	size_t count = 0;
	struct str *all = mem_zalloc((result->finding_count + result->waived_count + 1) * sizeof(all[0]));

	for (size_t i = 0; i < result->finding_count; i++)
		all[count++] = result->findings[i].fingerprint;
	for (size_t i = 0; i < result->waived_count; i++)
		all[count++] = result->waived[i].fingerprint;
	qsort(all, count, sizeof(all[0]), str_order);
	*ret_count = count;
	return all;
}

/* The findings of one result that the other lacks, and that it could have: it has the target. */
static void put_lacking(struct changes *changes, const struct result *result, const struct result *other, bool is_new)
{
	size_t count;
	struct str *known = fingerprints(other, &count);

	for (size_t i = 0; i < result->finding_count; i++) {
		const struct result_finding *finding = &result->findings[i];

		if (finding->target.len && !find_target(other, finding->target))
			continue;
		if (!bsearch(&finding->fingerprint, known, count, sizeof(known[0]), str_order))
			changes->findings[changes->finding_count++] = (struct finding_change){ finding, is_new };
	}
	free(known);
}

static struct result_cause *causes_of_changes(
	struct changes *changes, const struct result *result, bool is_new, size_t *ret_count)
{
	const struct result_finding **findings = mem_zalloc((changes->finding_count + 1) * sizeof(findings[0]));
	struct cause_source source = { .findings = findings, .result = result };
	struct result_cause *causes;

	for (size_t i = 0; i < changes->finding_count; i++) {
		if (changes->findings[i].is_new == is_new)
			findings[source.count++] = changes->findings[i].finding;
	}
	causes = causes_of(&changes->arena, &source, ret_count);
	free(findings);
	return causes;
}

static void put_findings(struct changes *changes)
{
	size_t most = changes->before->finding_count + changes->after->finding_count;

	changes->findings = arena_alloc(&changes->arena, (most + 1) * sizeof(changes->findings[0]));
	put_lacking(changes, changes->after, changes->before, true);
	changes->new_count = changes->finding_count;
	put_lacking(changes, changes->before, changes->after, false);
	changes->new_causes = causes_of_changes(changes, changes->after, true, &changes->new_cause_count);
	changes->fixed_causes = causes_of_changes(changes, changes->before, false, &changes->fixed_cause_count);
}

static void compare_statuses(struct changes *changes, struct operator_change *change)
{
	size_t count = change->after->verdict_count;

	for (size_t i = 0; i < count; i++) {
		const struct result_verdict *now = &change->after->verdicts[i],
					    *then = verdict_on(change->before, now->target);
		bool worse;

		if (!then || then->status == now->status)
			continue;
		if (!change->statuses)
			change->statuses = arena_alloc(&changes->arena, count * sizeof(change->statuses[0]));
		worse = now->status > then->status;
		change->kinds |= worse ? CHANGE_OPERATOR_WORSE : CHANGE_OPERATOR_BETTER;
		change->statuses[change->status_count++] = (struct status_change){ now->target, then->status,
			now->status, then, now, worse, changes->same_dumps };
	}
}

/* Shapes of one that the other does not list, though it lists all that it has. */
static bool lists_others(const struct result_operator *one, const struct result_operator *other)
{
	return other->shape_count == other->shape_total &&
	       ANY(i, one->shape_count, !STR_IS_AMONG(other->shapes, other->shape_count, one->shapes[i].dims));
}

static bool shapes_differ(const struct result_operator *before, const struct result_operator *after)
{
	return before->dynamic.kind != after->dynamic.kind || before->dynamic.distinct != after->dynamic.distinct ||
	       lists_others(before, after) || lists_others(after, before);
}

static int64_t larger_share(const struct operator_change *change)
{
	int64_t before = change->before ? change->before->share_ppm : 0,
		after = change->after ? change->after->share_ppm : 0;

	return before > after ? before : after;
}

static void compare_operator(struct changes *changes, struct operator_change *change, int64_t least_share_ppm)
{
	if (!change->before || !change->after) {
		change->kinds = change->after ? CHANGE_OPERATOR_ADDED : CHANGE_OPERATOR_REMOVED;
		return;
	}
	compare_statuses(changes, change);
	if (changes->shares && llabs(change->after->share_ppm - change->before->share_ppm) >= least_share_ppm)
		change->kinds |= CHANGE_OPERATOR_SHARE;
	if (changes->shapes && shapes_differ(change->before, change->after))
		change->kinds |= CHANGE_OPERATOR_SHAPES;
}

static int by_share(const void *a, const void *b)
{
	const struct operator_change *left = a, *right = b;

	return ORDER(larger_share(right), larger_share(left)) ?: str_cmp(left->name, right->name);
}

static void add_operator(struct changes *changes, struct str name, const struct result_operator *before,
	const struct result_operator *after, int64_t least_share_ppm)
{
	struct operator_change *change = &changes->operators[changes->operator_count];

	*change = (struct operator_change){ .name = name, .before = before, .after = after };
	compare_operator(changes, change, least_share_ppm);
	changes->operator_count += change->kinds != 0;
}

static void compare_operators(struct changes *changes, int64_t least_share_ppm)
{
	const struct result *before = changes->before, *after = changes->after;
	struct map old = { 0 }, fresh = { 0 };
	size_t both = 0;

	changes->operators = arena_alloc(
		&changes->arena, (before->operator_count + after->operator_count + 1) * sizeof(changes->operators[0]));
	for (size_t i = 0; i < before->operator_count; i++)
		map_add_name(&old, before->operators[i].name, (uint32_t)i);
	for (size_t i = 0; i < after->operator_count; i++) {
		const struct result_operator *op = &after->operators[i];
		uint32_t at = MAP_FIND(&old, before->operators, op->name);

		map_add_name(&fresh, op->name, (uint32_t)i);
		both += at != MAP_NONE;
		add_operator(changes, op->name, at == MAP_NONE ? NULL : &before->operators[at], op, least_share_ppm);
	}
	for (size_t i = 0; i < before->operator_count; i++) {
		const struct result_operator *op = &before->operators[i];

		if (MAP_FIND(&fresh, after->operators, op->name) == MAP_NONE)
			add_operator(changes, op->name, op, NULL, least_share_ppm);
	}
	if (!both)
		note_change(changes, "diff.no-operator", number_text(changes, before->operator_count),
			number_text(changes, after->operator_count));
	qsort(changes->operators, changes->operator_count, sizeof(changes->operators[0]), by_share);
	map_clear(&old);
	map_clear(&fresh);
}

/* --- the whole */

struct changes *changes_find(const struct result *before, const struct result *after, int64_t least_share_ppm)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED); /* a part of what both results take */
	struct changes *changes = arena_alloc(&arena, sizeof(*changes));

	changes->arena = arena;
	changes->before = before;
	changes->after = after;
	note_differences(changes);
	put_targets(changes);
	put_findings(changes);
	compare_operators(changes, least_share_ppm);
	return changes;
}

void changes_free(struct changes *changes)
{
	if (changes)
		arena_clear((struct arena[]){ changes->arena }); /* the changes live in it */
}
