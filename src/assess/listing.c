#include "assess/listing.h"

#include <stdlib.h>

#include "assess/assess.h"
#include "assess/judge/readiness.h"
#include "assess/model/operators.h"
#include "assess/shape/use_bytes.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "op/profile_links.h"
#include "op/shape.h"

/* The links of one operator that hold for most calls. */
struct most_called {
	const struct op_link *links[CALLERS_LISTED];
	size_t count;
};

struct gathering {
	const struct profile_name *names;
	struct map by_name; /* recorded names of operators: positions in owners */
	MEM_LIST(struct owner {
		struct str name;
		size_t op;
	})
	owners;
	struct most_called *modules, *lines; /* of each operator */
};

static void index_names(struct gathering *gathering, const struct profile *profile, const struct operators *operators)
{
	size_t count;
	const struct profile_use *uses = profile_uses(profile, &count);

	gathering->names = profile_names(profile, &count);
	for (size_t i = 0; i < operators->count; i++) {
		const struct op *op = &operators->items[i];
		uint32_t last = UINT32_MAX;

		for (size_t j = 0; j < op->use_count; j++) {
			uint32_t name = uses[op->uses[j]].name;
			struct owner owner = { gathering->names[name].text, i };

			if (name == last)
				continue;
			last = name;
			map_add_name(&gathering->by_name, owner.name, (uint32_t)gathering->owners.count);
			MEM_PUSH(&gathering->owners, owner);
		}
	}
}

/* Links come in the byte order of their places, which decides among equals. */
static void offer(struct most_called *list, const struct op_link *link)
{
	size_t at = list->count;

	for (size_t i = 0; i < list->count; i++) {
		if (str_eq(list->links[i]->other, link->other))
			return;
	}
	while (at && list->links[at - 1]->calls < link->calls)
		at--;
	if (at == CALLERS_LISTED)
		return;
	list->count += list->count < CALLERS_LISTED;
	memmove(&list->links[at + 1], &list->links[at], (list->count - at - 1) * sizeof(list->links[0]));
	list->links[at] = link;
}

static void gather_links(
	struct gathering *gathering, const struct op_link *links, size_t count, struct most_called *lists)
{
	uint32_t owner = MAP_NONE;

	for (size_t i = 0; i < count; i++) {
		if (!i || !str_eq(links[i].name, links[i - 1].name))
			owner = MAP_FIND(&gathering->by_name, gathering->owners.items, links[i].name);
		if (owner != MAP_NONE)
			offer(&lists[gathering->owners.items[owner].op], &links[i]);
	}
}

static struct str *texts_of(struct arena *arena, const struct most_called *list, size_t *ret_count)
{
	struct str *texts = arena_alloc(arena, list->count * sizeof(texts[0]));

	for (size_t i = 0; i < list->count; i++)
		texts[i] = arena_keep(arena, list->links[i]->other);
	*ret_count = list->count;
	return texts;
}

/* Fills in where in the program results are called from, which are the operators in that order: what a report keeps of
   modules and stacks. Texts live in arena. */
static void callers_put(struct arena *arena, const struct profile *profile, const struct operators *operators,
	const size_t *order, struct result_operator *results)
{
	size_t module_count, line_count;
	const struct op_link *modules = profile_links(profile, RELATION_MODULE, &module_count);
	const struct op_link *lines = profile_links(profile, RELATION_SOURCE, &line_count);
	struct gathering gathering = { 0 };

	if (!module_count && !line_count)
		return;
	index_names(&gathering, profile, operators);
	gathering.modules = mem_zalloc((operators->count + 1) * sizeof(gathering.modules[0]));
	gathering.lines = mem_zalloc((operators->count + 1) * sizeof(gathering.lines[0]));
	gather_links(&gathering, modules, module_count, gathering.modules);
	gather_links(&gathering, lines, line_count, gathering.lines);
	for (size_t i = 0; i < operators->count; i++) {
		const struct most_called *of_modules = &gathering.modules[order[i]],
					 *of_lines = &gathering.lines[order[i]];
		struct result_callers *callers;

		if (!of_modules->count && !of_lines->count)
			continue;
		callers = arena_alloc(arena, sizeof(*callers));
		callers->modules = texts_of(arena, of_modules, &callers->module_count);
		callers->lines = texts_of(arena, of_lines, &callers->line_count);
		results[i].callers = callers;
	}
	free(gathering.modules);
	free(gathering.lines);
	free(gathering.owners.items);
	map_clear(&gathering.by_name);
}

static int by_share(const void *a, const void *b, void *ctx)
{
	const struct op *items = ctx;
	const struct op *left = &items[*(const size_t *)a], *right = &items[*(const size_t *)b];

	return ORDER(right->weight, left->weight) ?: str_cmp(left->name, right->name);
}

void assessment_sort(struct assessment *work)
{
	work->order = arena_alloc(&work->scratch, (work->operators.count + 1) * sizeof(work->order[0]));
	for (size_t i = 0; i < work->operators.count; i++)
		work->order[i] = i;
	qsort_r(work->order, work->operators.count, sizeof(work->order[0]), by_share, work->operators.items);
}

/* A copy, or the one of before: there are many shapes, most of the same types and overload. */
static struct str keep_again(struct arena *arena, struct str text, struct str before)
{
	return str_eq(text, before) ? before : arena_keep(arena, text);
}

static struct result_shape shape_of(
	struct assessment *work, const struct profile_use *use, const struct result_shape *before)
{
	CLEANUP(buf_clear) struct buf dims = BUF_UNLIMITED;
	CLEANUP(buf_clear) struct buf dtypes = BUF_UNLIMITED;
	const struct step_run *runs = step_runs_items(&use->steps);
	struct result_shape shape = { .calls = use->calls, .cut = use->shapes_cut, .step_count = use->steps.count };

	shape_put_json(&dims, use->shapes);
	use_put_types(&dtypes, use);
	shape.dims = arena_keep(work->arena, buf_str(&dims));
	shape.dtypes = keep_again(work->arena, buf_str(&dtypes), before->dtypes);
	shape.overload = keep_again(work->arena, use->overload, before->overload);
	shape.steps = arena_alloc(work->arena, (shape.step_count + 1) * sizeof(shape.steps[0]));
	for (size_t i = 0; i < shape.step_count; i++)
		shape.steps[i] = (struct result_runs){ runs[i].first, runs[i].last };
	return shape;
}

static int by_calls(const struct profile_use *left, const struct profile_use *right)
{
	return ORDER(right->calls, left->calls) ?:
	       str_cmp(left->shapes, right->shapes) ?:
	       str_cmp(left->overload, right->overload) ?:
	       str_cmp(left->dtypes, right->dtypes) ?:
	       ORDER(left->stream, right->stream);
}

/* Puts a use into the list of those most often called, which is in order. */
static void keep_most_called(struct listed_uses *list, size_t most, const struct profile_use *use)
{
	size_t at;

	if (list->count == most && by_calls(use, list->items[most - 1]) >= 0)
		return;
	at = BISECT(i, list->count, by_calls(use, list->items[i]) < 0);
	list->count += list->count < most;
	memmove(&list->items[at + 1], &list->items[at], (list->count - at - 1) * sizeof(list->items[0]));
	list->items[at] = use;
}

/* The shapes most often called first; a report lists so many, and counts all. */
void assessment_choose_shapes(struct assessment *work)
{
	size_t use_count, limit = work->request->limits->listed_shapes;
	const struct profile_use *uses = profile_uses(work->request->profile, &use_count);

	work->listed = arena_alloc(&work->listed_arena, (work->operators.count + 1) * sizeof(work->listed[0]));
	for (size_t i = 0; i < work->operators.count; i++) {
		const struct op *op = &work->operators.items[i];
		struct listed_uses *listed = &work->listed[i];
		size_t most = op->use_count < limit ? op->use_count : limit;

		listed->items = arena_alloc(&work->listed_arena, most * sizeof(listed->items[0]));
		for (size_t at = 0; at < op->use_count; at++) {
			const struct profile_use *use = &uses[op->uses[at]];

			op_fetch_ahead(op, uses, at);
			if (!use->calls || !(use->shapes.len || use->overload.len))
				continue;
			listed->total++;
			keep_most_called(listed, most, use);
		}
	}
}

/* The record of the calls with the first shapes, for a reproduction. */
static void put_arguments(struct assessment *work, const struct profile_use *const *uses, struct result_operator *ret)
{
	enum { ARGUMENTS_LISTED = 3 };
	size_t count = ret->shape_count < ARGUMENTS_LISTED ? ret->shape_count : ARGUMENTS_LISTED;

	while (count && !use_concrete(uses[count - 1]).len)
		count--;
	if (count)
		ret->arguments = arena_alloc(work->arena, count * sizeof(ret->arguments[0]));
	while (ret->argument_count < count) {
		ret->arguments[ret->argument_count] = arena_keep(work->arena, use_concrete(uses[ret->argument_count]));
		ret->argument_count++;
	}
}

static void put_shapes(struct assessment *work, const struct listed_uses *listed, struct result_operator *ret)
{
	static const struct result_shape none = { .dtypes = STR(""), .overload = STR("") };

	ret->shape_total = listed->total;
	ret->shapes = arena_alloc(work->arena, listed->count * sizeof(ret->shapes[0]));
	while (ret->shape_count < listed->count) {
		size_t at = ret->shape_count++;

		ret->shapes[at] = shape_of(work, listed->items[at], at ? &ret->shapes[at - 1] : &none);
	}
	put_arguments(work, listed->items, ret);
}

/* The operators in their order, and room for their verdicts. */
void assessment_list_operators(struct assessment *work)
{
	struct result *result = work->result;

	result->operators = arena_alloc(work->arena, work->operators.count * sizeof(result->operators[0]));
	result->operator_count = work->operators.count;
	for (size_t i = 0; i < work->operators.count; i++) {
		const struct op *op = &work->operators.items[work->order[i]];
		struct result_operator *ret = &result->operators[i];

		*ret = (struct result_operator){ .name = arena_keep(work->arena, op->name),
			.calls = op->calls,
			.self_cpu_ns = op->self_cpu_ns,
			.cpu_total_ns = op->cpu_total_ns,
			.self_device_ns = op->self_device_ns,
			.share_ppm = share_ppm(op->weight, work->weights.whole) };
		ret->first_seen = capture_first_seen(
			work->arena, work->request->inputs, work->request->input_count, op);
		ret->verdicts = arena_alloc(work->arena, work->request->target_count * sizeof(ret->verdicts[0]));
		ret->verdict_count = work->request->target_count;
	}
	callers_put(work->arena, work->request->profile, &work->operators, work->order, result->operators);
}

void assessment_list_shapes(struct assessment *work)
{
	for (size_t i = 0; i < work->operators.count; i++) {
		struct result_operator *ret = &work->result->operators[i];

		ret->dynamic = work->dynamic[work->order[i]];
		ret->dynamic.follows = arena_keep(work->arena, ret->dynamic.follows);
		put_shapes(work, &work->listed[work->order[i]], ret);
		if (!work->judge.host_work[work->order[i]])
			findings_of_shapes(&work->findings, ret);
	}
	findings_of_types(&work->findings, work->result, &work->call_facts, work->order);
}

void assessment_list_ignored(struct assessment *work)
{
	struct result *result = work->result;

	result->ignored_count = work->operators.ignored_count;
	result->ignored = arena_alloc(work->arena, (result->ignored_count + 1) * sizeof(result->ignored[0]));
	for (size_t i = 0; i < result->ignored_count; i++) {
		result->ignored[i] = work->operators.ignored[i];
		result->ignored[i].name = arena_keep(work->arena, result->ignored[i].name);
	}
}
