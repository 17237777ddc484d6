#include "opdb/calls.h"

#include "base/buf.h"
#include "base/mem.h"
#include "opdb/prove.h"
#include "opdb/row.h"

static const struct str target_names[TARGET_COUNT] = { STR("npu"), STR("musa") };

static int out_of_memory(struct err *err)
{
	return err_set(err, ERR_LIMIT, "the answers take too much memory");
}

static bool has_word(struct str words, struct str word)
{
	struct str one = { 0 };

	while (words.len && str_cut(&words, ' ', &one)) {
		if (str_eq(one, word))
			return true;
	}
	return false;
}

/* --- composite bodies */

static struct str calls_of(const struct name_facts *name, struct str op)
{
	for (const struct leaf *leaf = name->leaves; leaf; leaf = leaf->next) {
		if (str_eq(leaf->op, op))
			return leaf->calls;
	}
	return STR("");
}

static bool calls_base(struct str calls, struct str base)
{
	struct str call = { 0 };

	while (calls.len && str_cut(&calls, ' ', &call)) {
		if (str_eq(base_of(call), base))
			return true;
	}
	return false;
}

/* Whether the overload is one that may be meant and runs a composite body. */
static bool is_meant(const struct overload_answer *answer, struct str base, struct str overload)
{
	struct str rest = str_skip(answer->name, base.len);

	if (overload.len && !(rest.len && str_eq(str_skip(rest, 1), overload)))
		return false;
	return answer->status == OP_COMPOSITE && (overload.len || !answer->aside);
}

/* Whether all overloads that may be meant call the operator of this base. */
static bool all_call(const struct name_facts *name, const struct answer *answer, struct str overload, struct str base)
{
	for (size_t i = 0; i < answer->overload_count; i++) {
		const struct overload_answer *one = &answer->overloads[i];

		if (is_meant(one, name->base, overload) && !calls_base(calls_of(name, one->name), base))
			return false;
	}
	return true;
}

/* The first overload that may be meant says what there is to ask of the others. */
static void add_calls(const struct name_facts *name, const struct answer *answer, struct str overload, struct buf *ret)
{
	struct str calls = STR(""), call = { 0 };

	for (size_t i = 0; i < answer->overload_count && !calls.len; i++) {
		if (is_meant(&answer->overloads[i], name->base, overload))
			calls = calls_of(name, answer->overloads[i].name);
	}
	while (calls.len && str_cut(&calls, ' ', &call)) {
		struct str base = base_of(call);

		if (str_eq(base, name->base) || has_word(buf_str(ret), base) || !all_call(name, answer, overload, base))
			continue;
		buf_printf(ret, "%s%.*s", ret->len ? " " : "", STR_ARG(base));
	}
}

int resolve_calls(struct resolver *resolver, const struct target *target, struct str ns, struct str base,
	struct str overload, struct str *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	const struct name_facts *name;
	struct answer answer;
	int code = resolve_base(resolver, target, ns, base, STR(""), READING_REACHED, &answer, err);

	*ret = STR("");
	if (!code)
		code = facts_get(&resolver->facts, ns, base, &name, err);
	if (code || answer.status != OP_COMPOSITE)
		return code;
	add_calls(name, &answer, overload, &text);
	return arena_copy(&resolver->arena, buf_str(&text), ret) ? 0 : out_of_memory(err);
}

/* --- gradients */

static unsigned distance(const struct gradient *gradient, unsigned place)
{
	if (place < gradient->first)
		return gradient->first - place;
	return place > gradient->last ? place - gradient->last : 0;
}

/* A plugin that registers its own gradient has its own formula, which nobody read. */
static bool has_own_gradient(const struct name_facts *name, const struct release *release)
{
	for (const struct overload *op = name->overloads; op; op = op->next) {
		for (const struct kernel *kernel = op->kernels; kernel; kernel = kernel->next) {
			bool autograd = kernel->key == KEY_AUTOGRAD_PRIVATEUSE1 || kernel->key == KEY_AUTOGRAD_XLA;

			if (autograd && kernel_holds(kernel, release))
				return true;
		}
	}
	return false;
}

int resolve_gradient(struct resolver *resolver, const struct target *target, struct str ns, struct str base,
	struct gradient_answer *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	unsigned place = target->release->torch_place, nearest = UINT32_MAX;
	const struct name_facts *name;
	int code = facts_get(&resolver->facts, ns, base, &name, err);

	*ret = (struct gradient_answer){ .calls = STR("") };
	if (code || has_own_gradient(name, target->release))
		return code;
	for (const struct gradient *at = name->gradients; at; at = at->next)
		nearest = distance(at, place) < nearest ? distance(at, place) : nearest;
	for (const struct gradient *at = name->gradients; at; at = at->next) {
		struct str calls = at->calls, call = { 0 };

		if (distance(at, place) != nearest)
			continue;
		ret->known = true;
		while (calls.len && str_cut(&calls, ' ', &call)) {
			if (!has_word(buf_str(&text), call))
				buf_printf(&text, "%s%.*s", text.len ? " " : "", STR_ARG(call));
		}
	}
	return arena_copy(&resolver->arena, buf_str(&text), &ret->calls) ? 0 : out_of_memory(err);
}

void gradient_load(struct name_facts *name, struct row *row)
{
	struct gradient *gradient = arena_alloc(row->arena, sizeof(*gradient));

	if (!gradient) {
		row->full = true;
		return;
	}
	gradient->first = row_number(row, row->db->torch.count);
	gradient->last = row_number(row, row->db->torch.count);
	gradient->calls = row_text(row);
	gradient->next = name->gradients;
	name->gradients = gradient;
}

/* --- rules */

static unsigned needs_from(struct str words, struct row *row)
{
	static const struct str known[] = { STR("backward"), STR("optimizer"), STR("fp16") };
	struct str word = { 0 };
	unsigned needs = 0;

	while (words.len && str_cut(&words, ' ', &word)) {
		size_t i = 0;

		while (i < ARRAY_SIZE(known) && !str_eq(known[i], word))
			i++;
		if (i == ARRAY_SIZE(known))
			row->damaged = true;
		needs |= 1u << i;
	}
	return needs;
}

void implied_load(struct opdb *db, struct row *row)
{
	struct implied_rule rule = { .name = row_text(row), .seen = row_text(row) };

	rule.needs = needs_from(row_text(row), row);
	rule.target = row_word(row, target_names, TARGET_COUNT);
	rule.torch_from = row_number(row, db->torch.count);
	rule.calls = row_text(row);
	rule.source = row_id(row, db->sources.count);
	MEM_PUSH(&db->implied, rule);
}

const struct implied_rule *opdb_implied(const struct opdb *db, size_t *ret_count)
{
	*ret_count = db->implied.count;
	return db->implied.items;
}
