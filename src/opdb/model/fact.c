#include "opdb/model/fact.h"

#include "base/memory/mem.h"

static const struct str has_names[] = { STR("cpu"), STR("cuda"), STR("implicit"), STR("explicit"), STR("nonfunctional"),
	STR("structured"), STR("view") };
static const struct str need_names[] = { STR("backward"), STR("optimizer"), STR("fp16") };

const struct words has_words = { has_names, ARRAY_SIZE(has_names), 0 };
const struct words need_words = { need_names, ARRAY_SIZE(need_names), 0 };

struct str base_of(struct str op)
{
	return str_head(op, '.');
}

struct str overload_of(struct str op)
{
	size_t dot = str_find(op, STR("."));

	return dot == STR_NONE ? STR("") : str_skip(op, dot + 1);
}

const struct torch_fact *torch_fact_at(const struct overload *op, unsigned torch_place)
{
	const struct torch_fact *fact = op->torch;

	while (fact && (torch_place < fact->first || torch_place > fact->last))
		fact = fact->next;
	return fact;
}

const struct signature *signature_at(const struct overload *op, unsigned torch_place)
{
	const struct signature *signature = op->signatures;

	while (signature && (torch_place < signature->first || torch_place > signature->last))
		signature = signature->next;
	return signature;
}

/* Rank of a registration for a call on dense tensors; 0: of another key. Operators outside aten are found under
   every layout of their device: a profile does not show which. */
static int nearness(const struct kernel *kernel, const struct release *release, bool aten)
{
	if (kernel->key == (release->xla ? KEY_XLA : KEY_PRIVATEUSE1))
		return 3;
	if (kernel->key == (release->xla ? KEY_AUTOGRAD_XLA : KEY_AUTOGRAD_PRIVATEUSE1))
		return 2;
	return !aten && (kernel->key == KEY_PRIVATEUSE1 || kernel->key == KEY_AUTOGRAD_PRIVATEUSE1 ||
				kernel->key == KEY_VARIANT);
}

bool kernel_holds(const struct kernel *kernel, const struct release *release)
{
	return kernel->target == release->target && kernel->first <= release->place && release->place <= kernel->last;
}

const struct kernel *kernel_on(const struct overload *op, const struct release *release, bool aten)
{
	const struct kernel *nearest = NULL;
	int best = 0;

	for (const struct kernel *kernel = op->kernels; kernel; kernel = kernel->next) {
		int near = kernel_holds(kernel, release) ? nearness(kernel, release, aten) : 0;

		if (near > best) {
			nearest = kernel;
			best = near;
		}
	}
	return nearest;
}

bool is_patched_in(const struct overload *op, const struct release *release)
{
	for (const struct kernel *kernel = op->kernels; kernel; kernel = kernel->next) {
		if (kernel->key == KEY_SCHEMA_ONLY && kernel_holds(kernel, release))
			return true;
	}
	return false;
}

bool overload_exists(const struct overload *op, const struct release *release, bool aten)
{
	return torch_fact_at(op, release->torch_place) || kernel_on(op, release, aten) || is_patched_in(op, release);
}
