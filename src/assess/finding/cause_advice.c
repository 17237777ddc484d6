#include "assess/finding/cause_advice.h"

#include "assess/finding/cause_text.h"
#include "base/memory/mem.h"

static const char equivalent[] = "advice-equivalent";

/* The findings of one rule. */
struct advised {
	struct arena *arena;
	const struct result_finding *const *findings;
	size_t count;
	const char *rule;
};

static bool is_of(const struct advised *all, const struct result_finding *finding)
{
	return strcmp(finding->what.id, all->rule) == 0;
}

static bool has_advice(const struct result_finding *finding, const struct message *advice)
{
	return ANY(i, finding->advice_count,
		strcmp(finding->advice[i].id, advice->id) == 0 &&
			ALL(j, advice->count,
				str_eq(message_value(&finding->advice[i], advice->params[j].name),
					advice->params[j].value)));
}

/* The targets whose findings of the operator have the same advice as this one; "" if an earlier one has it. */
static struct str targets_with(const struct advised *all, size_t index, const struct message *advice)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < all->count; i++) {
		const struct result_finding *finding = all->findings[i];

		if (!is_of(all, finding) || !str_eq(finding->operator_name, all->findings[index]->operator_name) ||
			!has_advice(finding, advice))
			continue;
		if (i < index)
			return STR("");
		buf_printf(&text, "%s%.*s", text.len ? ", " : "", STR_ARG(finding->target));
	}
	return arena_keep(all->arena, buf_str(&text));
}

/* Name each operator with its replacement, and the targets. */
static void put_equivalents(const struct advised *all, struct result_cause *cause)
{
	for (size_t i = 0, named = 0; i < all->count && named < CAUSE_NAMES; i++) {
		const struct result_finding *finding = all->findings[i];
		const struct message *advice = FIND(
			j, finding->advice, finding->advice_count, strcmp(finding->advice[j].id, equivalent) == 0);
		struct str targets = advice && is_of(all, finding) ? targets_with(all, i, advice) : STR("");

		if (!targets.len)
			continue;
		named++;
		cause->advice[cause->advice_count++] = *MESSAGE(all->arena, "advice-equivalent-for",
			COPY("operator", finding->operator_name), BLANK("targets", targets),
			COPY("operators", message_value(advice, "operators")));
	}
}

/* Advice on one of several operators names it; a release to move to, the targets that one moves from. */
static struct message advice_named(
	const struct advised *all, size_t index, const struct message *advice, const struct result_cause *cause)
{
	static const char *const forms[][2] = {
		{ "advice-release", "advice-release-for" },
		{ "advice-known-in", "advice-known-in-for" },
		{ "advice-aicore", "advice-aicore-for" },
		{ "advice-aicpu-when", "advice-aicpu-when-for" },
		{ "advice-aicpu-measured", "advice-aicpu-measured-for" },
	};
	struct str operator_name = all->findings[index]->operator_name;
	struct message named = *advice;

	if (cause->target_count > 1 && strcmp(advice->id, forms[0][0]) == 0) {
		named.id = "advice-release-from";
		message_add(&named, "operator", operator_name);
		message_add(&named, "targets", targets_with(all, index, advice));
		return named;
	}
	for (size_t i = 0; i < ARRAY_SIZE(forms) && cause->operator_count > 1; i++) {
		if (strcmp(advice->id, forms[i][0]) == 0) {
			named.id = forms[i][1];
			message_add(&named, "operator", operator_name);
		}
	}
	return named;
}

void cause_put_advice(
	struct arena *arena, const struct result_finding *const *findings, size_t count, struct result_cause *cause)
{
	struct advised all = { arena, findings, count, NULL };
	size_t at = POSITION(i, count, findings[i]->advice_count);
	const struct result_finding *first = findings[at < count ? at : 0];
	bool differ = false, several;

	all.rule = first->what.id;
	several = ANY(i, count, is_of(&all, findings[i]) && !str_eq(findings[i]->operator_name, first->operator_name));
	cause->advice = arena_alloc(arena, (first->advice_count + CAUSE_NAMES) * sizeof(cause->advice[0]));
	for (size_t i = 0; i < first->advice_count; i++) {
		const struct message *advice = &first->advice[i];
		bool common = ALL(j, count, !is_of(&all, findings[j]) || has_advice(findings[j], advice));
		bool replaces = strcmp(advice->id, equivalent) == 0;

		differ |= replaces && !common;
		if (common || !replaces)
			cause->advice[cause->advice_count++] = common ? *advice : advice_named(&all, at, advice, cause);
		if (common && several && strcmp(advice->id, "advice-release") == 0)
			cause->advice[cause->advice_count - 1].id = "advice-release-many";
	}
	if (differ)
		put_equivalents(&all, cause);
}
