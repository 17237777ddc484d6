#include "assess/model/origin.h"

#include "base/memory/mem.h"
#include "base/view/ascii.h"

/* "2.7.1.post4" of "2.7.1.post4+git1a2b3c4": what a package is called. */
static struct str without_build(struct str version)
{
	struct str rest = version, plain;

	return str_cut(&rest, '+', &plain) ? plain : version;
}

static bool resolve_spelling(
	const struct opdb *db, const char *target, struct str spelling, struct str torch, struct target *ret)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(256);
	struct err err = { 0 };

	if (!spelling.len)
		return false;
	buf_printf(&text, "%s@%.*s", target, STR_ARG(spelling));
	return target_resolve(db, buf_str(&text), torch, ret, &err) == 0;
}

/* "2.7.1" of "2.7.1.post4": the version of PyTorch that a plugin of that version is for. */
static struct str torch_of(struct str plugin)
{
	size_t dots = 0, at = 0;

	while (at < plugin.len && (is_digit(plugin.ptr[at]) || (plugin.ptr[at] == '.' && ++dots < 3)))
		at++;
	return str_sub(plugin, 0, at);
}

/* The package by its number; and the release for its CANN, which tells more where the number is that of PyTorch alone:
   a build of one's own has it as well as the first package. */
static bool find_release(const struct opdb *db, const struct device_facts *facts, struct target *ret)
{
	CLEANUP(buf_clear) struct buf pip = BUF_INIT(256), cann = BUF_INIT(256);
	const char *target = device_kind_name(facts->kind);
	struct str plugin = without_build(str_from(facts->plugin)), torch = without_build(str_from(facts->torch));
	bool plain = str_eq(plugin, torch_of(plugin));

	torch = torch.len ? torch : torch_of(plugin);
	if (plugin.len)
		buf_printf(&pip, "pip-%.*s", STR_ARG(plugin));
	if (facts->cann[0])
		buf_printf(&cann, "cann-%s", facts->cann);
	return (!plain && resolve_spelling(db, target, buf_str(&pip), STR(""), ret)) ||
	       resolve_spelling(db, target, buf_str(&cann), torch, ret) ||
	       resolve_spelling(db, target, buf_str(&pip), STR(""), ret);
}

bool origin_release(const struct opdb *db, const struct device_facts *facts, struct target *ret)
{
	CLEANUP(buf_clear) struct buf on_chip = BUF_INIT(256);
	struct str chip = str_from(facts->chip), vendor = STR("MTT ");
	struct target narrower;
	struct err err = { 0 };

	if (!device_is_target(facts->kind) || !find_release(db, facts, ret))
		return false;
	if (str_starts(chip, vendor))
		chip = str_skip(chip, vendor.len);
	buf_printf(&on_chip, "%s:%.*s", ret->id, STR_ARG(chip));
	if (facts->chip[0] && target_resolve(db, buf_str(&on_chip), STR(""), &narrower, &err) == 0)
		*ret = narrower; /* the database knows the chip */
	return true;
}

void origin_describe(
	struct arena *arena, const struct opdb *db, const struct device_facts *facts, struct result_device *ret)
{
	struct target target;

	*ret = (struct result_device){ .kind = str_from(device_kind_name(facts->kind)),
		.sign = STR(""),
		.torch = STR(""),
		.plugin = STR(""),
		.cann = STR(""),
		.chip = STR(""),
		.release = STR("") };
	if (facts->kind == DEVICE_UNKNOWN)
		return;
	ret->sign = str_from(facts->sign);
	ret->torch = arena_keep(arena, str_from(facts->torch));
	ret->plugin = arena_keep(arena, str_from(facts->plugin));
	ret->cann = arena_keep(arena, str_from(facts->cann));
	ret->chip = arena_keep(arena, str_from(facts->chip));
	if (origin_release(db, facts, &target))
		ret->release = arena_keep(arena, str_from(target.id));
}

enum device_kind origin_of_all(const struct assess_input *inputs, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (inputs[i].dump.device.kind != inputs[0].dump.device.kind)
			return DEVICE_UNKNOWN;
	}
	return count && device_is_target(inputs[0].dump.device.kind) ? inputs[0].dump.device.kind : DEVICE_UNKNOWN;
}
