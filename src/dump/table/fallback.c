#include "dump/table/fallback.h"

#include "base/memory/mem.h"
#include "base/view/ascii.h"

enum { MAX_NAME_BYTES = 256 };

static const struct {
	struct str before, between,
		behind; /* the operator stands between the first two, the backend between the last two */
	bool raised;
} forms[] = {
	{ STR("The operator '"), STR("' is not currently supported on the "),
		STR(" backend and will fall back to run on the CPU"), false },
	{ STR("Could not run '"), STR("' with arguments from the '"), STR("' backend"), true },
};

/* The text in *rest up to a mark, behind which *rest then begins. */
static bool cut_at(struct str *rest, struct str mark, struct str *ret)
{
	size_t at = str_find(*rest, mark);

	if (at == STR_NONE)
		return false;
	*ret = str_sub(*rest, 0, at);
	*rest = str_skip(*rest, at + mark.len);
	return true;
}

/* "PrivateUse1" was "XLA" up to torch_npu for PyTorch 1.11; sparse and quantized keys have the name in them. */
static bool is_backend(struct str word, enum device_kind *ret)
{
	*ret = device_of_word(word);
	return device_is_target(*ret) || str_has_word(STR("PrivateUse1 AutogradPrivateUse1"), word);
}

bool fallback_find(struct str line, struct fallback *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct str rest = line, before, backend;

		if (!cut_at(&rest, forms[i].before, &before) || !cut_at(&rest, forms[i].between, &ret->name) ||
			!cut_at(&rest, forms[i].behind, &backend) || !is_backend(backend, &ret->device))
			continue;
		ret->raised = forms[i].raised;
		return ret->name.len <= MAX_NAME_BYTES && str_has(ret->name, STR("::"));
	}
	return false;
}

void fallback_observe(struct str line, struct device_facts *facts, struct tally *tally)
{
	struct op_observation observation = { .launch = STR(""), .calls = 1 };
	struct fallback found;

	if (!fallback_find(line, &found))
		return;
	device_observe(facts, found.device, "warnings");
	observation.name = found.name;
	observation.where = found.raised ? OBSERVED_RAISED : OBSERVED_ON_HOST;
	tally_add(tally, &observation);
}
