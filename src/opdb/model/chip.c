#include "opdb/model/chip.h"

#include "base/memory/mem.h"
#include "base/view/ascii.h"

enum { NAMES = 10 };

static const struct {
	struct chip chip;
	/* A name that ends in '*' matches every continuation in letters, digits, '_' and '-'. */
	struct str names[NAMES];
} chips[] = {
	/* the first generation has a 910B, too, "Ascend910B"; but 910B always means Ascend910B1 and up */
	{ { STR("910A"), STR("Atlas 800 9000/9010"), TARGET_NPU, .jit_default = true },
		{ STR("910A"), STR("910PremiumA"), STR("910ProA"), STR("910ProB") } },
	{ { STR("310P"), STR("Atlas 300I Pro, 300I Duo"), TARGET_NPU, .jit_default = true },
		{ STR("310P"), STR("310P1"), STR("310P2"), STR("310P3"), STR("310P4"), STR("310P5"), STR("310P6"),
			STR("310P7") } },
	{ { STR("910B"), STR("Atlas 800T A2, 800I A2, 900 A2 PoD"), TARGET_NPU, .common = true },
		{ STR("910B"), STR("910B1"), STR("910B2"), STR("910B2C"), STR("910B3"), STR("910B4"), STR("910B4-1"),
			STR("A2") } },
	{ { STR("310B"), STR("Atlas 200I DK A2, 500 A2"), TARGET_NPU },
		{ STR("310B"), STR("310B1"), STR("310B2"), STR("310B3"), STR("310B4") } },
	{ { STR("910_93"), STR("Atlas 800T A3, 800I A3, 900 A3"), TARGET_NPU, .common = true },
		{ STR("910_93*"), STR("910C"), STR("A3") } },
	{ { STR("950"), STR(""), TARGET_NPU, .aclnn_only = true }, { STR("950*"), STR("910_95*"), STR("A5") } },
	{ { STR("S80"), STR(""), TARGET_MUSA }, { STR("S80"), STR("S70") } },
	{ { STR("S3000"), STR(""), TARGET_MUSA }, { STR("S3000") } },
	{ { STR("S4000"), STR(""), TARGET_MUSA }, { STR("S4000") } },
	{ { STR("S5000"), STR(""), TARGET_MUSA }, { STR("S5000") } },
};

static bool pattern_matches(struct str pattern, struct str name)
{
	struct str head = pattern.len ? str_chop(pattern, 1) : pattern;

	if (!str_ends(pattern, STR("*")))
		return str_eq_fold(pattern, name);
	return name.len >= head.len && str_eq_fold(head, str_sub(name, 0, head.len)) &&
	       str_is_word(str_skip(name, head.len), "-");
}

const struct chip *chip_find(enum target_kind target, struct str name, struct str *ret_name)
{
	static const struct str vendor = { "Ascend", 6 };

	if (target == TARGET_NPU && name.len > vendor.len && str_eq_fold(str_sub(name, 0, vendor.len), vendor))
		name = str_skip(name, vendor.len);
	for (size_t i = 0; i < ARRAY_SIZE(chips); i++) {
		for (size_t n = 0; n < NAMES && chips[i].names[n].len; n++) {
			struct str pattern = chips[i].names[n];

			if (chips[i].chip.target != target || !pattern_matches(pattern, name))
				continue;
			*ret_name = str_ends(pattern, STR("*")) ? name : pattern;
			return &chips[i].chip;
		}
	}
	return NULL;
}

const struct chip *chip_at(enum target_kind target, size_t index)
{
	for (size_t i = 0; i < ARRAY_SIZE(chips); i++) {
		if (chips[i].chip.target == target && index-- == 0)
			return &chips[i].chip;
	}
	return NULL;
}

unsigned chip_bit(const struct chip *chip)
{
	unsigned number = 0;

	while (chip_at(chip->target, number) != chip)
		number++;
	return 1u << number;
}

unsigned chips_common(enum target_kind target)
{
	unsigned common = 0;

	for (unsigned i = 0; chip_at(target, i); i++)
		common |= chip_at(target, i)->common ? 1u << i : 0;
	return common;
}

struct str chips_text(struct arena *arena, enum target_kind target, unsigned bits, const char *between)
{
	struct str text = STR("");
	const struct chip *chip;

	for (unsigned i = 0; (chip = chip_at(target, i)); i++) {
		if (bits >> i & 1)
			text = arena_printf(
				arena, "%.*s%s%.*s", STR_ARG(text), text.len ? between : "", STR_ARG(chip->family));
	}
	return text;
}

bool chips_differ(enum target_kind target)
{
	return target == TARGET_NPU;
}
