/* The JSON report: the one public form of an assessment. schema/report.schema.json describes it. */
#include "assess/model/rule.h"
#include "report/costs.h"
#include "json/jsonw.h"
#include "report/part.h"
#include "report/pieces.h"
#include "report/render.h"
#include "report/traffic.h"

enum { US_PLACES = 3, SHARE_PLACES = 6, LINE_DEPTH = 2 };

/* --- pieces */

static void put_message_keys(struct jsonw *json, const struct message *message)
{
	struct buf text = BUF_UNLIMITED;

	jsonw_key_str(json, "rule", str_from(message->id));
	catalog_put(&text, LANG_EN, message);
	jsonw_key_str(json, "text", buf_str(&text));
	buf_clear(&text);
	if (!message->count)
		return;
	jsonw_key(json, "params");
	jsonw_object(json);
	for (size_t i = 0; i < message->count; i++)
		jsonw_key_str(json, message->params[i].name, message->params[i].value);
	jsonw_object_end(json);
}

void json_put_message(struct jsonw *json, const struct message *message)
{
	jsonw_object(json);
	put_message_keys(json, message);
	jsonw_object_end(json);
}

void json_put_messages(struct jsonw *json, const char *key, const struct message *messages, size_t count)
{
	jsonw_key(json, key);
	jsonw_list(json);
	for (size_t i = 0; i < count; i++)
		json_put_message(json, &messages[i]);
	jsonw_list_end(json);
}

static void put_evidence(struct jsonw *json, const struct result_evidence *evidence, size_t count)
{
	jsonw_key(json, "evidence");
	jsonw_list(json);
	for (size_t i = 0; i < count; i++) {
		jsonw_object(json);
		jsonw_key_str(json, "kind", word_for(&evidence_kind_words, evidence[i].kind));
		jsonw_key_str(json, "ref", evidence[i].ref);
		if (evidence[i].text.len)
			jsonw_key_str(json, "text", evidence[i].text);
		if (evidence[i].date.len)
			jsonw_key_str(json, "date", evidence[i].date);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

/* --- inputs */

static void put_capture(struct jsonw *json, const struct result_capture *capture)
{
	jsonw_key(json, "capture");
	jsonw_object(json);
	jsonw_key_bool(json, "shapes", capture->shapes);
	jsonw_key_bool(json, "dtypes", capture->dtypes);
	jsonw_key_bool(json, "times", capture->times);
	jsonw_key_bool(json, "device_times", capture->device_times);
	jsonw_key_bool(json, "overloads", capture->overloads);
	jsonw_key_bool(json, "strides", capture->strides);
	jsonw_key_bool(json, "concrete_inputs", capture->concrete_inputs);
	jsonw_key_bool(json, "stacks", capture->stacks);
	jsonw_key_bool(json, "modules", capture->modules);
	jsonw_key_bool(json, "links", capture->links);
	jsonw_key_bool(json, "row_limit_hit", capture->row_limit_hit);
	jsonw_key_number(json, "truncated_names", (int64_t)capture->truncated_names);
	jsonw_key_number(json, "truncated_shapes", (int64_t)capture->truncated_shapes);
	traffic_put_json(json, &capture->traffic);
	json_put_messages(json, "warnings", capture->warnings, capture->warning_count);
	jsonw_object_end(json);
}

static void put_input(struct jsonw *json, const struct result_input *input)
{
	jsonw_object(json);
	jsonw_key_str(json, "name", input->name);
	jsonw_key_str(json, "sha256", input->sha256);
	jsonw_key_number(json, "bytes", (int64_t)input->bytes);
	jsonw_key_str(json, "compression", input->compression);
	jsonw_key_str(json, "format", input->format);
	jsonw_key_str(json, "encoding", input->encoding);
	jsonw_key_str(json, "torch_era", input->torch_era);
	jsonw_key_number(json, "steps", (int64_t)input->steps);
	jsonw_key_number(json, "tables", (int64_t)input->tables);
	jsonw_key_number(json, "ranks", (int64_t)input->ranks);
	jsonw_key_number(json, "rows", (int64_t)input->rows);
	jsonw_key_number(json, "skipped_lines", (int64_t)input->skipped_lines);
	put_capture(json, &input->capture);
	json_put_device(json, &input->device);
	jsonw_object_end(json);
}

/* --- operators */

static void put_shape(struct jsonw *json, const struct result_shape *shape)
{
	jsonw_object(json);
	jsonw_key(json, "dims");
	jsonw_raw(json, shape->dims.len ? shape->dims : STR("null"));
	jsonw_key(json, "dtypes");
	jsonw_raw(json, STR("null"));
	if (shape->overload.len)
		jsonw_key_str(json, "overload", shape->overload);
	if (shape->cut)
		jsonw_key_bool(json, "cut", true);
	jsonw_key_number(json, "calls", (int64_t)shape->calls);
	jsonw_key(json, "steps");
	jsonw_list(json);
	for (size_t i = 0; i < shape->step_count; i++) {
		jsonw_list(json);
		jsonw_number(json, shape->steps[i].first);
		jsonw_number(json, shape->steps[i].last);
		jsonw_list_end(json);
	}
	jsonw_list_end(json);
	jsonw_object_end(json);
}

static void put_dim(struct jsonw *json, const struct result_dim *dim)
{
	jsonw_object(json);
	jsonw_key_number(json, "argument", dim->argument);
	jsonw_key_number(json, "tensor", dim->tensor);
	jsonw_key_number(json, "dim", dim->dim);
	jsonw_key_number(json, "min", dim->min);
	jsonw_key_number(json, "max", dim->max);
	jsonw_key_number(json, "distinct", (int64_t)dim->distinct);
	jsonw_key_number(json, "steps", (int64_t)dim->steps);
	jsonw_key_number(json, "calls", (int64_t)dim->calls);
	jsonw_object_end(json);
}

static void put_dynamic(struct jsonw *json, const struct result_dynamic *dynamic)
{
	jsonw_key(json, "dynamic");
	jsonw_object(json);
	jsonw_key_str(json, "kind", word_for(&dynamic_words, dynamic->kind));
	jsonw_key(json, "dims");
	jsonw_list(json);
	for (size_t i = 0; i < dynamic->dim_count; i++)
		put_dim(json, &dynamic->dims[i]);
	jsonw_list_end(json);
	jsonw_key_number(json, "distinct", (int64_t)dynamic->distinct);
	if (dynamic->follows.len)
		jsonw_key_str(json, "follows", dynamic->follows);
	jsonw_key_str(json, "guide_rule", word_for(&guide_words, dynamic->guide_rule));
	jsonw_key(json, "evidence");
	json_put_message(json, &dynamic->evidence);
	jsonw_object_end(json);
}

void json_put_verdict(struct jsonw *json, const struct result_verdict *verdict)
{
	jsonw_object(json);
	jsonw_key_str(json, "status", op_status_name(verdict->status));
	jsonw_key(json, "overloads");
	jsonw_list(json);
	for (size_t i = 0; i < verdict->overload_count; i++) {
		jsonw_object(json);
		jsonw_key_str(json, "name", verdict->overloads[i].name);
		jsonw_key_str(json, "status", op_status_name(verdict->overloads[i].status));
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
	jsonw_key_str(json, "via", verdict->via);
	jsonw_key(json, "flags");
	jsonw_list(json);
	for (unsigned i = 0; i < VERDICT_FLAG_COUNT; i++) {
		if (verdict->flags >> i & 1)
			jsonw_str(json, word_for(&flag_words, i));
	}
	jsonw_list_end(json);
	json_put_messages(json, "conditions", verdict->conditions, verdict->condition_count);
	jsonw_key_str(json, "since", verdict->since);
	jsonw_key_str(json, "until", verdict->until);
	put_evidence(json, verdict->evidence, verdict->evidence_count);
	json_put_messages(json, "advice", verdict->advice, verdict->advice_count);
	jsonw_object_end(json);
}

static void put_operator(struct jsonw *json, const struct result_operator *op)
{
	jsonw_object(json);
	jsonw_key_str(json, "name", op->name);
	jsonw_key_number(json, "calls", (int64_t)op->calls);
	jsonw_key_decimal(json, "self_cpu_us", op->self_cpu_ns, US_PLACES);
	jsonw_key_decimal(json, "cpu_total_us", op->cpu_total_ns, US_PLACES);
	jsonw_key_decimal(json, "self_device_us", op->self_device_ns, US_PLACES);
	jsonw_key_decimal(json, "time_share", op->share_ppm, SHARE_PLACES);
	jsonw_key(json, "shapes");
	jsonw_list(json);
	for (size_t i = 0; i < op->shape_count; i++)
		put_shape(json, &op->shapes[i]);
	jsonw_list_end(json);
	jsonw_key_number(json, "shape_count", (int64_t)op->shape_total);
	put_dynamic(json, &op->dynamic);
	json_put_observed(json, &op->observed);
	jsonw_key(json, "verdicts");
	jsonw_object(json);
	for (size_t i = 0; i < op->verdict_count; i++) {
		jsonw_key_view(json, op->verdicts[i].target);
		json_put_verdict(json, &op->verdicts[i]);
	}
	jsonw_object_end(json);
	jsonw_object_end(json);
}

static void put_ignored(struct jsonw *json, const struct result_ignored *ignored)
{
	jsonw_object(json);
	jsonw_key_str(json, "name", ignored->name);
	jsonw_key_str(json, "class", word_for(&name_class_words, ignored->name_class));
	jsonw_key_number(json, "calls", (int64_t)ignored->calls);
	jsonw_object_end(json);
}

/* --- targets */

void json_put_interval(struct jsonw *json, const char *key, struct result_interval interval)
{
	jsonw_key(json, key);
	jsonw_object(json);
	jsonw_key_decimal(json, "lo", interval.lo_ppm, SHARE_PLACES);
	jsonw_key_decimal(json, "hi", interval.hi_ppm, SHARE_PLACES);
	jsonw_object_end(json);
}

void json_put_coverage(struct jsonw *json, const char *key, const struct result_coverage *coverage)
{
	jsonw_key(json, key);
	jsonw_object(json);
	json_put_interval(json, "time", coverage->time);
	json_put_interval(json, "calls", coverage->calls);
	json_put_interval(json, "operators", coverage->operators);
	jsonw_object_end(json);
}

static void put_target(struct jsonw *json, const struct result_target *target, const struct result *result)
{
	jsonw_object(json);
	jsonw_key_str(json, "id", target->id);
	if (target->asked.len)
		jsonw_key_str(json, "asked", target->asked);
	jsonw_key_str(json, "plugin", target->plugin);
	jsonw_key_str(json, "torch", target->torch);
	jsonw_key_str(json, "cann", target->cann);
	jsonw_key_str(json, "date", target->date);
	jsonw_key_str(json, "fallback", target->fallback);
	json_put_coverage(json, "readiness", &target->readiness);
	json_put_coverage(json, "coverage", &target->coverage);
	jsonw_key(json, "counts");
	jsonw_object(json);
	for (size_t i = 0; i < target->count_count; i++) {
		jsonw_key_view(json, op_status_name(target->counts[i].status));
		jsonw_number(json, (int64_t)target->counts[i].operators);
	}
	jsonw_object_end(json);
	jsonw_key(json, "time_by_status");
	jsonw_object(json);
	for (size_t i = 0; i < target->count_count; i++) {
		jsonw_key_view(json, op_status_name(target->counts[i].status));
		jsonw_decimal(json, target->counts[i].time_ppm, SHARE_PLACES);
	}
	jsonw_object_end(json);
	jsonw_key_str(json, "verdict", word_for(&verdict_words, target->verdict));
	jsonw_key_str(json, "gate", word_for(&gate_state_words, target->gate));
	json_put_checks(json, target);
	json_put_target_costs(json, target, result);
	jsonw_object_end(json);
}

static void put_finding(struct jsonw *json, const struct result_finding *finding)
{
	jsonw_object(json);
	jsonw_key_str(json, "severity", word_for(&severity_words, finding->severity));
	jsonw_key_str(json, "operator", finding->operator_name);
	jsonw_key_str(json, "target", finding->target);
	jsonw_key_decimal(json, "time_share", finding->share_ppm, SHARE_PLACES);
	put_message_keys(json, &finding->what);
	put_evidence(json, finding->evidence, finding->evidence_count);
	json_put_messages(json, "advice", finding->advice, finding->advice_count);
	jsonw_key_str(json, "effort", word_for(&effort_words, effort_of(finding)));
	jsonw_key_str(json, "fingerprint", finding->fingerprint);
	json_put_finding_policy(json, finding);
	jsonw_object_end(json);
}

/* --- the report */

/* A report without overlays has no key for them. */
static void put_overlays(struct jsonw *json, const struct result_db *db)
{
	if (!db->overlay_count)
		return;
	jsonw_key(json, "overlays");
	jsonw_list(json);
	for (size_t i = 0; i < db->overlay_count; i++) {
		jsonw_object(json);
		jsonw_key_str(json, "name", db->overlays[i].name);
		jsonw_key_str(json, "sha256", db->overlays[i].sha256);
		jsonw_key_number(json, "facts", (int64_t)db->overlays[i].facts);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

/* Neither has one in which nothing was assumed. */
static void put_assumptions(struct jsonw *json, const struct result *result)
{
	if (!result->assumption_count)
		return;
	jsonw_key(json, "assumptions");
	jsonw_list(json);
	for (size_t i = 0; i < result->assumption_count; i++) {
		jsonw_object(json);
		jsonw_key_str(json, "operator", result->assumptions[i].name);
		jsonw_key_str(json, "status", op_status_name(result->assumptions[i].status));
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

void json_put_header(struct jsonw *json, const struct result *result)
{
	jsonw_key_str(json, "schema_version", STR(REPORT_SCHEMA_VERSION));
	jsonw_key(json, "tool");
	jsonw_object(json);
	jsonw_key_str(json, "name", STR("opcheck"));
	jsonw_key_str(json, "version", result->tool_version);
	jsonw_object_end(json);
	jsonw_key(json, "db");
	jsonw_object(json);
	jsonw_key_str(json, "build", result->db.build);
	jsonw_key_str(json, "built_at", result->db.built_at);
	jsonw_key_str(json, "sha256", result->db.sha256);
	put_overlays(json, &result->db);
	jsonw_object_end(json);
	put_assumptions(json, result);
	jsonw_key_str(json, "basis", word_for(&basis_words, result->basis));
}

#define PUT_LIST(json, key, items, count, put)                                                                         \
	do {                                                                                                           \
		jsonw_key(json, key);                                                                                  \
		jsonw_list(json);                                                                                      \
		for (size_t i = 0; i < (count); i++)                                                                   \
			put(json, &(items)[i]);                                                                        \
		jsonw_list_end(json);                                                                                  \
	} while (0)

static void put_parts(struct jsonw *json, const struct result *result)
{
	for (size_t i = 0; i < report_part_count; i++) {
		if (!report_parts[i]->key || !report_parts[i]->shown(result))
			continue;
		jsonw_key(json, report_parts[i]->key);
		report_parts[i]->put_json(json, result);
	}
}

void render_json(const struct result *result, const struct render_options *options, struct buf *out)
{
	struct jsonw json = jsonw_start(out, LINE_DEPTH);

	(void)options; /* the one form that has no language and no width */
	jsonw_object(&json);
	json_put_header(&json, result);
	PUT_LIST(&json, "inputs", result->inputs, result->input_count, put_input);
	jsonw_key(&json, "targets");
	jsonw_list(&json);
	for (size_t i = 0; i < result->target_count; i++)
		put_target(&json, &result->targets[i], result);
	jsonw_list_end(&json);
	PUT_LIST(&json, "operators", result->operators, result->operator_count, put_operator);
	json_put_costs(&json, result);
	PUT_LIST(&json, "ignored", result->ignored, result->ignored_count, put_ignored);
	put_parts(&json, result);
	PUT_LIST(&json, "findings", result->findings, result->finding_count, put_finding);
	PUT_LIST(&json, "waived", result->waived, result->waived_count, put_finding);
	json_put_policy(&json, &result->policy);
	json_put_messages(&json, "warnings", result->warnings, result->warning_count);
	jsonw_object_end(&json);
}
