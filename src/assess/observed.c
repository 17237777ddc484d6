#include "assess/observed.h"

#include "assess/compare/agree.h"
#include "assess/model/origin.h"

/* Also those operators that only a message of the log names. */
struct observed_name {
	struct str name;
	struct result_observed observed;
};

static void put_operators(const struct observing *all, const struct sightings *sightings)
{
	for (size_t i = 0; i < all->result->operator_count; i++) {
		struct result_operator *op = &all->result->operators[i];
		const struct sighting *sighting = &sightings->items[all->order[i]];

		sighting_describe(&all->result->arena, sighting, op->calls, op->self_device_ns, &op->observed);
		findings_of_sighting(&all->result->arena, all->findings, sightings, sighting, op);
	}
}

static struct observed_name *put_names(const struct observing *all, const struct sightings *sightings)
{
	struct arena *arena = &all->result->arena;
	struct observed_name *names = arena_alloc(all->scratch, (sightings->name_count + 1) * sizeof(names[0]));

	for (size_t i = 0; i < sightings->name_count; i++) {
		const struct sighted_name *sighted = &sightings->names[i];
		struct result_operator op = { .name = arena_keep(arena, sighted->name) };

		names[i].name = op.name;
		sighting_describe(arena, &sighted->sighting, 0, 0, &names[i].observed);
		findings_of_sighting(arena, all->findings, sightings, &sighted->sighting, &op);
	}
	return names;
}

/* A verdict on a name that no table shows: whoever wrote the message called it. */
static int judge_names(const struct observing *all, const struct target *target, const struct observed_name *names,
	size_t count, struct agree_item *ret, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < count && !status; i++) {
		struct result_verdict *verdict = arena_alloc(&all->result->arena, sizeof(*verdict));
		struct judgement judgement;

		status = judge_name(&all->result->arena, all->resolver, target, names[i].name, STR(""),
			READING_EXPLICIT, verdict, &judgement, err);
		ret[i] = (struct agree_item){
			.name = names[i].name, .outcome = STR(""), .verdict = verdict, .observed = &names[i].observed
		};
	}
	return status;
}

static bool is_made_on(const struct result *result, const struct target *target)
{
	for (size_t i = 0; i < result->input_count; i++) {
		struct str release = result->inputs[i].device.release, plain;

		if (release.len && (str_eq(release, str_from(target->id)) ||
					   (str_cut(&release, ':', &plain) && str_eq(plain, target->release->id))))
			return true;
	}
	return false;
}

static int put_agreement(const struct observing *all, size_t index, const struct observed_name *names,
	size_t name_count, struct err *err)
{
	struct result *result = all->result;
	const struct target *target = &all->request->targets[index];
	size_t count = result->operator_count;
	struct agree_item *items = arena_alloc(all->scratch, (count + name_count + 1) * sizeof(items[0]));
	int status;

	for (size_t i = 0; i < count; i++) {
		const struct result_operator *op = &result->operators[i];

		items[i] = (struct agree_item){ .name = op->name,
			.outcome = STR(""),
			.verdict = &op->verdicts[index],
			.observed = &op->observed,
			.calls = op->calls,
			.self_device_ns = op->self_device_ns };
	}
	status = judge_names(all, target, names, name_count, &items[count], err);
	if (!status)
		agree(&result->arena, result->targets[index].id, is_made_on(result, target), items, count + name_count,
			&result->agreements[result->agreement_count++]);
	return status;
}

int observed_put(const struct observing *observing, struct err *err)
{
	const struct assess_request *request = observing->request;
	struct result *result = observing->result;
	struct sightings sightings;
	struct observed_name *names;
	int status = 0;

	sightings_gather(observing->scratch, request->profile, observing->operators, request->inputs,
		request->input_count, &sightings);
	if (sightings.device == DEVICE_UNKNOWN)
		return 0;
	put_operators(observing, &sightings);
	names = put_names(observing, &sightings);
	findings_of_kernels(&result->arena, observing->findings, &sightings);
	result->agreements = arena_alloc(&result->arena, (request->target_count + 1) * sizeof(result->agreements[0]));
	for (size_t i = 0; i < request->target_count && !status; i++) {
		struct str plugin = target_kind_name(request->targets[i].release->target);

		if (str_eq(plugin, str_from(device_kind_name(sightings.device))))
			status = put_agreement(observing, i, names, sightings.name_count, err);
	}
	return status;
}
