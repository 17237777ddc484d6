/* Costs in the JSON report, and read back from it. */
#include "assess/plan/cost.h"
#include "report/costs.h"
#include "report/load_pieces.h"
#include "report/pieces.h"

enum { US_PLACES = 3, SHARE_PLACES = 6, MS_PLACES = 6, SECOND_PLACES = 3 };

/* --- writing: targets */

static void put_fix(struct jsonw *json, const struct result_fix *fix)
{
	jsonw_object(json);
	jsonw_key_str(json, "kind", word_for(&fix_words, fix->kind));
	jsonw_key_str(json, "what", fix->what);
	jsonw_key_str(json, "effort", word_for(&effort_words, fix->effort));
	jsonw_key_number(json, "operator_count", (int64_t)fix->operator_total);
	jsonw_key(json, "operators");
	jsonw_list(json);
	for (size_t i = 0; i < fix->operator_count; i++)
		jsonw_str(json, fix->operators[i]);
	jsonw_list_end(json);
	json_put_interval(json, "readiness", fix->readiness);
	json_put_interval(json, "coverage", fix->coverage);
	jsonw_key_number(json, "blockers", (int64_t)fix->blockers);
	jsonw_object_end(json);
}

static void put_fixes(struct jsonw *json, const struct result_target *target)
{
	jsonw_key(json, "fixes");
	jsonw_list(json);
	for (size_t i = 0; i < target->fix_count; i++)
		put_fix(json, &target->fixes[i]);
	jsonw_list_end(json);
	jsonw_key_number(json, "fixes_left", (int64_t)target->fixes_left);
}

static void put_compiling(struct jsonw *json, const struct result_compiling *compiling)
{
	jsonw_key(json, "compiling");
	jsonw_object(json);
	jsonw_key_str(json, "mode", word_for(&compile_words, compiling->mode));
	jsonw_key_number(json, "operators", (int64_t)compiling->operators);
	jsonw_key_number(json, "compiles", (int64_t)compiling->compiles);
	jsonw_key_number(json, "first_step", (int64_t)compiling->first);
	jsonw_key_bool(json, "at_least", compiling->at_least);
	jsonw_key(json, "stall_s");
	jsonw_object(json);
	jsonw_key_decimal(json, "lo", compiling->stall_lo_ms, SECOND_PLACES);
	jsonw_key_decimal(json, "hi", compiling->stall_hi_ms, SECOND_PLACES);
	jsonw_object_end(json);
	jsonw_key(json, "assumed_s");
	jsonw_object(json);
	jsonw_key_decimal(json, "lo", COMPILE_LO_MS, SECOND_PLACES);
	jsonw_key_decimal(json, "hi", COMPILE_HI_MS, SECOND_PLACES);
	jsonw_key(json, "sources");
	jsonw_list(json);
	for (size_t i = 0; i < sizeof(penalty_sources) / sizeof(penalty_sources[0]); i++)
		jsonw_str(json, str_from(penalty_sources[i]));
	jsonw_list_end(json);
	jsonw_object_end(json);
	jsonw_object_end(json);
}

static void put_crossing(struct jsonw *json, const struct result_crossing *item)
{
	jsonw_object(json);
	jsonw_key_str(json, "operator", item->operator_name);
	jsonw_key_number(json, "calls", (int64_t)item->calls);
	jsonw_key_number(json, "bytes_to_host", (int64_t)item->bytes_to_host);
	jsonw_key_number(json, "bytes_to_device", (int64_t)item->bytes_to_device);
	jsonw_key_decimal(json, "copy_us", item->copy_ns, US_PLACES);
	jsonw_key_decimal(json, "host_us", item->host_ns, US_PLACES);
	jsonw_object_end(json);
}

static void put_runs(struct jsonw *json, const struct result_fallback *crossings)
{
	jsonw_key(json, "crossings_per_step");
	jsonw_object(json);
	jsonw_key_number(json, "lo", (int64_t)crossings->runs_lo);
	jsonw_key_number(json, "hi", (int64_t)crossings->runs_hi);
	jsonw_key_bool(json, "ordered", crossings->ordered);
	jsonw_object_end(json);
	if (!crossings->longest.runs)
		return;
	jsonw_key(json, "longest");
	jsonw_object(json);
	jsonw_key_number(json, "crossings", (int64_t)crossings->longest.runs);
	jsonw_key_number(json, "operators", (int64_t)crossings->longest.turns);
	jsonw_key_str(json, "first", crossings->longest.first);
	jsonw_key_str(json, "last", crossings->longest.last);
	jsonw_object_end(json);
}

static void put_crossings(struct jsonw *json, const struct result_fallback *crossings, uint64_t steps)
{
	jsonw_key(json, "fallback_cost");
	jsonw_object(json);
	jsonw_key_number(json, "calls", (int64_t)crossings->calls);
	jsonw_key_number(json, "bytes_to_host", (int64_t)crossings->bytes_to_host);
	jsonw_key_number(json, "bytes_to_device", (int64_t)crossings->bytes_to_device);
	jsonw_key_number(json, "assumed_bytes", (int64_t)crossings->assumed_bytes);
	jsonw_key_number(json, "unsized_calls", (int64_t)crossings->unsized_calls);
	jsonw_key_decimal(json, "copy_us", crossings->copy_ns, US_PLACES);
	jsonw_key_decimal(json, "host_us", crossings->host_ns, US_PLACES);
	jsonw_key_bool(json, "host_known", crossings->host_known);
	jsonw_key_decimal(json, "ms_per_step", (crossings->copy_ns + crossings->host_ns) / (int64_t)steps, MS_PLACES);
	put_runs(json, crossings);
	jsonw_key(json, "operators");
	jsonw_list(json);
	for (size_t i = 0; i < crossings->item_count; i++)
		put_crossing(json, &crossings->items[i]);
	jsonw_list_end(json);
	jsonw_object_end(json);
}

void json_put_target_costs(struct jsonw *json, const struct result_target *target, const struct result *result)
{
	put_fixes(json, target);
	if (target->compiling)
		put_compiling(json, target->compiling);
	if (target->crossings)
		put_crossings(json, target->crossings, result->cost.steps);
}

/* --- writing: the report */

static void put_place_target(struct jsonw *json, const struct result_place_target *target)
{
	jsonw_object(json);
	json_put_interval(json, "device", (struct result_interval){ target->device_lo_ppm, target->device_hi_ppm });
	jsonw_key_decimal(json, "fallback", target->fallback_ppm, SHARE_PLACES);
	jsonw_key_decimal(json, "blocked", target->blocked_ppm, SHARE_PLACES);
	jsonw_key_decimal(json, "unknown", target->unknown_ppm, SHARE_PLACES);
	jsonw_key_number(json, "blockers", (int64_t)target->blockers);
	jsonw_object_end(json);
}

static void put_place(struct jsonw *json, const struct result_place *place, const struct result *result)
{
	jsonw_object(json);
	jsonw_key_str(json, "path", place->path);
	jsonw_key_number(json, "depth", place->depth);
	jsonw_key_number(json, "calls", (int64_t)place->calls);
	jsonw_key_number(json, "operators", (int64_t)place->operators);
	jsonw_key_decimal(json, "time_share", place->share_ppm, SHARE_PLACES);
	jsonw_key(json, "targets");
	jsonw_object(json);
	for (size_t i = 0; i < result->target_count; i++) {
		jsonw_key_view(json, result->targets[i].id);
		put_place_target(json, &place->targets[i]);
	}
	jsonw_object_end(json);
	jsonw_object_end(json);
}

void json_put_costs(struct jsonw *json, const struct result *result)
{
	const struct result_cost *cost = &result->cost;

	jsonw_key(json, "cost");
	jsonw_object(json);
	jsonw_key_number(json, "steps", (int64_t)cost->steps);
	jsonw_key_decimal(json, "step_us", cost->step_ns, US_PLACES);
	jsonw_key_number(json, "host_bandwidth", (int64_t)cost->host_bandwidth);
	jsonw_key_decimal(json, "host_slowdown", (int64_t)cost->host_slowdown_milli, 3);
	if (cost->graphs_known)
		jsonw_key_number(json, "graphs", (int64_t)cost->graphs);
	jsonw_object_end(json);
	if (result->places.kind == PLACES_NONE)
		return;
	jsonw_key_str(json, "modules_by", word_for(&place_words, result->places.kind));
	jsonw_key_number(json, "calls_placed_nowhere", (int64_t)result->places.left_out);
	jsonw_key(json, "modules");
	jsonw_list(json);
	for (size_t i = 0; i < result->places.count; i++)
		put_place(json, &result->places.items[i], result);
	jsonw_list_end(json);
}

/* --- reading */

static struct result_interval load_interval(struct loader *loader, const cJSON *object, const char *key)
{
	const cJSON *interval = value_member(loader, object, key);

	return (struct result_interval){ value_share(loader, interval, "lo"), value_share(loader, interval, "hi") };
}

static void load_name(struct loader *loader, const cJSON *value, struct str *ret)
{
	*ret = value_text_of(loader, value, "operators");
}

static void load_fix(struct loader *loader, const cJSON *object, struct result_fix *ret)
{
	ret->kind = value_enum(loader, object, "kind", &fix_words);
	ret->what = value_text(loader, object, "what");
	ret->effort = value_enum(loader, object, "effort", &effort_words);
	ret->operator_total = value_count(loader, object, "operator_count");
	LOAD_LIST(loader, object, "operators", ret->operators, ret->operator_count, load_name);
	ret->readiness = load_interval(loader, object, "readiness");
	ret->coverage = load_interval(loader, object, "coverage");
	ret->blockers = value_count(loader, object, "blockers");
}

/* Thousandths of a number with three decimals, as of microseconds. */
static int64_t load_milli(struct loader *loader, const cJSON *object, const char *key)
{
	return value_us(loader, object, key);
}

static void load_compiling(struct loader *loader, const cJSON *object, struct result_compiling *ret)
{
	const cJSON *stall = value_member(loader, object, "stall_s");

	ret->mode = value_enum(loader, object, "mode", &compile_words);
	ret->operators = value_count(loader, object, "operators");
	ret->compiles = value_count(loader, object, "compiles");
	ret->first = value_count(loader, object, "first_step");
	ret->at_least = value_bool(loader, object, "at_least");
	ret->stall_lo_ms = load_milli(loader, stall, "lo");
	ret->stall_hi_ms = load_milli(loader, stall, "hi");
}

static void load_crossing(struct loader *loader, const cJSON *object, struct result_crossing *ret)
{
	ret->operator_name = value_text(loader, object, "operator");
	ret->calls = value_count(loader, object, "calls");
	ret->bytes_to_host = value_count(loader, object, "bytes_to_host");
	ret->bytes_to_device = value_count(loader, object, "bytes_to_device");
	ret->copy_ns = value_us(loader, object, "copy_us");
	ret->host_ns = value_us(loader, object, "host_us");
}

static void load_runs(struct loader *loader, const cJSON *object, struct result_fallback *ret)
{
	const cJSON *runs = value_member(loader, object, "crossings_per_step");
	const cJSON *longest = cJSON_GetObjectItemCaseSensitive(object, "longest");

	ret->runs_lo = value_count(loader, runs, "lo");
	ret->runs_hi = value_count(loader, runs, "hi");
	ret->ordered = value_bool(loader, runs, "ordered");
	ret->longest = (struct result_chain){ .first = STR(""), .last = STR("") };
	if (!longest)
		return;
	ret->longest.runs = value_count(loader, longest, "crossings");
	ret->longest.turns = value_count(loader, longest, "operators");
	ret->longest.first = value_text(loader, longest, "first");
	ret->longest.last = value_text(loader, longest, "last");
}

static void load_crossings(struct loader *loader, const cJSON *object, struct result_fallback *ret)
{
	ret->calls = value_count(loader, object, "calls");
	ret->bytes_to_host = value_count(loader, object, "bytes_to_host");
	ret->bytes_to_device = value_count(loader, object, "bytes_to_device");
	ret->assumed_bytes = value_count(loader, object, "assumed_bytes");
	ret->unsized_calls = value_count(loader, object, "unsized_calls");
	ret->copy_ns = value_us(loader, object, "copy_us");
	ret->host_ns = value_us(loader, object, "host_us");
	ret->host_known = value_bool(loader, object, "host_known");
	load_runs(loader, object, ret);
	LOAD_LIST(loader, object, "operators", ret->items, ret->item_count, load_crossing);
}

void load_target_costs(struct loader *loader, const cJSON *object, struct result_target *ret)
{
	const cJSON *compiling = cJSON_GetObjectItemCaseSensitive(object, "compiling");
	const cJSON *crossings = cJSON_GetObjectItemCaseSensitive(object, "fallback_cost");

	if (cJSON_HasObjectItem(object, "fixes")) {
		LOAD_LIST(loader, object, "fixes", ret->fixes, ret->fix_count, load_fix);
		ret->fixes_left = value_count(loader, object, "fixes_left");
	}
	if (compiling) {
		ret->compiling = arena_alloc(loader->arena, sizeof(*ret->compiling));
		load_compiling(loader, compiling, ret->compiling);
	}
	if (crossings) {
		ret->crossings = arena_alloc(loader->arena, sizeof(*ret->crossings));
		load_crossings(loader, crossings, ret->crossings);
	}
}

static void load_place_target(struct loader *loader, const cJSON *object, struct result_place_target *ret)
{
	struct result_interval device = load_interval(loader, object, "device");

	ret->device_lo_ppm = device.lo_ppm;
	ret->device_hi_ppm = device.hi_ppm;
	ret->fallback_ppm = value_share(loader, object, "fallback");
	ret->blocked_ppm = value_share(loader, object, "blocked");
	ret->unknown_ppm = value_share(loader, object, "unknown");
	ret->blockers = value_count(loader, object, "blockers");
}

/* The targets of a place are those of the report, in its order. */
static void load_place(
	struct loader *loader, const cJSON *object, const struct result *result, struct result_place *ret)
{
	const cJSON *child;
	size_t count;

	ret->path = value_text(loader, object, "path");
	ret->depth = value_place(loader, object, "depth");
	ret->calls = value_count(loader, object, "calls");
	ret->operators = value_count(loader, object, "operators");
	ret->share_ppm = value_share(loader, object, "time_share");
	ret->targets = value_list(loader, object, "targets", true, sizeof(ret->targets[0]), &count, &child);
	if (count != result->target_count)
		value_missing(loader, "modules");
	for (size_t i = 0; i < count && !loader->missing; i++, child = child->next) {
		if (!str_eq(value_line_of(loader, child->string, "targets"), result->targets[i].id))
			value_missing(loader, "modules");
		load_place_target(loader, child, &ret->targets[i]);
	}
}

static void load_places(struct loader *loader, const cJSON *root, struct result *ret)
{
	const cJSON *child;

	ret->places.kind = value_enum(loader, root, "modules_by", &place_words);
	ret->places.left_out = value_count(loader, root, "calls_placed_nowhere");
	ret->places.items = value_list(
		loader, root, "modules", false, sizeof(ret->places.items[0]), &ret->places.count, &child);
	for (size_t i = 0; i < ret->places.count && !loader->missing; i++, child = child->next)
		load_place(loader, child, ret, &ret->places.items[i]);
}

void load_costs(struct loader *loader, const cJSON *root, struct result *ret)
{
	const cJSON *cost = cJSON_GetObjectItemCaseSensitive(root, "cost");

	ret->cost.steps = 1;
	if (cost) {
		ret->cost.steps = value_count(loader, cost, "steps");
		ret->cost.step_ns = value_us(loader, cost, "step_us");
		ret->cost.host_bandwidth = value_count(loader, cost, "host_bandwidth");
		ret->cost.host_slowdown_milli = (uint64_t)load_milli(loader, cost, "host_slowdown");
		ret->cost.graphs_known = cJSON_HasObjectItem(cost, "graphs");
		ret->cost.graphs = ret->cost.graphs_known ? value_count(loader, cost, "graphs") : 0;
		if (!ret->cost.steps || (int64_t)ret->cost.host_slowdown_milli < 0)
			value_missing(loader, "cost");
	}
	if (cJSON_HasObjectItem(root, "modules"))
		load_places(loader, root, ret);
}
