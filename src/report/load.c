#include "report/load.h"

#include <cjson/cJSON.h>
#include <math.h>


/* A walk over the document: the first thing missing stops it. */
struct loader {
	struct arena *arena;
	const char *missing; /* the key that was missing or of another type; NULL: all is well */
};

enum { THOUSAND = 1000, MILLION = 1000000 };

/* --- values */

static const cJSON *member(struct loader *loader, const cJSON *object, const char *key)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!value && !loader->missing)
		loader->missing = key;
	return value;
}

static struct str text_of(struct loader *loader, const cJSON *value, const char *key)
{
	if (!cJSON_IsString(value)) {
		if (!loader->missing)
			loader->missing = key;
		return STR("");
	}
	return arena_keep(loader->arena, str_from(value->valuestring));
}

static struct str text(struct loader *loader, const cJSON *object, const char *key)
{
	return text_of(loader, member(loader, object, key), key);
}

/* A number times scale, as the whole number that was printed. */
static int64_t scaled_of(struct loader *loader, const cJSON *value, const char *key, double scale)
{
	if (!cJSON_IsNumber(value) || fabs(value->valuedouble * scale) > 9e18) {
		if (!loader->missing)
			loader->missing = key;
		return 0;
	}
	return llround(value->valuedouble * scale);
}

static int64_t scaled(struct loader *loader, const cJSON *object, const char *key, double scale)
{
	return scaled_of(loader, member(loader, object, key), key, scale);
}

static int64_t number(struct loader *loader, const cJSON *object, const char *key)
{
	return scaled(loader, object, key, 1);
}

static bool boolean(struct loader *loader, const cJSON *object, const char *key)
{
	const cJSON *value = member(loader, object, key);

	if (!cJSON_IsBool(value) && !loader->missing)
		loader->missing = key;
	return cJSON_IsTrue(value);
}

/* A list of count items of the given size, to be filled one by one. */
static void *list(struct loader *loader, const cJSON *object, const char *key, size_t item_bytes, size_t *ret_count,
	const cJSON **ret_first)
{
	const cJSON *value = member(loader, object, key);

	*ret_count = 0;
	*ret_first = NULL;
	if (!cJSON_IsArray(value) && !cJSON_IsObject(value)) {
		if (!loader->missing)
			loader->missing = key;
		return NULL;
	}
	*ret_count = (size_t)cJSON_GetArraySize(value);
	*ret_first = value->child;
	return arena_alloc(loader->arena, (*ret_count + 1) * item_bytes);
}

/* Loads every element of a list by a function of (loader, element, target). */
#define LOAD_LIST(loader, object, key, items, count, load)                                                             \
	do {                                                                                                           \
		const cJSON *element;                                                                                  \
		size_t at = 0;                                                                                         \
		(items) = list(loader, object, key, sizeof((items)[0]), &(count), &element);                           \
		for (; element && at < (count); element = element->next)                                               \
			load(loader, element, &(items)[at++]);                                                         \
	} while (0)

/* --- pieces */

static void load_message(struct loader *loader, const cJSON *object, struct message *ret)
{
	const cJSON *params = cJSON_GetObjectItemCaseSensitive(object, "params"), *param;

	*ret = message_of(text(loader, object, "rule").ptr);
	cJSON_ArrayForEach(param, params)
	{
		if (ret->count == MESSAGE_PARAMS)
			break;
		message_add(ret, arena_keep(loader->arena, str_from(param->string)).ptr, text_of(loader, param, "params"));
	}
}

static void load_evidence(struct loader *loader, const cJSON *object, struct result_evidence *ret)
{
	ret->kind = text(loader, object, "kind");
	ret->ref = text(loader, object, "ref");
}

static void load_text(struct loader *loader, const cJSON *value, struct str *ret)
{
	*ret = text_of(loader, value, "flags");
}

/* --- inputs */

static void load_capture(struct loader *loader, const cJSON *object, struct result_capture *ret)
{
	ret->shapes = boolean(loader, object, "shapes");
	ret->dtypes = boolean(loader, object, "dtypes");
	ret->times = boolean(loader, object, "times");
	ret->device_times = boolean(loader, object, "device_times");
	ret->overloads = boolean(loader, object, "overloads");
	ret->row_limit_hit = boolean(loader, object, "row_limit_hit");
	ret->truncated_names = (uint64_t)number(loader, object, "truncated_names");
	ret->truncated_shapes = (uint64_t)number(loader, object, "truncated_shapes");
	LOAD_LIST(loader, object, "warnings", ret->warnings, ret->warning_count, load_message);
}

static void load_input(struct loader *loader, const cJSON *object, struct result_input *ret)
{
	ret->name = text(loader, object, "name");
	ret->sha256 = text(loader, object, "sha256");
	ret->bytes = (uint64_t)number(loader, object, "bytes");
	ret->compression = text(loader, object, "compression");
	ret->format = text(loader, object, "format");
	ret->encoding = text(loader, object, "encoding");
	ret->torch_era = text(loader, object, "torch_era");
	ret->steps = (uint64_t)number(loader, object, "steps");
	ret->tables = (uint64_t)number(loader, object, "tables");
	ret->ranks = (uint64_t)number(loader, object, "ranks");
	ret->rows = (uint64_t)number(loader, object, "rows");
	ret->skipped_lines = (uint64_t)number(loader, object, "skipped_lines");
	load_capture(loader, member(loader, object, "capture"), &ret->capture);
}

/* --- operators */

/* Sizes as compact JSON again. */
static struct str load_dims(struct loader *loader, const cJSON *object)
{
	const cJSON *dims = member(loader, object, "dims");
	char *printed = cJSON_IsArray(dims) ? cJSON_PrintUnformatted(dims) : NULL;
	struct str copy = printed ? arena_keep(loader->arena, str_from(printed)) : STR("");

	cJSON_free(printed);
	return copy;
}

static void load_runs(struct loader *loader, const cJSON *pair, struct result_runs *ret)
{
	ret->first = (uint32_t)scaled_of(loader, cJSON_GetArrayItem(pair, 0), "steps", 1);
	ret->last = (uint32_t)scaled_of(loader, cJSON_GetArrayItem(pair, 1), "steps", 1);
}

static void load_shape(struct loader *loader, const cJSON *object, struct result_shape *ret)
{
	const cJSON *overload = cJSON_GetObjectItemCaseSensitive(object, "overload");

	ret->dims = load_dims(loader, object);
	ret->overload = overload ? text_of(loader, overload, "overload") : STR("");
	ret->cut = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "cut"));
	ret->calls = (uint64_t)number(loader, object, "calls");
	LOAD_LIST(loader, object, "steps", ret->steps, ret->step_count, load_runs);
}

static void load_dim(struct loader *loader, const cJSON *object, struct result_dim *ret)
{
	ret->argument = (uint32_t)number(loader, object, "argument");
	ret->tensor = (uint32_t)number(loader, object, "tensor");
	ret->dim = (uint32_t)number(loader, object, "dim");
	ret->min = number(loader, object, "min");
	ret->max = number(loader, object, "max");
	ret->distinct = (uint64_t)number(loader, object, "distinct");
}

static void load_dynamic(struct loader *loader, const cJSON *object, struct result_dynamic *ret)
{
	ret->kind = text(loader, object, "kind");
	LOAD_LIST(loader, object, "dims", ret->dims, ret->dim_count, load_dim);
	ret->distinct = (uint64_t)number(loader, object, "distinct");
	ret->guide_dynamic = str_eq(text(loader, object, "guide_rule"), STR("dynamic"));
	load_message(loader, member(loader, object, "evidence"), &ret->evidence);
}

static void load_overload(struct loader *loader, const cJSON *object, struct result_overload *ret)
{
	ret->name = text(loader, object, "name");
	ret->status = text(loader, object, "status");
}

static void load_verdict(struct loader *loader, const cJSON *object, struct result_verdict *ret)
{
	ret->target = arena_keep(loader->arena, str_from(object->string ? object->string : ""));
	ret->status = text(loader, object, "status");
	LOAD_LIST(loader, object, "overloads", ret->overloads, ret->overload_count, load_overload);
	ret->via = text(loader, object, "via");
	LOAD_LIST(loader, object, "flags", ret->flags, ret->flag_count, load_text);
	LOAD_LIST(loader, object, "conditions", ret->conditions, ret->condition_count, load_message);
	ret->since = text(loader, object, "since");
	ret->until = text(loader, object, "until");
	LOAD_LIST(loader, object, "evidence", ret->evidence, ret->evidence_count, load_evidence);
	LOAD_LIST(loader, object, "advice", ret->advice, ret->advice_count, load_message);
}

static void load_operator(struct loader *loader, const cJSON *object, struct result_operator *ret)
{
	ret->name = text(loader, object, "name");
	ret->calls = (uint64_t)number(loader, object, "calls");
	ret->self_cpu_ns = scaled(loader, object, "self_cpu_us", THOUSAND);
	ret->cpu_total_ns = scaled(loader, object, "cpu_total_us", THOUSAND);
	ret->self_device_ns = scaled(loader, object, "self_device_us", THOUSAND);
	ret->share_ppm = scaled(loader, object, "time_share", MILLION);
	LOAD_LIST(loader, object, "shapes", ret->shapes, ret->shape_count, load_shape);
	ret->shape_total = (uint64_t)number(loader, object, "shape_count");
	load_dynamic(loader, member(loader, object, "dynamic"), &ret->dynamic);
	LOAD_LIST(loader, object, "verdicts", ret->verdicts, ret->verdict_count, load_verdict);
}

static void load_ignored(struct loader *loader, const cJSON *object, struct result_ignored *ret)
{
	ret->name = text(loader, object, "name");
	ret->name_class = text(loader, object, "class");
	ret->calls = (uint64_t)number(loader, object, "calls");
}

/* --- targets */

static void load_interval(struct loader *loader, const cJSON *object, const char *key, struct result_interval *ret)
{
	const cJSON *interval = member(loader, object, key);

	ret->lo_ppm = scaled(loader, interval, "lo", MILLION);
	ret->hi_ppm = scaled(loader, interval, "hi", MILLION);
}

static void load_coverage(struct loader *loader, const cJSON *object, const char *key, struct result_coverage *ret)
{
	const cJSON *coverage = member(loader, object, key);

	load_interval(loader, coverage, "time", &ret->time);
	load_interval(loader, coverage, "calls", &ret->calls);
	load_interval(loader, coverage, "operators", &ret->operators);
}

static void load_count(struct loader *loader, const cJSON *value, struct result_count *ret)
{
	ret->status = arena_keep(loader->arena, str_from(value->string ? value->string : ""));
	ret->operators = (uint64_t)scaled_of(loader, value, "counts", 1);
}

static void load_target(struct loader *loader, const cJSON *object, struct result_target *ret)
{
	const cJSON *times;

	ret->id = text(loader, object, "id");
	ret->plugin = text(loader, object, "plugin");
	ret->torch = text(loader, object, "torch");
	ret->cann = text(loader, object, "cann");
	ret->date = text(loader, object, "date");
	ret->fallback = text(loader, object, "fallback");
	load_coverage(loader, object, "readiness", &ret->readiness);
	load_coverage(loader, object, "coverage", &ret->coverage);
	LOAD_LIST(loader, object, "counts", ret->counts, ret->count_count, load_count);
	times = member(loader, object, "time_by_status");
	for (size_t i = 0; i < ret->count_count; i++)
		ret->counts[i].time_ppm = scaled(loader, times, ret->counts[i].status.ptr, MILLION);
	ret->verdict = text(loader, object, "verdict");
	ret->gate = text(loader, object, "gate");
}

static void load_finding(struct loader *loader, const cJSON *object, struct result_finding *ret)
{
	ret->severity = text(loader, object, "severity");
	ret->operator_name = text(loader, object, "operator");
	ret->target = text(loader, object, "target");
	ret->share_ppm = scaled(loader, object, "time_share", MILLION);
	load_message(loader, object, &ret->what);
	LOAD_LIST(loader, object, "evidence", ret->evidence, ret->evidence_count, load_evidence);
	LOAD_LIST(loader, object, "advice", ret->advice, ret->advice_count, load_message);
	ret->fingerprint = text(loader, object, "fingerprint");
}

/* --- the report */

static void load_all(struct loader *loader, const cJSON *root, struct result *ret)
{
	const cJSON *db = member(loader, root, "db");

	ret->tool_version = text(loader, member(loader, root, "tool"), "version");
	ret->db.build = text(loader, db, "build");
	ret->db.built_at = text(loader, db, "built_at");
	ret->db.sha256 = text(loader, db, "sha256");
	ret->basis = text(loader, root, "basis");
	LOAD_LIST(loader, root, "inputs", ret->inputs, ret->input_count, load_input);
	LOAD_LIST(loader, root, "targets", ret->targets, ret->target_count, load_target);
	LOAD_LIST(loader, root, "operators", ret->operators, ret->operator_count, load_operator);
	LOAD_LIST(loader, root, "ignored", ret->ignored, ret->ignored_count, load_ignored);
	LOAD_LIST(loader, root, "findings", ret->findings, ret->finding_count, load_finding);
	LOAD_LIST(loader, root, "warnings", ret->warnings, ret->warning_count, load_message);
}

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
	load_all(&loader, root, result);
	if (loader.missing) {
		err_set(err, ERR_REPORT, "the report has no usable '%s'", loader.missing);
		result_free(result);
		return err_hint(err, "it was changed by hand or written by another program");
	}
	*ret = result;
	return 0;
}

int report_load(struct str json, struct result **ret, struct err *err)
{
	const char *end = NULL;
	cJSON *root = cJSON_ParseWithLengthOpts(json.ptr, json.len, &end, false);
	int status;

	if (!root) {
		err_set(err, ERR_REPORT, "this is no JSON from byte %zu on", end ? (size_t)(end - json.ptr) : (size_t)0);
		return err_hint(err, "hand in a report made with `opcheck check DUMP -f json`");
	}
	status = load_root(root, ret, err);
	cJSON_Delete(root);
	return status;
}
