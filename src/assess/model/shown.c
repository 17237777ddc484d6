#include "assess/model/shown.h"

#include "base/value/figure.h"

struct result_device_time shown_device_time(
	const struct assess_input *input, const struct profile *profile, const struct operators *operators)
{
	const struct dump_device_time *pieces = &input->dump.device_time;
	struct profile_time rows = profile_dump(profile, input->place).device;
	int64_t lent_ns = input->place < operators->lent_count ? operators->lent_ns[input->place] : 0;

	/* labels of libraries lent their time to the operators they stand for; in a trace they lie in them already */
	lent_ns = lent_ns < rows.functions_ns ? lent_ns : rows.functions_ns;

	return (struct result_device_time){ .operators_ns = figure_add(
						    pieces->operators_ns, figure_add(rows.operators_ns, lent_ns)),
		.collectives_ns = figure_add(pieces->collectives_ns, rows.collectives_ns),
		.graphs_ns = pieces->graphs_ns,
		.unlinked_ns = figure_add(pieces->unlinked_ns, rows.others_ns > lent_ns ? rows.others_ns - lent_ns : 0),
		.compiled_ns = figure_add(pieces->compiled_ns, rows.compiled_ns),
		.functions_ns = figure_add(pieces->functions_ns, rows.functions_ns - lent_ns),
		.before_ns = pieces->before_ns,
		.missing_ns = rows.missing_ns };
}

struct result_host_time shown_host_time(const struct assess_input *input, const struct profile *profile)
{
	struct profile_time rows = profile_dump(profile, input->place).host;

	return (struct result_host_time){ rows.operators_ns, rows.missing_ns };
}

/* Returns whether its times are those of its run: another dump adds device times if the counted one has none. */
static bool times_count(const struct shown_request *request, size_t at)
{
	size_t counted_in = request->inputs[at].counted_in;
	struct result_device_time other;

	if (!counted_in)
		return true;
	other = shown_device_time(&request->inputs[counted_in - 1], request->profile, request->operators);
	return request->basis == BASIS_DEVICE_TIME && !other.operators_ns && !other.graphs_ns && !other.unlinked_ns &&
	       !other.missing_ns;
}

int64_t shown_uncovered(const struct shown_request *request)
{
	int64_t sum = 0;

	for (size_t i = 0; i < request->input_count && request->basis != BASIS_CALLS; i++) {
		const struct assess_input *input = &request->inputs[i];
		struct result_device_time device = shown_device_time(input, request->profile, request->operators);
		int64_t uncovered = request->basis == BASIS_CPU_TIME
					    ? shown_host_time(input, request->profile).missing_ns
					    : figure_add(figure_add(device.graphs_ns, device.unlinked_ns),
						      device.missing_ns);

		sum = figure_add(sum, times_count(request, i) ? uncovered : 0);
	}
	return sum;
}
