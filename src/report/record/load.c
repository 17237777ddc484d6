#include "report/record/load.h"

#include "base/value/utf8.h"
#include "record/load.h"
#include "report/record/records.h"

/* --- what renderers rely on beyond the fields */

/* Renderers find the verdicts on an operator, and the figures of a place, by the place of the target. */
static void check_targets(struct loader *loader, const struct result *result)
{
	for (size_t i = 0; i < result->operator_count; i++) {
		const struct result_operator *op = &result->operators[i];

		if (op->verdict_count != result->target_count)
			loader_note(loader, "verdicts");
		for (size_t j = 0; j < result->target_count && !loader->missing; j++) {
			if (!str_eq(op->verdicts[j].target, result->targets[j].id))
				loader_note(loader, "verdicts");
		}
		if (op->first_seen && op->first_seen->input >= result->input_count)
			loader_note(loader, "first_seen");
	}
	for (size_t i = 0; i < result->places.count; i++) {
		const struct result_place *place = &result->places.items[i];

		if (place->target_count != result->target_count)
			loader_note(loader, "modules");
		for (size_t j = 0; j < result->target_count && !loader->missing; j++) {
			if (!str_eq(place->targets[j].target, result->targets[j].id))
				loader_note(loader, "modules");
		}
	}
}

static void check_figures(struct loader *loader, const struct result *result)
{
	if (!result->cost.steps || (int64_t)result->cost.host_slowdown_milli < 0)
		loader_note(loader, "cost");
	for (size_t i = 0; i < result->target_count; i++) {
		if (result->targets[i].count_count > OP_STATUS_COUNT)
			loader_note(loader, "counts");
	}
}

/* --- the report */

static int check_version(const cJSON *root, struct err *err)
{
	const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "schema_version");

	if (!cJSON_IsString(version)) {
		err_set(err, ERR_REPORT, "this is no report of opcheck");
		return err_hint(err, "make one with `opcheck check DUMP -f json`");
	}
	if (strncmp(version->valuestring, "1.", 2) != 0) {
		err_set(err, ERR_REPORT, "the report has another schema version than 1");
		return err_hint(err, "read it with the version of opcheck that wrote it");
	}
	return 0;
}

static int load_root(const cJSON *root, struct result **ret, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED); /* a few times the text, which the caller bounds */
	struct result *result;
	struct loader loader = { 0 };
	int status = check_version(root, err);

	if (status)
		return status;
	result = arena_alloc(&arena, sizeof(*result));
	result->arena = arena;
	loader.arena = &result->arena;
	result->shown_ppm = WHOLE_PPM;
	record_load(&loader, &report_record, root, result);
	if (!cJSON_HasObjectItem(root, "cost"))
		result->cost.steps = 1; /* what figures are divided by */
	check_targets(&loader, result);
	check_figures(&loader, result);
	if (loader.missing) {
		err_set(err, ERR_REPORT, "the report has no usable '%s'", loader.missing);
		result_free(result);
		return err_hint(err, "it was changed by hand or written by another program");
	}
	*ret = result;
	return 0;
}

static int no_json(size_t at, struct err *err)
{
	err_set(err, ERR_REPORT, "this is no JSON from byte %zu on", at);
	return err_hint(err, "hand in a report made with `opcheck check DUMP -f json`");
}

int report_load(struct str json, struct result **ret, struct err *err)
{
	const char *end = NULL;
	size_t bad_at;
	cJSON *root;
	int status;

	if (!utf8_valid(json, &bad_at))
		return no_json(bad_at, err);
	root = cJSON_ParseWithLengthOpts(json.ptr, json.len, &end, false);
	bad_at = end ? (size_t)(end - json.ptr) : 0;
	if (!root || str_trim(str_skip(json, bad_at)).len)
		status = no_json(bad_at, err);
	else
		status = load_root(root, ret, err);
	cJSON_Delete(root);
	return status;
}
