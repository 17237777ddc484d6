#include "assess/judge/versions.h"

#include "base/decimal.h"

/* "2.10" as a number that sorts: 2010; "2.7.1" is 2007. False for anything else. */
static bool parse_minor(struct str version, uint64_t *ret)
{
	enum { MINORS = 1000 };
	struct str major, minor;
	uint64_t high, low;

	if (!str_cut(&version, '.', &major) || !str_cut(&version, '.', &minor))
		return false;
	if (!decimal_unsigned(major, &high) || !decimal_unsigned(minor, &low) || high >= MINORS || low >= MINORS)
		return false;
	*ret = high * MINORS + low;
	return true;
}

bool era_covers(struct str era, struct str torch)
{
	bool open = str_ends(era, STR("+"));
	struct str rest = open ? str_chop(era, 1) : era, from, to;
	uint64_t first, last, version;

	if (!str_cut(&rest, '-', &from))
		return true;
	if (!str_cut(&rest, '-', &to))
		to = from;
	if (!parse_minor(from, &first) || !parse_minor(to, &last) || !parse_minor(torch, &version))
		return true;
	return version >= first && (open || version <= last);
}

static void compare(struct result *result, struct str era)
{
	const struct result_target *first = NULL;
	struct message *warning;
	int64_t others = 0;

	for (size_t i = 0; i < result->target_count; i++) {
		if (era_covers(era, result->targets[i].torch))
			continue;
		first = first ? first : &result->targets[i];
		others++;
	}
	if (!first)
		return;
	warning = &result->warnings[result->warning_count++];
	*warning = message_of("version-mismatch");
	message_add(warning, "era", era);
	message_add_number(warning, &result->arena, "others", others);
	message_add_number(warning, &result->arena, "targets", (int64_t)result->target_count);
	message_add(warning, "target", first->id);
	message_add(warning, "torch", first->torch);
}

static bool seen_before(const struct result *result, size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (str_eq(result->inputs[i].torch_era, result->inputs[index].torch_era))
			return true;
	}
	return false;
}

void versions_compare(struct result *result)
{
	struct message *before = result->warnings;

	result->warnings = arena_alloc(
		&result->arena, (result->warning_count + result->input_count + 1) * sizeof(before[0]));
	if (result->warning_count)
		memcpy(result->warnings, before, result->warning_count * sizeof(before[0]));
	for (size_t i = 0; i < result->input_count; i++) {
		if (!seen_before(result, i))
			compare(result, result->inputs[i].torch_era);
	}
}
