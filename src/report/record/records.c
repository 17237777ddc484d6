/* What each struct of the result is in the JSON report: schema/report.schema.json describes the same. */
#include "report/record/records.h"

#include "assess/model/rule.h"
#include "assess/plan/cost_parts.h"
#include "assess/plan/penalty.h"
#include "base/memory/mem.h"
#include "opdb/model/dtype.h"
#include "report/record/load.h"
#include "report/record/step_heat.h"

/* A field a line, whatever its length. */
/* clang-format off */

/* Fields of struct type: with the member's name as key, with another one; arrays; more keys of the same struct. */
#define K(name, of_kind, type, member, ...) { .key = name, .kind = FIELD_##of_kind, \
	.at = offsetof(struct type, member), .bytes = sizeof(((struct type *)0)->member), __VA_ARGS__ }
#define F(of_kind, type, member, ...) K(#member, of_kind, type, member, __VA_ARGS__)
#define LIST(name, of_kind, type, member, counter, of, ...) \
	K(name, of_kind, type, member, .count_at = offsetof(struct type, counter), .record = of, __VA_ARGS__)
#define PUT(name, function, ...) { .key = name, .kind = FIELD_PUT, .put = function, __VA_ARGS__ }
#define PART(name, of, ...) { .key = name, .kind = FIELD_OBJECT, .record = of, __VA_ARGS__ }

/* Several members of one kind under their own names; with more about each of them, in parentheses. */
#define EACH(of_kind, type, ...) EACH_WITH(of_kind, type, (), __VA_ARGS__)
#define EACH_WITH(of_kind, type, more, ...) \
	EACH_COUNT(__VA_ARGS__, EACH_6, EACH_5, EACH_4, EACH_3, EACH_2, EACH_1)(of_kind, type, more, __VA_ARGS__)
#define EACH_COUNT(a, b, c, d, e, f, macro, ...) macro
#define EACH_1(of_kind, type, more, member) F(of_kind, type, member, EACH_OPENED more)
#define EACH_2(k, t, more, member, ...) EACH_1(k, t, more, member), EACH_1(k, t, more, __VA_ARGS__)
#define EACH_3(k, t, more, member, ...) EACH_1(k, t, more, member), EACH_2(k, t, more, __VA_ARGS__)
#define EACH_4(k, t, more, member, ...) EACH_1(k, t, more, member), EACH_3(k, t, more, __VA_ARGS__)
#define EACH_5(k, t, more, member, ...) EACH_1(k, t, more, member), EACH_4(k, t, more, __VA_ARGS__)
#define EACH_6(k, t, more, member, ...) EACH_1(k, t, more, member), EACH_5(k, t, more, __VA_ARGS__)
#define EACH_OPENED(...) __VA_ARGS__
/* An optional field that is left out while this member, not always its own, is zero. */
#define WHEN(type, member) \
	.flags = OPTIONAL, .when_at = offsetof(struct type, member), .when_bytes = sizeof(((struct type *)0)->member)

/* The records: an object, a list of its values, a map of one value each, two bounds. */
#define FIELDS(type, ...) .bytes = sizeof(struct type), .fields = (const struct field[]){ __VA_ARGS__, { 0 } }
#define RECORD(type, ...) { FIELDS(type, __VA_ARGS__) }
#define TUPLE(type, ...) { FIELDS(type, __VA_ARGS__), .tuple = true }
#define BARE(type, ...) { FIELDS(type, __VA_ARGS__), .bare = true }
#define LO_HI(type, of_kind, lo, hi) RECORD(type, K("lo", of_kind, type, lo), K("hi", of_kind, type, hi))

/* --- pieces */

const struct record message_record = RECORD(message,
	{ .key = "rule", .kind = FIELD_INLINE, .bytes = sizeof(struct message) });

static const struct record evidence_record = RECORD(result_evidence,
	F(ENUM, result_evidence, kind, .words = &evidence_kind_words),
	F(TEXT, result_evidence, ref),
	F(TEXT, result_evidence, text, .flags = OPTIONAL),
	F(LINE, result_evidence, date, .flags = OPTIONAL));

static const struct record interval_record = LO_HI(result_interval, SHARE, lo_ppm, hi_ppm);

const struct record coverage_record = RECORD(result_coverage,
	EACH_WITH(OBJECT, result_coverage, (.record = &interval_record), time, calls, operators));

static const struct record where_record = RECORD(result_where,
	EACH_WITH(OBJECT, result_where, (.record = &interval_record), aicore, aicpu, host, nowhere, unknown));

/* --- inputs */

static const struct record collective_record = RECORD(result_collective,
	EACH(TEXT, result_collective, name, dtype, group),
	F(TEXT, result_collective, reduction, .flags = OPTIONAL),
	EACH(COUNT, result_collective, ranks, calls, in_elements, out_elements));

static const struct record copies_record = RECORD(result_copies,
	F(ENUM, result_copies, kind, .words = &copy_words),
	EACH(COUNT, result_copies, calls, bytes),
	K("time_us", MILLI, result_copies, ns));

static const struct record device_time_record = RECORD(result_device_time,
	K("operators", MILLI, result_device_time, operators_ns),
	K("collectives", MILLI, result_device_time, collectives_ns, .flags = OPTIONAL),
	K("graphs", MILLI, result_device_time, graphs_ns),
	K("unlinked", MILLI, result_device_time, unlinked_ns),
	K("compiled", MILLI, result_device_time, compiled_ns, .flags = OPTIONAL),
	K("functions", MILLI, result_device_time, functions_ns, .flags = OPTIONAL),
	K("before", MILLI, result_device_time, before_ns, .flags = OPTIONAL),
	K("missing", MILLI, result_device_time, missing_ns, .flags = OPTIONAL));

static const struct record host_time_record = RECORD(result_host_time,
	K("operators", MILLI, result_host_time, operators_ns),
	K("missing", MILLI, result_host_time, missing_ns));

static bool has_device_time(const void *item)
{
	const struct result_device_time *time = &((const struct result_capture *)item)->device_time;

	return time->operators_ns || time->graphs_ns || time->unlinked_ns || time->missing_ns;
}

static const struct record capture_record = RECORD(result_capture,
	EACH(BOOL, result_capture, shapes, dtypes, times, device_times, overloads),
	EACH_WITH(BOOL, result_capture, (.flags = LATER), strides, concrete_inputs, stacks, modules, links),
	F(OBJECT, result_capture, device_time, .record = &device_time_record, .flags = OPTIONAL,
		.when = has_device_time),
	F(OBJECT, result_capture, host_time, .record = &host_time_record,
		WHEN(result_capture, host_time.missing_ns)),
	F(BOOL, result_capture, row_limit_hit),
	EACH(COUNT, result_capture, truncated_names, truncated_shapes),
	LIST("collectives", LIST, result_capture, traffic.collectives, traffic.collective_count, &collective_record,
		.flags = OPTIONAL),
	K("other_collectives", COUNT, result_capture, traffic.other_collectives, .flags = OPTIONAL),
	LIST("copies", LIST, result_capture, traffic.copies, traffic.copies_count, &copies_record, .flags = OPTIONAL),
	LIST("warnings", LIST, result_capture, warnings, warning_count, &message_record));

const struct record device_record = RECORD(result_device,
	EACH(WORD, result_device, kind, sign),
	EACH(LINE, result_device, torch, plugin, cann, chip, release));

static const struct record input_record = RECORD(result_input,
	F(TEXT, result_input, name),
	F(WORD, result_input, sha256),
	F(COUNT, result_input, bytes),
	EACH(WORD, result_input, compression, format),
	EACH(LINE, result_input, encoding, torch_era),
	F(TEXT, result_input, counted_in, .flags = OPTIONAL),
	EACH(COUNT, result_input, steps, tables, ranks, rows, skipped_lines),
	F(OBJECT, result_input, capture, .record = &capture_record),
	F(OBJECT, result_input, device, .record = &device_record, WHEN(result_input, device.kind.len)));

/* --- operators */

static const struct record runs_record = TUPLE(result_runs, EACH(PLACE, result_runs, first, last));

static const struct record shape_record = RECORD(result_shape,
	F(DIMS, result_shape, dims),
	F(TYPES, result_shape, dtypes),
	F(TEXT, result_shape, overload, .flags = OPTIONAL),
	F(BOOL, result_shape, cut, .flags = OPTIONAL),
	F(COUNT, result_shape, calls),
	LIST("steps", LIST, result_shape, steps, step_count, &runs_record));

static const struct record dim_record = RECORD(result_dim,
	EACH(PLACE, result_dim, argument, tensor, dim),
	EACH(NUMBER, result_dim, min, max),
	F(COUNT, result_dim, distinct),
	EACH_WITH(COUNT, result_dim, (.flags = LATER), steps, calls));

static const struct record dynamic_record = RECORD(result_dynamic,
	F(ENUM, result_dynamic, kind, .words = &dynamic_words),
	LIST("dims", LIST, result_dynamic, dims, dim_count, &dim_record),
	F(COUNT, result_dynamic, distinct),
	F(TEXT, result_dynamic, follows, .flags = OPTIONAL),
	F(ENUM, result_dynamic, guide_rule, .words = &guide_words),
	F(MESSAGE, result_dynamic, evidence));

static const struct record overload_record = RECORD(result_overload,
	F(TEXT, result_overload, name),
	F(ENUM, result_overload, status, .words = &op_status_words));

static const struct record types_record = RECORD(result_types,
	EACH_WITH(FLAGS, result_types, (.words = &dtype_words, .flags = OPTIONAL), takes, refuses, tested, aicpu,
		aicpu_if));

const struct record verdict_record = RECORD(result_verdict,
	F(ENUM, result_verdict, status, .words = &op_status_words),
	LIST("overloads", LIST, result_verdict, overloads, overload_count, &overload_record),
	F(TEXT, result_verdict, via),
	F(FLAGS, result_verdict, flags, .words = &flag_words),
	F(PLACE, result_verdict, types, WHEN(result_verdict, types)),
	LIST("conditions", LIST, result_verdict, conditions, condition_count, &message_record),
	F(OBJECT, result_verdict, aicpu, .record = &interval_record, WHEN(result_verdict, aicpu.hi_ppm)),
	EACH(LINE, result_verdict, since, until),
	LIST("evidence", LIST, result_verdict, evidence, evidence_count, &evidence_record),
	LIST("advice", LIST, result_verdict, advice, advice_count, &message_record));

static const struct record verdict_by_target = RECORD(result_verdict,
	F(LINE, result_verdict, target), /* the key of a map */
	{ .key = "status", .kind = FIELD_INLINE, .record = &verdict_record });

static const struct record observed_record = RECORD(result_observed,
	F(ENUM, result_observed, where, .words = &where_words),
	LIST("evidence", LIST, result_observed, evidence, evidence_count, &message_record));

static const struct record spot_record = RECORD(result_spot,
	F(PLACE, result_spot, input),
	EACH_WITH(COUNT, result_spot, (.flags = OPTIONAL), line, byte));

static const struct record callers_record = RECORD(result_callers,
	LIST("modules", TEXTS, result_callers, modules, module_count, NULL),
	LIST("lines", TEXTS, result_callers, lines, line_count, NULL));

static const struct record operator_record = RECORD(result_operator,
	F(TEXT, result_operator, name),
	F(POINTER, result_operator, first_seen, .record = &spot_record, .flags = OPTIONAL),
	F(POINTER, result_operator, callers, .record = &callers_record, .flags = OPTIONAL),
	K("in_modules", NUMBERS, result_operator, places, .count_at = offsetof(struct result_operator, place_count),
		.flags = OPTIONAL),
	F(COUNT, result_operator, calls),
	K("self_cpu_us", MILLI, result_operator, self_cpu_ns),
	K("cpu_total_us", MILLI, result_operator, cpu_total_ns),
	K("self_device_us", MILLI, result_operator, self_device_ns),
	K("time_share", SHARE, result_operator, share_ppm),
	LIST("shapes", LIST, result_operator, shapes, shape_count, &shape_record),
	K("shape_count", COUNT, result_operator, shape_total),
	LIST("arguments", TEXTS, result_operator, arguments, argument_count, NULL, .flags = OPTIONAL),
	F(OBJECT, result_operator, dynamic, .record = &dynamic_record),
	F(OBJECT, result_operator, observed, .record = &observed_record, WHEN(result_operator, observed.where)),
	LIST("verdicts", MAP, result_operator, verdicts, verdict_count, &verdict_by_target));

static const struct record implied_record = RECORD(result_implied,
	F(TEXT, result_implied, name),
	F(MESSAGE, result_implied, because),
	LIST("verdicts", MAP, result_implied, verdicts, verdict_count, &verdict_by_target));

static const struct record ignored_record = RECORD(result_ignored,
	F(TEXT, result_ignored, name),
	K("class", ENUM, result_ignored, name_class, .words = &name_class_words),
	F(COUNT, result_ignored, calls));

static const struct record gradient_record = RECORD(result_gradient,
	F(TEXT, result_gradient, forward),
	F(ENUM, result_gradient, forward_status, .words = &op_status_words),
	F(TEXT, result_gradient, backward),
	F(ENUM, result_gradient, backward_status, .words = &op_status_words),
	F(BOOL, result_gradient, recorded));

static const struct record training_record = RECORD(result_training,
	F(LINE, result_training, target),
	F(BOOL, result_training, recorded),
	EACH_WITH(ENUM, result_training, (.words = &verdict_words), forward, whole),
	LIST("gradients", LIST, result_training, gradients, gradient_count, &gradient_record));

/* --- costs */

static const struct record gain_record = LO_HI(result_interval, MICRO, lo_ppm, hi_ppm);

static const struct record change_record = RECORD(result_change,
	EACH_WITH(OBJECT, result_change, (.record = &gain_record), readiness, coverage),
	F(NUMBER, result_change, blockers));

static const struct record alone_record = RECORD(result_alone,
	F(COUNT, result_alone, after, .flags = OPTIONAL),
	F(INLINE, result_alone, here, .record = &change_record),
	K("moved", HAS, result_alone, has_moved),
	F(OBJECT, result_alone, moved, .record = &change_record, WHEN(result_alone, has_moved)));

static const struct record fix_record = RECORD(result_fix,
	F(ENUM, result_fix, kind, .words = &fix_words),
	F(TEXT, result_fix, what),
	F(ENUM, result_fix, effort, .words = &effort_words),
	K("operator_count", COUNT, result_fix, operator_total),
	LIST("operators", TEXTS, result_fix, operators, operator_count, NULL),
	EACH_WITH(OBJECT, result_fix, (.record = &interval_record), readiness, coverage),
	F(OBJECT, result_fix, aicpu, .record = &interval_record, .flags = LATER),
	F(COUNT, result_fix, blockers),
	F(POINTER, result_fix, alone, .record = &alone_record, .flags = OPTIONAL));

static const struct record stall_record = LO_HI(result_compiling, MILLI, stall_lo_ms, stall_hi_ms);

/* Seconds a compile, and where that is from. */
static void put_assumed(struct jsonw *json, const void *item)
{
	enum { SECOND_PLACES = 3 };

	(void)item;
	jsonw_object(json);
	jsonw_key_decimal(json, "lo", COMPILE_LO_MS, SECOND_PLACES);
	jsonw_key_decimal(json, "hi", COMPILE_HI_MS, SECOND_PLACES);
	jsonw_key_list(json, "sources");
	for (size_t i = 0; i < ARRAY_SIZE(penalty_sources); i++)
		jsonw_str(json, str_from(penalty_sources[i]));
	jsonw_list_end(json);
	jsonw_object_end(json);
}

static const struct record compiling_record = RECORD(result_compiling,
	F(ENUM, result_compiling, mode, .words = &compile_words),
	EACH(COUNT, result_compiling, operators, compiles),
	K("first_step", COUNT, result_compiling, first),
	F(BOOL, result_compiling, at_least),
	PART("stall_s", &stall_record),
	PUT("assumed_s", put_assumed));

static const struct record host_transfer_record = RECORD(result_host_transfer,
	K("operator", TEXT, result_host_transfer, operator_name),
	EACH(COUNT, result_host_transfer, calls, bytes_to_host, bytes_to_device),
	K("copy_us", MILLI, result_host_transfer, copy_ns),
	K("host_us", MILLI, result_host_transfer, host_ns));

static const struct record per_step_record = RECORD(result_fallback,
	K("lo", COUNT, result_fallback, runs_lo),
	K("hi", COUNT, result_fallback, runs_hi),
	F(BOOL, result_fallback, ordered));

static const struct record longest_record = RECORD(result_fallback,
	K("crossings", COUNT, result_fallback, longest.runs),
	K("operators", COUNT, result_fallback, longest.turns),
	K("first", TEXT, result_fallback, longest.first),
	K("last", TEXT, result_fallback, longest.last));

static const struct record visit_record = RECORD(result_visit,
	K("operator", TEXT, result_visit, operator_name),
	EACH(COUNT, result_visit, first, last));

static const struct record turns_record = RECORD(result_turns, EACH(COUNT, result_turns, first, last));

static const struct record timeline_record = RECORD(result_timeline,
	K("operators", COUNT, result_timeline, turns),
	LIST("visits", LIST, result_timeline, visits, visit_count, &visit_record),
	F(COUNT, result_timeline, left_out),
	F(OBJECT, result_timeline, longest, .record = &turns_record));

static const struct record fallback_record = RECORD(result_fallback,
	EACH(COUNT, result_fallback, calls, bytes_to_host, bytes_to_device, assumed_bytes, unsized_calls),
	K("copy_us", MILLI, result_fallback, copy_ns),
	K("host_us", MILLI, result_fallback, host_ns),
	F(BOOL, result_fallback, host_known),
	K("ms_per_step", MICRO, result_fallback, step_ns),
	PART("crossings_per_step", &per_step_record),
	PART("longest", &longest_record, WHEN(result_fallback, longest.runs)),
	LIST("operators", LIST, result_fallback, items, item_count, &host_transfer_record),
	F(POINTER, result_fallback, timeline, .record = &timeline_record, .flags = OPTIONAL));

static const struct record device_share_record = LO_HI(result_place_target, SHARE, device_lo_ppm, device_hi_ppm);

static const struct record place_by_target = RECORD(result_place_target,
	F(LINE, result_place_target, target), /* the key of a map */
	PART("device", &device_share_record),
	K("fallback", SHARE, result_place_target, fallback_ppm),
	K("blocked", SHARE, result_place_target, blocked_ppm),
	K("unknown", SHARE, result_place_target, unknown_ppm),
	F(COUNT, result_place_target, blockers));

static const struct record place_record = RECORD(result_place,
	F(TEXT, result_place, path),
	F(PLACE, result_place, depth),
	EACH(COUNT, result_place, calls, operators),
	K("time_share", SHARE, result_place, share_ppm),
	LIST("targets", MAP, result_place, targets, target_count, &place_by_target));

static const struct record cost_record = RECORD(result_cost,
	F(COUNT, result_cost, steps),
	K("step_us", MILLI, result_cost, step_ns),
	F(COUNT, result_cost, host_bandwidth),
	K("host_slowdown", MILLI, result_cost, host_slowdown_milli),
	K("graphs", HAS, result_cost, graphs_known),
	F(COUNT, result_cost, graphs, WHEN(result_cost, graphs_known)));

/* --- targets */

static const struct record operators_by_status = BARE(result_count,
	F(ENUM, result_count, status, .words = &op_status_words),
	F(COUNT, result_count, operators));

static const struct record time_by_status = BARE(result_count,
	F(ENUM, result_count, status, .words = &op_status_words),
	K("time", SHARE, result_count, time_ppm));

static bool is_word_check(const void *item)
{
	return !((const struct result_check *)item)->is_budget;
}

static const struct record measured_record = LO_HI(result_check, SHARE, lo_ppm, hi_ppm);

static const struct record check_record = RECORD(result_check,
	F(WORD, result_check, name),
	F(BOOL, result_check, failed),
	K("measured", HAS, result_check, is_budget),
	K("limit", SHARE, result_check, limit_ppm, WHEN(result_check, is_budget)),
	PART("measured", &measured_record, WHEN(result_check, is_budget)),
	F(COUNT, result_check, counted, .flags = OPTIONAL, .when = is_word_check),
	F(COUNT, result_check, waived, .flags = OPTIONAL, .when = is_word_check),
	F(COUNT, result_check, known, .flags = OPTIONAL, .when = is_word_check));

static const struct record target_record = RECORD(result_target,
	F(LINE, result_target, id),
	F(TEXT, result_target, asked, .flags = OPTIONAL),
	EACH(LINE, result_target, plugin, torch, cann, date, fallback),
	EACH_WITH(OBJECT, result_target, (.record = &coverage_record), readiness, coverage),
	F(OBJECT, result_target, where, .record = &where_record, .flags = LATER),
	LIST("counts", MAP, result_target, counts, count_count, &operators_by_status),
	LIST("time_by_status", MAP_AGAIN, result_target, counts, count_count, &time_by_status),
	F(ENUM, result_target, verdict, .words = &verdict_words),
	F(MESSAGE, result_target, reason, WHEN(result_target, reason.id)),
	F(ENUM, result_target, gate, .words = &gate_state_words),
	LIST("checks", LIST, result_target, checks, check_count, &check_record, .flags = OPTIONAL),
	LIST("fixes", LIST, result_target, fixes, fix_count, &fix_record, .flags = LATER),
	F(COUNT, result_target, fixes_left, .flags = LATER),
	F(POINTER, result_target, compiling, .record = &compiling_record, .flags = OPTIONAL),
	K("fallback_cost", POINTER, result_target, host_transfers, .record = &fallback_record, .flags = OPTIONAL));

/* --- questions */

static const struct record verdict_of_answer = BARE(result_answer_verdict,
	F(LINE, result_answer_verdict, target), /* the key of a map */
	F(ENUM, result_answer_verdict, verdict, .words = &verdict_words));

static const struct record answer_record = RECORD(result_answer,
	F(WORD, result_answer, value),
	LIST("verdicts", MAP, result_answer, verdicts, verdict_count, &verdict_of_answer));

static const struct record question_record = RECORD(result_question,
	F(WORD, result_question, id),
	F(INLINE, result_question, text),
	LIST("answers", LIST, result_question, answers, answer_count, &answer_record));

/* --- agreement */

static const struct record score_record = RECORD(agreement_score,
	K("operators", SHARE_OR_NULL, agreement_score, operators_ppm),
	K("calls", SHARE_OR_NULL, agreement_score, calls_ppm),
	K("time", SHARE_OR_NULL, agreement_score, time_ppm));

static const struct record sum_by_outcome = RECORD(agreement_sum,
	F(ENUM, agreement_sum, outcome, .words = &outcome_words), /* the key of a map */
	EACH(COUNT, agreement_sum, operators, calls),
	K("device_us", MILLI, agreement_sum, device_ns));

static const struct record entry_record = RECORD(agreement_entry,
	K("operator", TEXT, agreement_entry, operator_name),
	F(ENUM, agreement_entry, outcome, .words = &outcome_words),
	F(ENUM, agreement_entry, predicted, .words = &predicted_words),
	F(ENUM, agreement_entry, observed, .words = &where_words),
	F(BOOL, agreement_entry, implied, .flags = OPTIONAL),
	F(COUNT, agreement_entry, calls),
	K("self_device_us", MILLI, agreement_entry, self_device_ns),
	LIST("evidence", LIST, agreement_entry, evidence, evidence_count, &message_record));

const struct record agreement_record = RECORD(agreement,
	F(LINE, agreement, target),
	F(BOOL, agreement, made_on),
	F(ENUM, agreement, state, .words = &agreement_words),
	F(OBJECT, agreement, score, .record = &score_record),
	LIST("counts", MAP, agreement, sums, sum_count, &sum_by_outcome),
	LIST("operators", LIST, agreement, entries, entry_count, &entry_record));

/* --- findings, and what a policy says of them */

static const struct record waiver_record = RECORD(result_waiver,
	F(WORD, result_waiver, id),
	F(ENUM, result_waiver, state, .words = &waiver_words),
	F(TEXT, result_waiver, reason),
	EACH_WITH(TEXT, result_waiver, (.flags = OPTIONAL), owner, ref),
	EACH_WITH(WORD, result_waiver, (.flags = OPTIONAL), justification, until));

static void put_effort(struct jsonw *json, const void *item)
{
	jsonw_str(json, word_for(&effort_words, effort_of(item)));
}

static const struct record site_record = RECORD(result_site,
	F(TEXT, result_site, path),
	EACH(PLACE, result_site, line, column, end_line, end_column),
	EACH(TEXT, result_site, expression, replacement),
	F(ENUM, result_site, action, .words = &source_action_words));

static const struct record call_record = RECORD(result_call,
	K("path", TEXT, result_call, site.path),
	K("line", PLACE, result_call, site.line),
	K("column", PLACE, result_call, site.column),
	K("end_line", PLACE, result_call, site.end_line),
	K("end_column", PLACE, result_call, site.end_column),
	K("expression", TEXT, result_call, site.expression),
	K("known_by", ENUM, result_call, origin, .words = &call_origin_words),
	F(TEXT, result_call, api, .flags = OPTIONAL));

static const struct record callings_record = RECORD(result_callings,
	K("operator", TEXT, result_callings, operator_name),
	K("lines", COUNT, result_callings, call_total),
	LIST("calls", LIST, result_callings, calls, call_count, &call_record));

static const struct record source_tree_record = RECORD(result_source_tree,
	EACH(COUNT, result_source_tree, files, lines, left_out),
	F(COUNT, result_source_tree, magics, .flags = OPTIONAL),
	LIST("unread", LIST, result_source_tree, unread, unread_count, &message_record),
	LIST("called_from", LIST, result_source_tree, callings, callings_count, &callings_record, .flags = OPTIONAL));

static const struct record finding_record = RECORD(result_finding,
	F(ENUM, result_finding, severity, .words = &severity_words),
	K("operator", TEXT, result_finding, operator_name),
	LIST("operators", TEXTS, result_finding, operators, operator_count, NULL, .flags = OPTIONAL),
	F(LINE, result_finding, target),
	K("time_share", SHARE, result_finding, share_ppm),
	F(INLINE, result_finding, what),
	LIST("evidence", LIST, result_finding, evidence, evidence_count, &evidence_record),
	LIST("advice", LIST, result_finding, advice, advice_count, &message_record),
	PUT("effort", put_effort),
	F(WORD, result_finding, fingerprint),
	F(WORD, result_finding, fact, .flags = OPTIONAL),
	F(ENUM, result_finding, age, .words = &age_words, .flags = OPTIONAL),
	K("source", POINTER, result_finding, site, .record = &site_record, .flags = OPTIONAL),
	F(POINTER, result_finding, waiver, .record = &waiver_record, .flags = OPTIONAL));

static void put_cause_text(struct jsonw *json, const void *item)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	catalog_put(&text, LANG_EN, &((const struct result_cause *)item)->text);
	jsonw_str(json, buf_str(&text));
}

static const struct record cause_record = RECORD(result_cause,
	F(TEXT, result_cause, id),
	F(ENUM, result_cause, severity, .words = &severity_words),
	LIST("targets", TEXTS, result_cause, targets, target_count, NULL),
	LIST("operators", TEXTS, result_cause, operators, operator_count, NULL),
	K("time_share", SHARE, result_cause, share_ppm),
	F(WORD, result_cause, rule),
	PUT("text", put_cause_text),
	K("statement", MESSAGE, result_cause, text),
	LIST("advice", LIST, result_cause, advice, advice_count, &message_record),
	LIST("findings", TEXTS, result_cause, findings, finding_count, NULL),
	F(TEXT, result_cause, under, .flags = OPTIONAL));

static const struct record recipe_record = RECORD(result_recipe,
	K("id", WORD, result_recipe, name),
	EACH(WORD, result_recipe, torch, tolerance),
	F(TEXT, result_recipe, code));

static const struct record source_record = RECORD(result_source,
	F(TEXT, result_source, name),
	F(WORD, result_source, sha256),
	F(COUNT, result_source, count));

static const struct record policy_record = RECORD(result_policy,
	F(WORD, result_policy, date, WHEN(result_policy, waiver_count)),
	LIST("waivers", LIST, result_policy, waivers, waiver_count, &source_record, .flags = OPTIONAL),
	F(OBJECT, result_policy, baseline, .record = &source_record, WHEN(result_policy, baseline.name.len)),
	LIST("warnings", LIST, result_policy, warnings, warning_count, &message_record));

/* --- sizes that change */

static const struct record size_record = TUPLE(result_size, F(NUMBER, result_size, size), F(COUNT, result_size, calls));

static const struct record padding_record = RECORD(result_padding,
	F(PLACE, result_padding, k),
	K("waste", SHARE, result_padding, waste_ppm),
	LIST("sizes", NUMBERS, result_padding, sizes, size_count, NULL));

const struct record bucket_place_record = RECORD(bucket_place,
	K("operator", TEXT, bucket_place, operator_name),
	F(ENUM, bucket_place, kind, .words = &dynamic_words),
	EACH(PLACE, bucket_place, argument, tensor, dim));

static const struct record padded_record = RECORD(result_padded,
	F(ENUM, result_padded, kind, .words = &dynamic_words),
	EACH(NUMBER, result_padded, min, max),
	EACH(COUNT, result_padded, distinct, steps, calls),
	LIST("sizes", LIST, result_padded, sizes, size_count, &size_record),
	LIST("plans", LIST, result_padded, plans, plan_count, &padding_record),
	LIST("places", LIST, result_padded, places, place_count, &bucket_place_record),
	F(COUNT, result_padded, place_total));

/* --- releases */

static const struct record release_record = RECORD(result_release,
	EACH(LINE, result_release, id, target, torch, cann, date),
	F(BOOL, result_release, stable),
	F(ENUM, result_release, verdict, .words = &verdict_words),
	EACH_WITH(OBJECT, result_release, (.record = &interval_record), readiness, coverage),
	EACH(COUNT, result_release, blockers, unknown));

static const struct record span_record = RECORD(result_span,
	F(ENUM, result_span, state, .words = &span_words),
	EACH(LINE, result_span, first, last));

static const struct record blocker_record = RECORD(result_blocker,
	K("operator", TEXT, result_blocker, operator_name),
	K("time_share", SHARE, result_blocker, share_ppm),
	LIST("releases", LIST, result_blocker, spans, span_count, &span_record));

static const struct record names_record = RECORD(result_names,
	F(COUNT, result_names, total),
	LIST("names", TEXTS, result_names, items, count, NULL));

static const struct record move_record = RECORD(result_move,
	EACH(LINE, result_move, target, from, to, from_torch, to_torch),
	EACH(BOOL, result_move, clears, back),
	F(COUNT, result_move, releases),
	EACH_WITH(OBJECT, result_move, (.record = &names_record), cleared, left),
	K("new", OBJECT, result_move, fresh, .record = &names_record),
	EACH_WITH(LINE, result_move, (.flags = OPTIONAL), kernels, kernels_cann),
	F(OBJECT, result_move, off_aicpu, .record = &names_record, WHEN(result_move, kernels.len)));

/* --- the report */

static void put_schema_version(struct jsonw *json, const void *item)
{
	(void)item;
	jsonw_str(json, STR(REPORT_SCHEMA_VERSION));
}

static void put_tool_name(struct jsonw *json, const void *item)
{
	(void)item;
	jsonw_str(json, STR("opcheck"));
}

static const struct record tool_record = RECORD(result,
	PUT("name", put_tool_name),
	K("version", LINE, result, tool_version));

static const struct record overlay_record = RECORD(result_overlay,
	F(LINE, result_overlay, name),
	F(WORD, result_overlay, sha256),
	F(COUNT, result_overlay, facts));

static const struct record db_record = RECORD(result_db,
	EACH(LINE, result_db, build, built_at),
	F(WORD, result_db, sha256),
	LIST("overlays", LIST, result_db, overlays, overlay_count, &overlay_record, .flags = OPTIONAL));

static const struct record assumption_record = RECORD(result_assumption,
	K("operator", TEXT, result_assumption, name),
	F(ENUM, result_assumption, status, .words = &op_status_words));

/* Reports of earlier versions state shares of what is shown. */
static bool is_part_shown(const void *item)
{
	return ((const struct result *)item)->shown_ppm < WHOLE_PPM;
}

const struct record header_record = RECORD(result,
	PUT("schema_version", put_schema_version),
	PART("tool", &tool_record),
	F(OBJECT, result, db, .record = &db_record),
	LIST("assumptions", LIST, result, assumptions, assumption_count, &assumption_record, .flags = OPTIONAL),
	F(ENUM, result, basis, .words = &basis_words),
	K("shown", SHARE, result, shown_ppm, .flags = OPTIONAL, .when = is_part_shown));

static bool has_policy(const void *item)
{
	const struct result_policy *policy = &((const struct result *)item)->policy;

	return policy->waiver_count || policy->baseline.name.len;
}

static bool has_heat(const void *item)
{
	return step_heat_of(item).columns;
}

/* What is read back from shapes of operators, for those who draw it. */
static void put_heat(struct jsonw *json, const void *item)
{
	struct step_heat heat = step_heat_of(item);

	jsonw_object(json);
	jsonw_key_number(json, "last", heat.last);
	jsonw_key_number(json, "per_column", heat.per_column);
	jsonw_key_list(json, "operators");
	for (size_t i = 0; i < heat.count; i++) {
		jsonw_object(json);
		jsonw_key_str(json, "operator", heat.ops[i]->name);
		jsonw_key_list(json, "new");
		for (uint32_t j = 0; j < heat.columns; j++)
			jsonw_number(json, (int64_t)heat.fresh[i][j]);
		jsonw_list_end(json);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
	jsonw_object_end(json);
}

const struct record report_record = RECORD(result,
	{ .key = "schema_version", .kind = FIELD_INLINE, .record = &header_record },
	LIST("inputs", LIST, result, inputs, input_count, &input_record),
	LIST("targets", LIST, result, targets, target_count, &target_record),
	LIST("operators", LIST, result, operators, operator_count, &operator_record),
	F(OBJECT, result, cost, .record = &cost_record, .flags = LATER),
	K("modules_by", ENUM, result, places.kind, .words = &place_words, .flags = OPTIONAL),
	K("calls_placed_nowhere", COUNT, result, places.left_out, WHEN(result, places.kind)),
	LIST("type_sets", LIST, result, type_sets, type_set_count, &types_record, .flags = OPTIONAL),
	LIST("modules", LIST, result, places.items, places.count, &place_record, WHEN(result, places.kind)),
	LIST("buckets", LIST, result, buckets.items, buckets.count, &padded_record, .flags = OPTIONAL),
	K("buckets_left", COUNT, result, buckets.left_out, .flags = OPTIONAL),
	PUT("steps", put_heat, .flags = OPTIONAL, .when = has_heat),
	LIST("releases", LIST, result, releases.items, releases.count, &release_record, .flags = OPTIONAL),
	LIST("blockers", LIST, result, releases.blockers, releases.blocker_count, &blocker_record,
		WHEN(result, releases.count)),
	K("blockers_left", COUNT, result, releases.blockers_left, .flags = OPTIONAL),
	LIST("moves", LIST, result, releases.moves, releases.move_count, &move_record, WHEN(result, releases.count)),
	LIST("ignored", LIST, result, ignored, ignored_count, &ignored_record),
	LIST("questions", LIST, result, questions, question_count, &question_record, .flags = OPTIONAL),
	LIST("training", LIST, result, training, training_count, &training_record, .flags = OPTIONAL),
	LIST("implied", LIST, result, implied, implied_count, &implied_record, .flags = OPTIONAL),
	LIST("agreement", LIST, result, agreements, agreement_count, &agreement_record, .flags = OPTIONAL),
	LIST("causes", LIST, result, causes, cause_count, &cause_record, .flags = LATER),
	F(POINTER, result, source, .record = &source_tree_record, .flags = OPTIONAL),
	LIST("recipes", LIST, result, recipes, recipe_count, &recipe_record, .flags = OPTIONAL),
	LIST("findings", LIST, result, findings, finding_count, &finding_record),
	LIST("waived", LIST, result, waived, waived_count, &finding_record),
	F(OBJECT, result, policy, .record = &policy_record, .flags = OPTIONAL, .when = has_policy),
	LIST("warnings", LIST, result, warnings, warning_count, &message_record));

/* clang-format on */

void render_json(const struct result *result, const struct render_options *options, struct buf *out)
{
	enum { LINE_DEPTH = 2 };
	struct jsonw json = jsonw_start(out, LINE_DEPTH);

	(void)options; /* the one form that has no language and no width */
	record_put(&json, &report_record, result);
}
