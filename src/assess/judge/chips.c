#include "assess/judge/chips.h"

#include "base/mem.h"
#include "opdb/model/chip.h"

static struct str common_chips(struct arena *arena, enum target_kind target)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	const struct chip *chip;

	for (size_t i = 0; (chip = chip_at(target, i)); i++) {
		if (chip->common)
			buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(chip->family));
	}
	return arena_keep(arena, buf_str(&names));
}

static const char *what_to_say(const struct target *target)
{
	if (!chips_told_apart(target->release->target))
		return target->chip ? "chip-not-told-apart" : NULL;
	return target->chip ? NULL : "chip-assumed";
}

/* Whether it was said of a target before. */
static bool is_said(const struct result *result, const char *id, struct str kind)
{
	for (size_t i = 0; i < result->warning_count; i++) {
		if (strcmp(result->warnings[i].id, id) == 0 && str_eq(result->warnings[i].params[0].value, kind))
			return true;
	}
	return false;
}

void chips_note(const struct target *targets, size_t count, struct result *result)
{
	struct message *warnings = arena_alloc(
		&result->arena, (result->warning_count + count + 1) * sizeof(warnings[0]));

	for (size_t i = 0; i < result->warning_count; i++)
		warnings[i] = result->warnings[i];
	result->warnings = warnings;
	for (size_t i = 0; i < count; i++) {
		enum target_kind target = targets[i].release->target;
		const char *id = what_to_say(&targets[i]);
		struct message *warning = &warnings[result->warning_count];

		if (!id || is_said(result, id, target_kind_name(target)))
			continue;
		*warning = message_of(id);
		message_add(warning, "target", target_kind_name(target));
		message_add(warning, "chips", common_chips(&result->arena, target));
		result->warning_count++;
	}
}
