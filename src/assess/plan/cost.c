#include "assess/plan/cost.h"

#include <stdlib.h>

#include "assess/plan/fallback.h"
#include "assess/plan/penalty.h"
#include "assess/plan/places.h"
#include "assess/plan/whatif.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"

/* --- assumptions */

int cost_parse_bandwidth(struct str text, uint64_t *ret, struct err *err)
{
	static const struct {
		struct str unit;
		int64_t bytes;
	} units[] = { { STR("GB/s"), 1000000000 }, { STR("MB/s"), 1000000 } };
	int64_t rate;

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (str_ends(text, units[i].unit) &&
			decimal_scaled(str_trim(str_chop(text, units[i].unit.len)), units[i].bytes, &rate) &&
			rate > 0) {
			*ret = (uint64_t)rate;
			return 0;
		}
	}
	err_set(err, ERR_VALUE, "'%s' is not a bandwidth", shown(text).text);
	return err_hint(err, "for example --host-bandwidth 12GB/s");
}

int cost_parse_slowdown(struct str text, uint64_t *ret_milli, struct err *err)
{
	enum { MOST_MILLI = 1000000 };
	int64_t milli;

	if (decimal_scaled(text, 1000, &milli) && milli > 0 && milli <= MOST_MILLI) {
		*ret_milli = (uint64_t)milli;
		return 0;
	}
	err_set(err, ERR_VALUE, "'%s' is not a factor from 0.001 to 1000", shown(text).text);
	return err_hint(err, "for example --host-slowdown 1.5");
}

/* --- the parts */

int cost_add(const struct cost_request *given, struct result *result, struct err *err)
{
	struct cost_request request = *given;
	size_t stream_count;
	const struct profile_stream *streams = profile_streams(request.judge->profile, &stream_count);
	uint64_t steps = SUM(i, stream_count, streams[i].steps); /* of all ranks */
	bool times = request.weights->basis != BASIS_CALLS;
	struct fallback_cache *cache;
	int status = 0;

	if (!request.options.host_bandwidth)
		request.options.host_bandwidth = USUAL_BANDWIDTH;
	if (!request.options.host_slowdown_milli)
		request.options.host_slowdown_milli = USUAL_SLOWDOWN_MILLI;
	result->cost.host_bandwidth = request.options.host_bandwidth;
	result->cost.host_slowdown_milli = request.options.host_slowdown_milli;
	result->cost.steps = steps ? steps : 1;
	result->cost.step_ns = times ? request.weights->time_total / (int64_t)result->cost.steps : 0;
	result->cost.graphs_known = penalty_graphs(&request, &result->cost.graphs);
	cache = fallback_cache_new(&request, result->cost.steps);
	for (size_t i = 0; i < result->target_count; i++) {
		result->targets[i].compiling = penalty_of(&request, i, &result->arena);
		result->targets[i].host_transfers = fallback_of(cache, i, &result->arena);
	}
	places_add(&request, result);
	fallback_cache_free(cache);
	for (size_t i = 0; i < result->target_count && !status; i++) {
		status = whatif_plan(&request, i, result, err);
		arena_clear(request.judge->arena);
	}
	return status;
}
