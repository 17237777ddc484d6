#include "report/load.h"

#include "base/utf8.h"
#include "opdb/model/answer.h"
#include "report/costs.h"
#include "report/load_policy.h"
#include "report/load_seen.h"
#include "report/part.h"
#include "report/traffic.h"

/* --- pieces */

void load_message(struct loader *loader, const cJSON *object, struct message *ret)
{
	const cJSON *params = cJSON_GetObjectItemCaseSensitive(object, "params"), *param;

	*ret = message_of(value_word(loader, object, "rule").ptr);
	if (params && !cJSON_IsObject(params))
		value_missing(loader, "params");
	cJSON_ArrayForEach(param, params)
	{
		if (!param->string || ret->count == MESSAGE_PARAMS) {
			value_missing(loader, "params");
			break;
		}
		message_add(ret, value_word_of(loader, param->string, "params").ptr,
			value_text_of(loader, param, "params"));
	}
}

static void load_evidence(struct loader *loader, const cJSON *object, struct result_evidence *ret)
{
	const cJSON *text = cJSON_GetObjectItemCaseSensitive(object, "text");
	const cJSON *date = cJSON_GetObjectItemCaseSensitive(object, "date");

	ret->kind = value_enum(loader, object, "kind", &evidence_kind_words);
	ret->ref = value_text(loader, object, "ref");
	ret->text = text ? value_text_of(loader, text, "text") : STR("");
	ret->date = date ? value_line(loader, object, "date") : STR("");
}

static unsigned load_flags(struct loader *loader, const cJSON *verdict)
{
	const cJSON *list = value_member(loader, verdict, "flags"), *flag;
	unsigned flags = 0, number;

	if (!cJSON_IsArray(list))
		value_missing(loader, "flags");
	cJSON_ArrayForEach(flag, list)
	{
		word_find(&flag_words, value_word_of(loader, cJSON_IsString(flag) ? flag->valuestring : "?", "flags"),
			&number);
		flags |= 1u << number;
	}
	return flags;
}

/* --- inputs */

/* False in reports that were made before there was such a key. */
static bool optional_bool(const cJSON *object, const char *key)
{
	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static void load_capture(struct loader *loader, const cJSON *object, struct result_capture *ret)
{
	ret->shapes = value_bool(loader, object, "shapes");
	ret->dtypes = value_bool(loader, object, "dtypes");
	ret->times = value_bool(loader, object, "times");
	ret->device_times = value_bool(loader, object, "device_times");
	ret->overloads = value_bool(loader, object, "overloads");
	ret->strides = optional_bool(object, "strides");
	ret->concrete_inputs = optional_bool(object, "concrete_inputs");
	ret->stacks = optional_bool(object, "stacks");
	ret->modules = optional_bool(object, "modules");
	ret->links = optional_bool(object, "links");
	ret->row_limit_hit = value_bool(loader, object, "row_limit_hit");
	ret->truncated_names = value_count(loader, object, "truncated_names");
	ret->truncated_shapes = value_count(loader, object, "truncated_shapes");
	traffic_load(loader, object, &ret->traffic);
	LOAD_LIST(loader, object, "warnings", ret->warnings, ret->warning_count, load_message);
}

static void load_input(struct loader *loader, const cJSON *object, struct result_input *ret)
{
	ret->name = value_text(loader, object, "name");
	ret->sha256 = value_word(loader, object, "sha256");
	ret->bytes = value_count(loader, object, "bytes");
	ret->compression = value_word(loader, object, "compression");
	ret->format = value_word(loader, object, "format");
	ret->encoding = value_line(loader, object, "encoding");
	ret->torch_era = value_line(loader, object, "torch_era");
	ret->steps = value_count(loader, object, "steps");
	ret->tables = value_count(loader, object, "tables");
	ret->ranks = value_count(loader, object, "ranks");
	ret->rows = value_count(loader, object, "rows");
	ret->skipped_lines = value_count(loader, object, "skipped_lines");
	load_capture(loader, value_member(loader, object, "capture"), &ret->capture);
	load_device(loader, object, &ret->device);
}

/* --- operators */

static void load_runs(struct loader *loader, const cJSON *pair, struct result_runs *ret)
{
	ret->first = value_place_of(loader, cJSON_GetArrayItem(pair, 0), "steps");
	ret->last = value_place_of(loader, cJSON_GetArrayItem(pair, 1), "steps");
}

static void load_shape(struct loader *loader, const cJSON *object, struct result_shape *ret)
{
	const cJSON *overload = cJSON_GetObjectItemCaseSensitive(object, "overload");

	ret->dims = value_dims(loader, object, "dims");
	ret->overload = overload ? value_text_of(loader, overload, "overload") : STR("");
	ret->cut = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "cut"));
	ret->calls = value_count(loader, object, "calls");
	LOAD_LIST(loader, object, "steps", ret->steps, ret->step_count, load_runs);
}

static void load_dim(struct loader *loader, const cJSON *object, struct result_dim *ret)
{
	ret->argument = value_place(loader, object, "argument");
	ret->tensor = value_place(loader, object, "tensor");
	ret->dim = value_place(loader, object, "dim");
	ret->min = value_number(loader, object, "min");
	ret->max = value_number(loader, object, "max");
	ret->distinct = value_count(loader, object, "distinct");
	if (cJSON_HasObjectItem(object, "steps")) /* reports had neither at first */
		ret->steps = value_count(loader, object, "steps");
	if (cJSON_HasObjectItem(object, "calls"))
		ret->calls = value_count(loader, object, "calls");
}

static void load_dynamic(struct loader *loader, const cJSON *object, struct result_dynamic *ret)
{
	ret->kind = value_enum(loader, object, "kind", &dynamic_words);
	LOAD_LIST(loader, object, "dims", ret->dims, ret->dim_count, load_dim);
	ret->distinct = value_count(loader, object, "distinct");
	ret->guide_rule = value_enum(loader, object, "guide_rule", &guide_words);
	load_message(loader, value_member(loader, object, "evidence"), &ret->evidence);
	ret->follows = cJSON_HasObjectItem(object, "follows") ? value_text(loader, object, "follows") : STR("");
}

static void load_overload(struct loader *loader, const cJSON *object, struct result_overload *ret)
{
	ret->name = value_text(loader, object, "name");
	ret->status = value_enum(loader, object, "status", &op_status_words);
}

void load_verdict(struct loader *loader, const cJSON *object, struct result_verdict *ret)
{
	ret->target = value_line_of(loader, object->string, "verdicts");
	ret->status = value_enum(loader, object, "status", &op_status_words);
	LOAD_LIST(loader, object, "overloads", ret->overloads, ret->overload_count, load_overload);
	ret->via = value_text(loader, object, "via");
	ret->flags = load_flags(loader, object);
	LOAD_LIST(loader, object, "conditions", ret->conditions, ret->condition_count, load_message);
	ret->since = value_line(loader, object, "since");
	ret->until = value_line(loader, object, "until");
	LOAD_LIST(loader, object, "evidence", ret->evidence, ret->evidence_count, load_evidence);
	LOAD_LIST(loader, object, "advice", ret->advice, ret->advice_count, load_message);
}

static void load_operator(struct loader *loader, const cJSON *object, struct result_operator *ret)
{
	ret->name = value_text(loader, object, "name");
	ret->calls = value_count(loader, object, "calls");
	ret->self_cpu_ns = value_us(loader, object, "self_cpu_us");
	ret->cpu_total_ns = value_us(loader, object, "cpu_total_us");
	ret->self_device_ns = value_us(loader, object, "self_device_us");
	ret->share_ppm = value_share(loader, object, "time_share");
	LOAD_LIST(loader, object, "shapes", ret->shapes, ret->shape_count, load_shape);
	ret->shape_total = value_count(loader, object, "shape_count");
	load_dynamic(loader, value_member(loader, object, "dynamic"), &ret->dynamic);
	load_observed(loader, object, &ret->observed);
	LOAD_OBJECT(loader, object, "verdicts", ret->verdicts, ret->verdict_count, load_verdict);
}

static void load_ignored(struct loader *loader, const cJSON *object, struct result_ignored *ret)
{
	ret->name = value_text(loader, object, "name");
	ret->name_class = value_enum(loader, object, "class", &name_class_words);
	ret->calls = value_count(loader, object, "calls");
}

/* --- targets */

static void load_interval(struct loader *loader, const cJSON *object, const char *key, struct result_interval *ret)
{
	const cJSON *interval = value_member(loader, object, key);

	ret->lo_ppm = value_share(loader, interval, "lo");
	ret->hi_ppm = value_share(loader, interval, "hi");
}

static void load_coverage(struct loader *loader, const cJSON *object, const char *key, struct result_coverage *ret)
{
	const cJSON *coverage = value_member(loader, object, key);

	load_interval(loader, coverage, "time", &ret->time);
	load_interval(loader, coverage, "calls", &ret->calls);
	load_interval(loader, coverage, "operators", &ret->operators);
}

static void load_count(struct loader *loader, const cJSON *value, struct result_count *ret)
{
	unsigned status;

	word_find(&op_status_words, value_word_of(loader, value->string, "counts"), &status);
	ret->status = status;
	ret->operators = value_count_of(loader, value, "counts");
}

static void load_target(struct loader *loader, const cJSON *object, struct result_target *ret)
{
	const cJSON *times;

	ret->id = value_line(loader, object, "id");
	ret->asked = cJSON_HasObjectItem(object, "asked") ? value_line(loader, object, "asked") : STR("");
	ret->plugin = value_line(loader, object, "plugin");
	ret->torch = value_line(loader, object, "torch");
	ret->cann = value_line(loader, object, "cann");
	ret->date = value_line(loader, object, "date");
	ret->fallback = value_line(loader, object, "fallback");
	load_coverage(loader, object, "readiness", &ret->readiness);
	load_coverage(loader, object, "coverage", &ret->coverage);
	LOAD_OBJECT(loader, object, "counts", ret->counts, ret->count_count, load_count);
	times = value_member(loader, object, "time_by_status");
	if (ret->count_count > OP_STATUS_COUNT)
		value_missing(loader, "counts");
	for (size_t i = 0; i < ret->count_count && !loader->missing; i++)
		ret->counts[i].time_ppm = value_share(loader, times, op_status_name(ret->counts[i].status).ptr);
	ret->verdict = value_enum(loader, object, "verdict", &verdict_words);
	ret->gate = value_enum(loader, object, "gate", &gate_state_words);
	load_checks(loader, object, ret);
	load_target_costs(loader, object, ret);
}

static void load_finding(struct loader *loader, const cJSON *object, struct result_finding *ret)
{
	ret->severity = value_enum(loader, object, "severity", &severity_words);
	ret->operator_name = value_text(loader, object, "operator");
	ret->target = value_line(loader, object, "target");
	ret->share_ppm = value_share(loader, object, "time_share");
	load_message(loader, object, &ret->what);
	LOAD_LIST(loader, object, "evidence", ret->evidence, ret->evidence_count, load_evidence);
	LOAD_LIST(loader, object, "advice", ret->advice, ret->advice_count, load_message);
	ret->fingerprint = value_word(loader, object, "fingerprint");
	load_finding_policy(loader, object, ret);
}

/* --- the report */

static void load_overlay(struct loader *loader, const cJSON *object, struct result_overlay *ret)
{
	ret->name = value_line(loader, object, "name");
	ret->sha256 = value_word(loader, object, "sha256");
	ret->facts = value_count(loader, object, "facts");
}

static void load_assumption(struct loader *loader, const cJSON *object, struct result_assumption *ret)
{
	ret->name = value_text(loader, object, "operator");
	ret->status = value_enum(loader, object, "status", &op_status_words);
}

/* A report of an earlier version lacks some. */
static void load_parts(struct loader *loader, const cJSON *root, struct result *ret)
{
	for (size_t i = 0; i < report_part_count; i++) {
		if (report_parts[i]->key && cJSON_GetObjectItemCaseSensitive(root, report_parts[i]->key))
			report_parts[i]->load(loader, root, ret);
	}
}

static void load_all(struct loader *loader, const cJSON *root, struct result *ret)
{
	const cJSON *db = value_member(loader, root, "db");

	ret->tool_version = value_line(loader, value_member(loader, root, "tool"), "version");
	ret->db.build = value_line(loader, db, "build");
	ret->db.built_at = value_line(loader, db, "built_at");
	ret->db.sha256 = value_word(loader, db, "sha256");
	if (cJSON_GetObjectItemCaseSensitive(db, "overlays"))
		LOAD_LIST(loader, db, "overlays", ret->db.overlays, ret->db.overlay_count, load_overlay);
	if (cJSON_HasObjectItem(root, "assumptions"))
		LOAD_LIST(loader, root, "assumptions", ret->assumptions, ret->assumption_count, load_assumption);
	ret->basis = value_enum(loader, root, "basis", &basis_words);
	LOAD_LIST(loader, root, "inputs", ret->inputs, ret->input_count, load_input);
	LOAD_LIST(loader, root, "targets", ret->targets, ret->target_count, load_target);
	LOAD_LIST(loader, root, "operators", ret->operators, ret->operator_count, load_operator);
	LOAD_LIST(loader, root, "ignored", ret->ignored, ret->ignored_count, load_ignored);
	LOAD_LIST(loader, root, "findings", ret->findings, ret->finding_count, load_finding);
	LOAD_LIST(loader, root, "waived", ret->waived, ret->waived_count, load_finding);
	load_policy(loader, root, &ret->policy);
	LOAD_LIST(loader, root, "warnings", ret->warnings, ret->warning_count, load_message);
	load_parts(loader, root, ret);
}

/* Renderers find the verdicts on an operator by the place of the target. */
static void check_verdicts(struct loader *loader, const struct result *result)
{
	for (size_t i = 0; i < result->operator_count; i++) {
		const struct result_operator *op = &result->operators[i];

		if (op->verdict_count != result->target_count)
			value_missing(loader, "verdicts");
		for (size_t j = 0; j < result->target_count && !loader->missing; j++) {
			if (!str_eq(op->verdicts[j].target, result->targets[j].id))
				value_missing(loader, "verdicts");
		}
	}
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
	check_verdicts(&loader, result);
	load_costs(&loader, root, result);
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
