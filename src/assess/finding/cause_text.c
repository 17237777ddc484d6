#include "assess/finding/cause_text.h"

#include "assess/finding/cause_key.h"
#include "base/value/words.h"

static bool has_same_operators(const struct result_on_target *a, const struct result_on_target *b)
{
	return a->operator_count == b->operator_count &&
	       ALL(i, a->operator_count, str_eq(a->operators[i], b->operators[i])); /* in the order of the findings */
}

/* dtypes: of calls that types decide, else "". */
static struct str joined(struct arena *arena, const struct str *items, size_t count, struct str dtypes)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < count && i < CAUSE_NAMES; i++)
		buf_printf(&text, "%s%.*s", i ? ", " : "", STR_ARG(called_with(arena, items[i], dtypes)));
	buf_add(&text, count > CAUSE_NAMES ? STR(" ...") : STR(""));
	return arena_keep(arena, buf_str(&text));
}

/* "npu@v2.7.1-26.0.0, npu@v2.6.0-7.3.0: aten::a, aten::b", of the targets from one on that have its operators. */
static void put_group(
	struct arena *arena, const struct cause_part *part, size_t first, struct str dtypes, struct buf *text)
{
	const struct result_on_target *on = &part->on_targets[first];
	struct str *targets = arena_alloc(arena, part->target_count * sizeof(targets[0]));
	size_t count = 0;

	for (size_t i = first; i < part->target_count; i++) {
		if (has_same_operators(&part->on_targets[i], on))
			targets[count++] = part->on_targets[i].target;
	}
	buf_printf(text, "%s%.*s: %.*s", text->len ? "; " : "", STR_ARG(joined(arena, targets, count, STR(""))),
		STR_ARG(joined(arena, on->operators, on->operator_count, dtypes)));
}

static struct str by_target(struct arena *arena, const struct cause_part *part, struct str dtypes)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	size_t groups = 0;

	for (size_t i = 0; i < part->target_count && groups <= CAUSE_NAMES; i++) {
		size_t before = 0;

		while (!has_same_operators(&part->on_targets[before], &part->on_targets[i]))
			before++;
		if (before < i)
			continue; /* printed with that target */
		if (groups++ < CAUSE_NAMES)
			put_group(arena, part, i, dtypes, &text);
		else
			buf_add(&text, STR(" ..."));
	}
	return arena_keep(arena, buf_str(&text));
}

/* Types, a package, an operator or a collective that the findings name; several are joined. */
static struct str origins(struct arena *arena, const struct cause_part *part)
{
	static const char *const names[] = { "package", "child", "dtypes", "source", "collective" };
	struct str found[CAUSE_NAMES + 1], one;
	size_t count = 0;

	for (size_t i = 0; i < part->finding_count * ARRAY_SIZE(names); i++) {
		struct str value = message_value(
			&part->findings[i / ARRAY_SIZE(names)]->what, names[i % ARRAY_SIZE(names)]);

		while (str_cut(&value, ',', &one)) { /* "fp64, bool" */
			one = str_trim(one);
			if (one.len && count <= CAUSE_NAMES && !STR_IS_AMONG(found, count, one))
				found[count++] = one;
		}
	}
	return joined(arena, found, count, STR(""));
}

/* Nothing but the target tells the findings apart. */
static bool say_the_same(const struct cause_part *part)
{
	const struct message *first = &part->findings[0]->what;

	for (size_t i = 1; i < part->finding_count; i++) {
		const struct message *other = &part->findings[i]->what;

		for (size_t j = 0; j < first->count; j++) {
			if (strcmp(first->params[j].name, "target") != 0 &&
				!str_eq(message_value(other, first->params[j].name), first->params[j].value))
				return false;
		}
		if (other->count != first->count)
			return false;
	}
	return true;
}

struct message cause_text_of(struct arena *arena, const struct cause_part *part)
{
	const struct message *first = &part->findings[0]->what;
	struct str targets[CAUSE_NAMES + 1], joined_targets, operators, dtypes;
	struct message same = *first;
	bool each = part->operator_count &&
		    ANY(i, part->target_count, !has_same_operators(&part->on_targets[0], &part->on_targets[i]));

	dtypes = strcmp(first->id, "op-unsupported") == 0 ? message_value(first, "dtypes") : STR("");
	for (size_t i = 0; i < part->target_count && i < ARRAY_SIZE(targets); i++)
		targets[i] = part->on_targets[i].target;
	joined_targets = joined(arena, targets, part->target_count, STR(""));
	if (say_the_same(part)) {
		for (size_t i = 0; i < same.count && part->finding_count > 1; i++) {
			if (strcmp(same.params[i].name, "target") == 0)
				same.params[i].value = joined_targets;
		}
		return same;
	}
	operators = each                   ? by_target(arena, part, dtypes)
		    : part->operator_count ? joined(arena, part->operators, part->operator_count, dtypes)
					   : message_value(first, "operators");
	return *MESSAGE(arena, arena_printf(arena, "%s-%s", first->id, each ? "each" : "many").ptr,
		NUMBER("count", part->operator_count), BLANK("operators", operators),
		BLANK("origin", origins(arena, part)), BLANK(each ? NULL : "targets", joined_targets));
}
