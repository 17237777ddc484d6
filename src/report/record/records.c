/* The records of the result's structs; schema/report.schema.json describes the same. */
#include "report/record/records.h"

#include "assess/model/rule.h"
#include "assess/model/words.h"
#include "assess/plan/penalty.h"
#include "base/memory/mem.h"
#include "dump/common/facts.h"
#include "opdb/model/dtype.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "report/record/load.h"
#include "report/record/result_kinds.h"
#include "report/record/step_heat.h"

/* clang-format off */

/* --- pieces */

const struct record message_record = { sizeof(struct message), (const struct field[]){
	{ "rule", &kind_message_inline },
	{ 0 } }, .shared = true };

static const struct record evidence_record = { sizeof(struct result_evidence), (const struct field[]){
	{ "kind", &kind_enum, AT(result_evidence, kind), .words = &evidence_kind_words },
	{ "ref", &kind_text, AT(result_evidence, ref) },
	{ "text", &kind_text, AT(result_evidence, text), OPTIONAL },
	{ "date", &kind_line, AT(result_evidence, date), OPTIONAL },
	{ 0 } }, .shared = true };

static const struct record interval_record = { sizeof(struct result_interval), (const struct field[]){
	{ "lo", &kind_share, AT(result_interval, lo_ppm) },
	{ "hi", &kind_share, AT(result_interval, hi_ppm) },
	{ 0 } } };

const struct record coverage_record = { sizeof(struct result_coverage), (const struct field[]){
	{ "time", &kind_object, AT(result_coverage, time), .record = &interval_record },
	{ "calls", &kind_object, AT(result_coverage, calls), .record = &interval_record },
	{ "operators", &kind_object, AT(result_coverage, operators), .record = &interval_record },
	{ 0 } } };

static const struct record where_record = { sizeof(struct result_where), (const struct field[]){
	{ "aicore", &kind_object, AT(result_where, aicore), .record = &interval_record },
	{ "aicpu", &kind_object, AT(result_where, aicpu), .record = &interval_record },
	{ "host", &kind_object, AT(result_where, host), .record = &interval_record },
	{ "nowhere", &kind_object, AT(result_where, nowhere), .record = &interval_record },
	{ "unknown", &kind_object, AT(result_where, unknown), .record = &interval_record },
	{ 0 } } };

/* --- inputs */

static const struct record collective_record = { sizeof(struct result_collective), (const struct field[]){
	{ "name", &kind_text, AT(result_collective, name) },
	{ "dtype", &kind_text, AT(result_collective, dtype) },
	{ "group", &kind_text, AT(result_collective, group) },
	{ "reduction", &kind_text, AT(result_collective, reduction), OPTIONAL },
	{ "ranks", &kind_count, AT(result_collective, ranks) },
	{ "calls", &kind_count, AT(result_collective, calls) },
	{ "in_elements", &kind_count, AT(result_collective, in_elements) },
	{ "out_elements", &kind_count, AT(result_collective, out_elements) },
	{ 0 } } };

static const struct record copies_record = { sizeof(struct result_copies), (const struct field[]){
	{ "kind", &kind_enum, AT(result_copies, kind), .words = &copy_words },
	{ "calls", &kind_count, AT(result_copies, calls) },
	{ "bytes", &kind_count, AT(result_copies, bytes) },
	{ "time_us", &kind_milli, AT(result_copies, ns) },
	{ 0 } } };

static const struct record device_time_record = { sizeof(struct result_device_time), (const struct field[]){
	{ "operators", &kind_milli, AT(result_device_time, operators_ns) },
	{ "collectives", &kind_milli, AT(result_device_time, collectives_ns), OPTIONAL },
	{ "graphs", &kind_milli, AT(result_device_time, graphs_ns) },
	{ "unlinked", &kind_milli, AT(result_device_time, unlinked_ns) },
	{ "compiled", &kind_milli, AT(result_device_time, compiled_ns), OPTIONAL },
	{ "functions", &kind_milli, AT(result_device_time, functions_ns), OPTIONAL },
	{ "before", &kind_milli, AT(result_device_time, before_ns), OPTIONAL },
	{ "missing", &kind_milli, AT(result_device_time, missing_ns), OPTIONAL },
	{ 0 } } };

static const struct record host_time_record = { sizeof(struct result_host_time), (const struct field[]){
	{ "operators", &kind_milli, AT(result_host_time, operators_ns) },
	{ "missing", &kind_milli, AT(result_host_time, missing_ns) },
	{ 0 } } };

static bool has_device_time(const void *item)
{
	const struct result_device_time *time = &((const struct result_capture *)item)->device_time;

	return time->operators_ns || time->graphs_ns || time->unlinked_ns || time->missing_ns;
}

static const struct record capture_record = { sizeof(struct result_capture), (const struct field[]){
	{ "shapes", &kind_bool, AT(result_capture, shapes) },
	{ "dtypes", &kind_bool, AT(result_capture, dtypes) },
	{ "times", &kind_bool, AT(result_capture, times) },
	{ "device_times", &kind_bool, AT(result_capture, device_times) },
	{ "overloads", &kind_bool, AT(result_capture, overloads) },
	{ "strides", &kind_bool, AT(result_capture, strides), LATER },
	{ "concrete_inputs", &kind_bool, AT(result_capture, concrete_inputs), LATER },
	{ "stacks", &kind_bool, AT(result_capture, stacks), LATER },
	{ "modules", &kind_bool, AT(result_capture, modules), LATER },
	{ "links", &kind_bool, AT(result_capture, links), LATER },
	{ "device_time", &kind_object, AT(result_capture, device_time), OPTIONAL, .record = &device_time_record,
		.is_written = has_device_time },
	{ "host_time", &kind_object, AT(result_capture, host_time), OPTIONAL, .record = &host_time_record,
		.when = AT(result_capture, host_time.missing_ns) },
	{ "row_limit_hit", &kind_bool, AT(result_capture, row_limit_hit) },
	{ "truncated_names", &kind_count, AT(result_capture, truncated_names) },
	{ "truncated_shapes", &kind_count, AT(result_capture, truncated_shapes) },
	{ "collectives", &kind_list, ITEMS(result_capture, traffic.collectives, traffic.collective_count),
		.flags = OPTIONAL, .record = &collective_record },
	{ "other_collectives", &kind_count, AT(result_capture, traffic.other_collectives), OPTIONAL },
	{ "copies", &kind_list, ITEMS(result_capture, traffic.copies, traffic.copies_count), .flags = OPTIONAL,
		.record = &copies_record },
	{ "warnings", &kind_list, ITEMS(result_capture, warnings, warning_count), .record = &message_record },
	{ 0 } } };

const struct record device_record = { sizeof(struct result_device), (const struct field[]){
	{ "kind", &kind_word, AT(result_device, kind) },
	{ "sign", &kind_word, AT(result_device, sign) },
	{ "torch", &kind_line, AT(result_device, torch) },
	{ "plugin", &kind_line, AT(result_device, plugin) },
	{ "cann", &kind_line, AT(result_device, cann) },
	{ "chip", &kind_line, AT(result_device, chip) },
	{ "release", &kind_line, AT(result_device, release) },
	{ 0 } } };

static const struct record input_record = { sizeof(struct result_input), (const struct field[]){
	{ "name", &kind_text, AT(result_input, name) },
	{ "sha256", &kind_word, AT(result_input, sha256) },
	{ "bytes", &kind_count, AT(result_input, bytes) },
	{ "compression", &kind_word, AT(result_input, compression) },
	{ "format", &kind_word, AT(result_input, format) },
	{ "encoding", &kind_line, AT(result_input, encoding) },
	{ "torch_era", &kind_line, AT(result_input, torch_era) },
	{ "counted_in", &kind_text, AT(result_input, counted_in), OPTIONAL },
	{ "steps", &kind_count, AT(result_input, steps) },
	{ "tables", &kind_count, AT(result_input, tables) },
	{ "ranks", &kind_count, AT(result_input, ranks) },
	{ "rows", &kind_count, AT(result_input, rows) },
	{ "skipped_lines", &kind_count, AT(result_input, skipped_lines) },
	{ "capture", &kind_object, AT(result_input, capture), .record = &capture_record },
	{ "device", &kind_object, AT(result_input, device), OPTIONAL, .record = &device_record,
		.when = AT(result_input, device.kind.len) },
	{ 0 } } };

/* --- operators */

static const struct record runs_record = { sizeof(struct result_runs), (const struct field[]){
	{ "first", &kind_index, AT(result_runs, first) },
	{ "last", &kind_index, AT(result_runs, last) },
	{ 0 } }, .tuple = true };

static const struct record shape_record = { sizeof(struct result_shape), (const struct field[]){
	{ "dims", &kind_dims, AT(result_shape, dims) },
	{ "dtypes", &kind_types, AT(result_shape, dtypes) },
	{ "overload", &kind_text, AT(result_shape, overload), OPTIONAL },
	{ "cut", &kind_bool, AT(result_shape, cut), OPTIONAL },
	{ "calls", &kind_count, AT(result_shape, calls) },
	{ "steps", &kind_list, ITEMS(result_shape, steps, step_count), .record = &runs_record },
	{ 0 } } };

static const struct record dim_record = { sizeof(struct result_dim), (const struct field[]){
	{ "argument", &kind_index, AT(result_dim, argument) },
	{ "tensor", &kind_index, AT(result_dim, tensor) },
	{ "dim", &kind_index, AT(result_dim, dim) },
	{ "min", &kind_number, AT(result_dim, min) },
	{ "max", &kind_number, AT(result_dim, max) },
	{ "distinct", &kind_count, AT(result_dim, distinct) },
	{ "steps", &kind_count, AT(result_dim, steps), LATER },
	{ "calls", &kind_count, AT(result_dim, calls), LATER },
	{ 0 } } };

static const struct record dynamic_record = { sizeof(struct result_dynamic), (const struct field[]){
	{ "kind", &kind_enum, AT(result_dynamic, kind), .words = &dynamic_words },
	{ "dims", &kind_list, ITEMS(result_dynamic, dims, dim_count), .record = &dim_record },
	{ "distinct", &kind_count, AT(result_dynamic, distinct) },
	{ "follows", &kind_text, AT(result_dynamic, follows), OPTIONAL },
	{ "guide_rule", &kind_enum, AT(result_dynamic, guide_rule), .words = &guide_words },
	{ "evidence", &kind_message, AT(result_dynamic, evidence) },
	{ 0 } } };

static const struct record overload_record = { sizeof(struct result_overload), (const struct field[]){
	{ "name", &kind_text, AT(result_overload, name) },
	{ "status", &kind_enum, AT(result_overload, status), .words = &op_status_words },
	{ 0 } } };

static const struct record types_record = { sizeof(struct result_types), (const struct field[]){
	{ "takes", &kind_flags, AT(result_types, takes), OPTIONAL, .words = &dtype_words },
	{ "refuses", &kind_flags, AT(result_types, refuses), OPTIONAL, .words = &dtype_words },
	{ "tested", &kind_flags, AT(result_types, tested), OPTIONAL, .words = &dtype_words },
	{ "aicpu", &kind_flags, AT(result_types, aicpu), OPTIONAL, .words = &dtype_words },
	{ "aicpu_if", &kind_flags, AT(result_types, aicpu_if), OPTIONAL, .words = &dtype_words },
	{ 0 } } };

const struct record verdict_record = { sizeof(struct result_verdict), (const struct field[]){
	{ "status", &kind_enum, AT(result_verdict, status), .words = &op_status_words },
	{ "overloads", &kind_list, ITEMS(result_verdict, overloads, overload_count), .record = &overload_record },
	{ "via", &kind_text, AT(result_verdict, via) },
	{ "flags", &kind_flags, AT(result_verdict, flags), .words = &flag_words },
	{ "types", &kind_index, AT(result_verdict, types), OPTIONAL, .when = AT(result_verdict, types) },
	{ "conditions", &kind_list, ITEMS(result_verdict, conditions, condition_count), .record = &message_record },
	{ "aicpu", &kind_object, AT(result_verdict, aicpu), OPTIONAL, .record = &interval_record,
		.when = AT(result_verdict, aicpu.hi_ppm) },
	{ "device_share", &kind_share, AT(result_verdict, device_ppm), OPTIONAL },
	{ "dtypes", &kind_text, AT(result_verdict, dtypes), OPTIONAL },
	{ "since", &kind_line, AT(result_verdict, since) },
	{ "until", &kind_line, AT(result_verdict, until) },
	{ "evidence", &kind_list, ITEMS(result_verdict, evidence, evidence_count), .record = &evidence_record },
	{ "advice", &kind_list, ITEMS(result_verdict, advice, advice_count), .record = &message_record },
	{ 0 } } };

const struct record verdict_by_target = { sizeof(struct result_verdict), (const struct field[]){
	{ "target", &kind_line, AT(result_verdict, target) }, /* the key of a map */
	{ "status", &kind_inline, .record = &verdict_record },
	{ 0 } } };

static const struct record observed_record = { sizeof(struct result_observed), (const struct field[]){
	{ "where", &kind_enum, AT(result_observed, where), .words = &where_words },
	{ "evidence", &kind_list, ITEMS(result_observed, evidence, evidence_count), .record = &message_record },
	{ 0 } } };

static const struct record spot_record = { sizeof(struct result_spot), (const struct field[]){
	{ "input", &kind_index, AT(result_spot, input) },
	{ "line", &kind_count, AT(result_spot, line), OPTIONAL },
	{ "byte", &kind_count, AT(result_spot, byte), OPTIONAL },
	{ 0 } } };

static const struct record callers_record = { sizeof(struct result_callers), (const struct field[]){
	{ "modules", &kind_texts, ITEMS(result_callers, modules, module_count) },
	{ "lines", &kind_texts, ITEMS(result_callers, lines, line_count) },
	{ 0 } } };

static const struct record operator_record = { sizeof(struct result_operator), (const struct field[]){
	{ "name", &kind_text, AT(result_operator, name) },
	{ "first_seen", &kind_pointer, AT(result_operator, first_seen), OPTIONAL, .record = &spot_record },
	{ "callers", &kind_pointer, AT(result_operator, callers), OPTIONAL, .record = &callers_record },
	{ "in_modules", &kind_numbers, ITEMS(result_operator, places, place_count), .flags = OPTIONAL },
	{ "calls", &kind_count, AT(result_operator, calls) },
	{ "self_cpu_us", &kind_milli, AT(result_operator, self_cpu_ns) },
	{ "cpu_total_us", &kind_milli, AT(result_operator, cpu_total_ns) },
	{ "self_device_us", &kind_milli, AT(result_operator, self_device_ns) },
	{ "time_share", &kind_share, AT(result_operator, share_ppm) },
	{ "shapes", &kind_list, ITEMS(result_operator, shapes, shape_count), .record = &shape_record },
	{ "shape_count", &kind_count, AT(result_operator, shape_total) },
	{ "arguments", &kind_texts, ITEMS(result_operator, arguments, argument_count), .flags = OPTIONAL },
	{ "dynamic", &kind_object, AT(result_operator, dynamic), .record = &dynamic_record },
	{ "observed", &kind_object, AT(result_operator, observed), OPTIONAL, .record = &observed_record,
		.when = AT(result_operator, observed.where) },
	{ "verdicts", &kind_map, ITEMS(result_operator, verdicts, verdict_count), .record = &verdict_by_target },
	{ 0 } } };

static const struct record implied_record = { sizeof(struct result_implied), (const struct field[]){
	{ "name", &kind_text, AT(result_implied, name) },
	{ "because", &kind_message, AT(result_implied, because) },
	{ "verdicts", &kind_map, ITEMS(result_implied, verdicts, verdict_count), .record = &verdict_by_target },
	{ 0 } } };

static const struct record ignored_record = { sizeof(struct result_ignored), (const struct field[]){
	{ "name", &kind_text, AT(result_ignored, name) },
	{ "class", &kind_enum, AT(result_ignored, name_class), .words = &name_class_words },
	{ "calls", &kind_count, AT(result_ignored, calls) },
	{ 0 } } };

static const struct record gradient_record = { sizeof(struct result_gradient), (const struct field[]){
	{ "forward", &kind_text, AT(result_gradient, forward) },
	{ "forward_status", &kind_enum, AT(result_gradient, forward_status), .words = &op_status_words },
	{ "backward", &kind_text, AT(result_gradient, backward) },
	{ "backward_status", &kind_enum, AT(result_gradient, backward_status), .words = &op_status_words },
	{ "recorded", &kind_bool, AT(result_gradient, recorded) },
	{ 0 } } };

static const struct record training_record = { sizeof(struct result_training), (const struct field[]){
	{ "target", &kind_line, AT(result_training, target) },
	{ "recorded", &kind_bool, AT(result_training, recorded) },
	{ "forward", &kind_enum, AT(result_training, forward), .words = &verdict_words },
	{ "whole", &kind_enum, AT(result_training, whole), .words = &verdict_words },
	{ "gradients", &kind_list, ITEMS(result_training, gradients, gradient_count), .record = &gradient_record },
	{ 0 } } };

/* --- costs */

static const struct record gain_record = { sizeof(struct result_interval), (const struct field[]){
	{ "lo", &kind_gain, AT(result_interval, lo_ppm) },
	{ "hi", &kind_gain, AT(result_interval, hi_ppm) },
	{ 0 } } };

static const struct record change_record = { sizeof(struct result_change), (const struct field[]){
	{ "readiness", &kind_object, AT(result_change, readiness), .record = &gain_record },
	{ "coverage", &kind_object, AT(result_change, coverage), .record = &gain_record },
	{ "blockers", &kind_number, AT(result_change, blockers) },
	{ 0 } } };

static const struct record alone_record = { sizeof(struct result_alone), (const struct field[]){
	{ "after", &kind_count, AT(result_alone, after), OPTIONAL },
	{ "here", &kind_inline, AT(result_alone, here), .record = &change_record },
	{ "moved", &kind_object, AT(result_alone, moved), PRESENCE, .record = &change_record,
		.when = AT(result_alone, has_moved) },
	{ 0 } } };

static const struct record fix_record = { sizeof(struct result_fix), (const struct field[]){
	{ "kind", &kind_enum, AT(result_fix, kind), .words = &fix_words },
	{ "what", &kind_text, AT(result_fix, what) },
	{ "dtypes", &kind_text, AT(result_fix, dtypes), OPTIONAL },
	{ "effort", &kind_enum, AT(result_fix, effort), .words = &effort_words },
	{ "operator_count", &kind_count, AT(result_fix, operator_total) },
	{ "operators", &kind_texts, ITEMS(result_fix, operators, operator_count) },
	{ "readiness", &kind_object, AT(result_fix, readiness), .record = &interval_record },
	{ "coverage", &kind_object, AT(result_fix, coverage), .record = &interval_record },
	{ "aicpu", &kind_object, AT(result_fix, aicpu), LATER, .record = &interval_record },
	{ "blockers", &kind_count, AT(result_fix, blockers) },
	{ "alone", &kind_pointer, AT(result_fix, alone), OPTIONAL, .record = &alone_record },
	{ 0 } } };

static const struct record stall_record = { sizeof(struct result_compiling), (const struct field[]){
	{ "lo", &kind_milli, AT(result_compiling, stall_lo_ms) },
	{ "hi", &kind_milli, AT(result_compiling, stall_hi_ms) },
	{ 0 } } };

/* Seconds a compile, and where that is from. */
static void put_assumed(struct jsonw *json, const void *item UNUSED)
{
	enum { SECOND_PLACES = 3 };

	jsonw_object(json);
	jsonw_key_decimal(json, "lo", COMPILE_LO_MS, SECOND_PLACES);
	jsonw_key_decimal(json, "hi", COMPILE_HI_MS, SECOND_PLACES);
	jsonw_key_list(json, "sources");
	for (size_t i = 0; i < ARRAY_SIZE(penalty_sources); i++)
		jsonw_str(json, str_from(penalty_sources[i]));
	jsonw_list_end(json);
	jsonw_object_end(json);
}

static const struct record compiling_record = { sizeof(struct result_compiling), (const struct field[]){
	{ "mode", &kind_enum, AT(result_compiling, mode), .words = &compile_words },
	{ "operators", &kind_count, AT(result_compiling, operators) },
	{ "compiles", &kind_count, AT(result_compiling, compiles) },
	{ "first_step", &kind_count, AT(result_compiling, first) },
	{ "at_least", &kind_bool, AT(result_compiling, at_least) },
	{ "stall_s", &kind_object, .record = &stall_record },
	{ "assumed_s", &kind_made, .put = put_assumed },
	{ 0 } } };

static const struct record host_transfer_record = { sizeof(struct result_host_transfer), (const struct field[]){
	{ "operator", &kind_text, AT(result_host_transfer, operator_name) },
	{ "calls", &kind_count, AT(result_host_transfer, calls) },
	{ "bytes_to_host", &kind_count, AT(result_host_transfer, bytes_to_host) },
	{ "bytes_to_device", &kind_count, AT(result_host_transfer, bytes_to_device) },
	{ "copy_us", &kind_milli, AT(result_host_transfer, copy_ns) },
	{ "host_us", &kind_milli, AT(result_host_transfer, host_ns) },
	{ 0 } } };

const struct record time_range_record = { sizeof(struct time_range), (const struct field[]){
	{ "lo_us", &kind_milli, AT(time_range, lo_ns), LATER },
	{ "middle_us", &kind_milli, AT(time_range, middle_ns), LATER },
	{ "hi_us", &kind_milli, AT(time_range, hi_ns), LATER },
	{ 0 } } };

static const struct record estimate_part_record = { sizeof(struct result_estimate_part), (const struct field[]){
	{ "name", &kind_text, AT(result_estimate_part, name) },
	{ "calls", &kind_count, AT(result_estimate_part, calls) },
	{ "time", &kind_inline, AT(result_estimate_part, time), .record = &time_range_record },
	{ "at_least", &kind_bool, AT(result_estimate_part, at_least) },
	{ 0 } } };

static const struct record estimate_scaled_record = { sizeof(struct result_estimate), (const struct field[]){
	{ "chip", &kind_text, AT(result_estimate, source) },
	{ "time", &kind_inline, AT(result_estimate, scaled), .record = &time_range_record },
	{ 0 } } };

static const struct record estimate_record = { sizeof(struct result_estimate), (const struct field[]){
	{ "refused", &kind_message, AT(result_estimate, refused), OPTIONAL, .when = AT(result_estimate, refused.id) },
	{ "chips", &kind_text, AT(result_estimate, chips), OPTIONAL },
	{ "left_out", &kind_text, AT(result_estimate, left_out), OPTIONAL },
	{ "range", &kind_bool, AT(result_estimate, range), OPTIONAL },
	{ "assumed", &kind_text, AT(result_estimate, assumed), OPTIONAL },
	{ "steps", &kind_count, AT(result_estimate, steps), OPTIONAL },
	{ "time", &kind_inline, AT(result_estimate, time), OPTIONAL, .record = &time_range_record },
	{ "known", &kind_share, AT(result_estimate, known_ppm), OPTIONAL },
	{ "at_least_us", &kind_milli, AT(result_estimate, bound_ns), OPTIONAL },
	{ "aicpu_calls", &kind_count, AT(result_estimate, aicpu_calls), OPTIONAL },
	{ "launches", &kind_count, AT(result_estimate, launches), OPTIONAL },
	{ "host_decides", &kind_bool, AT(result_estimate, host_decides), OPTIONAL },
	{ "communication_us", &kind_milli, AT(result_estimate, communication_ns), OPTIONAL },
	{ "fallback_bytes", &kind_count, AT(result_estimate, fallback_bytes), OPTIONAL },
	{ "fallback_us", &kind_milli, AT(result_estimate, fallback_ns), OPTIONAL },
	{ "classes", &kind_list, ITEMS(result_estimate, classes, class_count), .flags = OPTIONAL,
		.record = &estimate_part_record },
	{ "operators", &kind_list, ITEMS(result_estimate, operators, operator_count), .flags = OPTIONAL,
		.record = &estimate_part_record },
	{ "scaled", &kind_object, .flags = OPTIONAL, .when = AT(result_estimate, source.len),
		.record = &estimate_scaled_record },
	{ 0 } } };

static const struct record per_step_record = { sizeof(struct result_fallback), (const struct field[]){
	{ "lo", &kind_count, AT(result_fallback, runs_lo) },
	{ "hi", &kind_count, AT(result_fallback, runs_hi) },
	{ "ordered", &kind_bool, AT(result_fallback, ordered) },
	{ 0 } } };

static const struct record longest_record = { sizeof(struct result_fallback), (const struct field[]){
	{ "crossings", &kind_count, AT(result_fallback, longest.runs) },
	{ "operators", &kind_count, AT(result_fallback, longest.turns) },
	{ "first", &kind_text, AT(result_fallback, longest.first) },
	{ "last", &kind_text, AT(result_fallback, longest.last) },
	{ 0 } } };

static const struct record visit_record = { sizeof(struct result_visit), (const struct field[]){
	{ "operator", &kind_text, AT(result_visit, operator_name) },
	{ "first", &kind_count, AT(result_visit, first) },
	{ "last", &kind_count, AT(result_visit, last) },
	{ 0 } } };

static const struct record turns_record = { sizeof(struct result_turns), (const struct field[]){
	{ "first", &kind_count, AT(result_turns, first) },
	{ "last", &kind_count, AT(result_turns, last) },
	{ 0 } } };

static const struct record timeline_record = { sizeof(struct result_timeline), (const struct field[]){
	{ "operators", &kind_count, AT(result_timeline, turns) },
	{ "visits", &kind_list, ITEMS(result_timeline, visits, visit_count), .record = &visit_record },
	{ "left_out", &kind_count, AT(result_timeline, left_out) },
	{ "longest", &kind_object, AT(result_timeline, longest), .record = &turns_record },
	{ 0 } } };

static const struct record fallback_record = { sizeof(struct result_fallback), (const struct field[]){
	{ "calls", &kind_count, AT(result_fallback, calls) },
	{ "bytes_to_host", &kind_count, AT(result_fallback, bytes_to_host) },
	{ "bytes_to_device", &kind_count, AT(result_fallback, bytes_to_device) },
	{ "assumed_bytes", &kind_count, AT(result_fallback, assumed_bytes) },
	{ "unsized_calls", &kind_count, AT(result_fallback, unsized_calls) },
	{ "copy_us", &kind_milli, AT(result_fallback, copy_ns) },
	{ "host_us", &kind_milli, AT(result_fallback, host_ns) },
	{ "host_known", &kind_bool, AT(result_fallback, host_known) },
	{ "ms_per_step", &kind_micro, AT(result_fallback, step_ns) },
	{ "crossings_per_step", &kind_object, .record = &per_step_record },
	{ "longest", &kind_object, .flags = OPTIONAL, .record = &longest_record,
		.when = AT(result_fallback, longest.runs) },
	{ "operators", &kind_list, ITEMS(result_fallback, items, item_count), .record = &host_transfer_record },
	{ "timeline", &kind_pointer, AT(result_fallback, timeline), OPTIONAL, .record = &timeline_record },
	{ 0 } } };

static const struct record device_share_record = { sizeof(struct result_place_target), (const struct field[]){
	{ "lo", &kind_share, AT(result_place_target, device_lo_ppm) },
	{ "hi", &kind_share, AT(result_place_target, device_hi_ppm) },
	{ 0 } } };

static const struct record place_by_target = { sizeof(struct result_place_target), (const struct field[]){
	{ "target", &kind_line, AT(result_place_target, target) }, /* the key of a map */
	{ "device", &kind_object, .record = &device_share_record },
	{ "fallback", &kind_share, AT(result_place_target, fallback_ppm) },
	{ "blocked", &kind_share, AT(result_place_target, blocked_ppm) },
	{ "unknown", &kind_share, AT(result_place_target, unknown_ppm) },
	{ "blockers", &kind_count, AT(result_place_target, blockers) },
	{ 0 } } };

static const struct record place_record = { sizeof(struct result_place), (const struct field[]){
	{ "path", &kind_text, AT(result_place, path) },
	{ "depth", &kind_index, AT(result_place, depth) },
	{ "calls", &kind_count, AT(result_place, calls) },
	{ "operators", &kind_count, AT(result_place, operators) },
	{ "time_share", &kind_share, AT(result_place, share_ppm) },
	{ "targets", &kind_map, ITEMS(result_place, targets, target_count), .record = &place_by_target },
	{ 0 } } };

static const struct record cost_record = { sizeof(struct result_cost), (const struct field[]){
	{ "steps", &kind_count, AT(result_cost, steps) },
	{ "step_us", &kind_milli, AT(result_cost, step_ns) },
	{ "host_bandwidth", &kind_count, AT(result_cost, host_bandwidth) },
	{ "host_slowdown", &kind_milli, AT(result_cost, host_slowdown_milli) },
	{ "graphs", &kind_count, AT(result_cost, graphs), PRESENCE, .when = AT(result_cost, graphs_known) },
	{ 0 } } };

/* --- targets */

static const struct record operators_by_status = { sizeof(struct result_count), (const struct field[]){
	{ "status", &kind_enum, AT(result_count, status), .words = &op_status_words },
	{ "operators", &kind_count, AT(result_count, operators) },
	{ 0 } }, .bare = true };

static const struct record time_by_status = { sizeof(struct result_count), (const struct field[]){
	{ "status", &kind_enum, AT(result_count, status), .words = &op_status_words },
	{ "time", &kind_share, AT(result_count, time_ppm) },
	{ 0 } }, .bare = true };

static bool is_word_check(const void *item)
{
	return !((const struct result_check *)item)->is_budget;
}

static const struct record measured_record = { sizeof(struct result_check), (const struct field[]){
	{ "lo", &kind_share, AT(result_check, lo_ppm) },
	{ "hi", &kind_share, AT(result_check, hi_ppm) },
	{ 0 } } };

static const struct record check_record = { sizeof(struct result_check), (const struct field[]){
	{ "name", &kind_word, AT(result_check, name) },
	{ "failed", &kind_bool, AT(result_check, failed) },
	{ "limit", &kind_share, AT(result_check, limit_ppm), OPTIONAL, .when = AT(result_check, is_budget) },
	{ "measured", &kind_object, .flags = PRESENCE, .record = &measured_record,
		.when = AT(result_check, is_budget) },
	{ "counted", &kind_count, AT(result_check, counted), OPTIONAL, .is_written = is_word_check },
	{ "waived", &kind_count, AT(result_check, waived), OPTIONAL, .is_written = is_word_check },
	{ "known", &kind_count, AT(result_check, known), OPTIONAL, .is_written = is_word_check },
	{ 0 } } };

static const struct record headline_record = { sizeof(struct result_headline), (const struct field[]){
	{ "word", &kind_enum, AT(result_headline, word), .words = &headline_words },
	{ "why", &kind_message, AT(result_headline, why) },
	{ "first", &kind_message, AT(result_headline, first), OPTIONAL, .when = AT(result_headline, first.id) },
	{ "ranks", &kind_count, AT(result_headline, ranks), OPTIONAL },
	{ "rank", &kind_text, AT(result_headline, rank), OPTIONAL },
	{ "spread", &kind_object, AT(result_headline, spread), OPTIONAL, .when = AT(result_headline, ranks),
		.record = &interval_record },
	{ 0 } } };

static const struct record target_record = { sizeof(struct result_target), (const struct field[]){
	{ "id", &kind_line, AT(result_target, id) },
	{ "asked", &kind_text, AT(result_target, asked), OPTIONAL },
	{ "plugin", &kind_line, AT(result_target, plugin) },
	{ "torch", &kind_line, AT(result_target, torch) },
	{ "cann", &kind_line, AT(result_target, cann) },
	{ "date", &kind_line, AT(result_target, date) },
	{ "fallback", &kind_line, AT(result_target, fallback) },
	{ "readiness", &kind_object, AT(result_target, readiness), .record = &coverage_record },
	{ "coverage", &kind_object, AT(result_target, coverage), .record = &coverage_record },
	{ "where", &kind_object, AT(result_target, where), LATER, .record = &where_record },
	{ "counts", &kind_map, ITEMS(result_target, counts, count_count), .record = &operators_by_status },
	{ "time_by_status", &kind_map_values, ITEMS(result_target, counts, count_count), .record = &time_by_status },
	{ "verdict", &kind_enum, AT(result_target, verdict), .words = &verdict_words },
	{ "reason", &kind_message, AT(result_target, reason), OPTIONAL, .when = AT(result_target, reason.id) },
	{ "headline", &kind_object, AT(result_target, headline), OPTIONAL, .when = AT(result_target, headline.why.id),
		.record = &headline_record },
	{ "gate", &kind_enum, AT(result_target, gate), .words = &gate_state_words },
	{ "checks", &kind_list, ITEMS(result_target, checks, check_count), .flags = OPTIONAL, .record = &check_record },
	{ "fixes", &kind_list, ITEMS(result_target, fixes, fix_count), .flags = LATER, .record = &fix_record },
	{ "fixes_left", &kind_count, AT(result_target, fixes_left), LATER },
	{ "device_time", &kind_pointer, AT(result_target, estimate), OPTIONAL, .record = &estimate_record },
	{ "compiling", &kind_pointer, AT(result_target, compiling), OPTIONAL, .record = &compiling_record },
	{ "fallback_cost", &kind_pointer, AT(result_target, host_transfers), OPTIONAL, .record = &fallback_record },
	{ 0 } } };

/* --- questions */

static const struct record on_target_record = { sizeof(struct result_on_target), (const struct field[]){
	{ "target", &kind_line, AT(result_on_target, target) }, /* the key of a map */
	{ "operators", &kind_texts, ITEMS(result_on_target, operators, operator_count) },
	{ 0 } }, .bare = true };

static const struct record verdict_of_answer = { sizeof(struct result_answer_verdict), (const struct field[]){
	{ "target", &kind_line, AT(result_answer_verdict, target) }, /* the key of a map */
	{ "verdict", &kind_enum, AT(result_answer_verdict, verdict), .words = &verdict_words },
	{ 0 } }, .bare = true };

static const struct record answer_record = { sizeof(struct result_answer), (const struct field[]){
	{ "value", &kind_word, AT(result_answer, value) },
	{ "verdicts", &kind_map, ITEMS(result_answer, verdicts, verdict_count), .record = &verdict_of_answer },
	{ 0 } } };

static const struct record question_record = { sizeof(struct result_question), (const struct field[]){
	{ "id", &kind_word, AT(result_question, id) },
	{ "text", &kind_message_inline, AT(result_question, text) },
	{ "answers", &kind_list, ITEMS(result_question, answers, answer_count), .record = &answer_record },
	{ "deciding", &kind_map, ITEMS(result_question, deciding, deciding_count), .flags = OPTIONAL,
		.record = &on_target_record },
	{ 0 } } };

/* --- agreement */

static const struct record score_record = { sizeof(struct agreement_score), (const struct field[]){
	{ "operators", &kind_share_or_null, AT(agreement_score, operators_ppm) },
	{ "calls", &kind_share_or_null, AT(agreement_score, calls_ppm) },
	{ "time", &kind_share_or_null, AT(agreement_score, time_ppm) },
	{ 0 } } };

static const struct record sum_by_outcome = { sizeof(struct agreement_sum), (const struct field[]){
	{ "outcome", &kind_enum, AT(agreement_sum, outcome), .words = &outcome_words }, /* the key of a map */
	{ "operators", &kind_count, AT(agreement_sum, operators) },
	{ "calls", &kind_count, AT(agreement_sum, calls) },
	{ "device_us", &kind_milli, AT(agreement_sum, device_ns) },
	{ 0 } } };

static const struct record entry_record = { sizeof(struct agreement_entry), (const struct field[]){
	{ "operator", &kind_text, AT(agreement_entry, operator_name) },
	{ "outcome", &kind_enum, AT(agreement_entry, outcome), .words = &outcome_words },
	{ "predicted", &kind_enum, AT(agreement_entry, predicted), .words = &predicted_words },
	{ "observed", &kind_enum, AT(agreement_entry, observed), .words = &where_words },
	{ "implied", &kind_bool, AT(agreement_entry, implied), OPTIONAL },
	{ "calls", &kind_count, AT(agreement_entry, calls) },
	{ "self_device_us", &kind_milli, AT(agreement_entry, self_device_ns) },
	{ "evidence", &kind_list, ITEMS(agreement_entry, evidence, evidence_count), .record = &message_record },
	{ 0 } } };

const struct record agreement_record = { sizeof(struct agreement), (const struct field[]){
	{ "target", &kind_line, AT(agreement, target) },
	{ "made_on", &kind_bool, AT(agreement, made_on) },
	{ "state", &kind_enum, AT(agreement, state), .words = &agreement_words },
	{ "score", &kind_object, AT(agreement, score), .record = &score_record },
	{ "counts", &kind_map, ITEMS(agreement, sums, sum_count), .record = &sum_by_outcome },
	{ "operators", &kind_list, ITEMS(agreement, entries, entry_count), .record = &entry_record },
	{ 0 } } };

/* --- findings, and what a policy says of them */

static const struct record waiver_record = { sizeof(struct result_waiver), (const struct field[]){
	{ "id", &kind_word, AT(result_waiver, id) },
	{ "state", &kind_enum, AT(result_waiver, state), .words = &waiver_words },
	{ "reason", &kind_text, AT(result_waiver, reason) },
	{ "owner", &kind_text, AT(result_waiver, owner), OPTIONAL },
	{ "ref", &kind_text, AT(result_waiver, ref), OPTIONAL },
	{ "justification", &kind_word, AT(result_waiver, justification), OPTIONAL },
	{ "until", &kind_word, AT(result_waiver, until), OPTIONAL },
	{ 0 } } };

static void put_effort(struct jsonw *json, const void *item)
{
	jsonw_str(json, word_for(&effort_words, effort_of(item)));
}

static const struct record site_record = { sizeof(struct result_site), (const struct field[]){
	{ "path", &kind_text, AT(result_site, path) },
	{ "line", &kind_index, AT(result_site, line) },
	{ "column", &kind_index, AT(result_site, column) },
	{ "end_line", &kind_index, AT(result_site, end_line) },
	{ "end_column", &kind_index, AT(result_site, end_column) },
	{ "expression", &kind_text, AT(result_site, expression) },
	{ "replacement", &kind_text, AT(result_site, replacement) },
	{ "action", &kind_enum, AT(result_site, action), .words = &source_action_words },
	{ 0 } } };

static const struct record call_record = { sizeof(struct result_call), (const struct field[]){
	{ "path", &kind_text, AT(result_call, site.path) },
	{ "line", &kind_index, AT(result_call, site.line) },
	{ "column", &kind_index, AT(result_call, site.column) },
	{ "end_line", &kind_index, AT(result_call, site.end_line) },
	{ "end_column", &kind_index, AT(result_call, site.end_column) },
	{ "expression", &kind_text, AT(result_call, site.expression) },
	{ "known_by", &kind_enum, AT(result_call, origin), .words = &call_origin_words },
	{ "api", &kind_text, AT(result_call, api), OPTIONAL },
	{ 0 } } };

static const struct record callings_record = { sizeof(struct result_callings), (const struct field[]){
	{ "operator", &kind_text, AT(result_callings, operator_name) },
	{ "lines", &kind_count, AT(result_callings, call_total) },
	{ "calls", &kind_list, ITEMS(result_callings, calls, call_count), .record = &call_record },
	{ 0 } } };

static const struct record source_tree_record = { sizeof(struct result_source_tree), (const struct field[]){
	{ "files", &kind_count, AT(result_source_tree, files) },
	{ "lines", &kind_count, AT(result_source_tree, lines) },
	{ "left_out", &kind_count, AT(result_source_tree, left_out) },
	{ "magics", &kind_count, AT(result_source_tree, magics), OPTIONAL },
	{ "unread", &kind_list, ITEMS(result_source_tree, unread, unread_count), .record = &message_record },
	{ "called_from", &kind_list, ITEMS(result_source_tree, callings, callings_count), .flags = OPTIONAL,
		.record = &callings_record },
	{ 0 } } };

static const struct record finding_record = { sizeof(struct result_finding), (const struct field[]){
	{ "severity", &kind_enum, AT(result_finding, severity), .words = &severity_words },
	{ "operator", &kind_text, AT(result_finding, operator_name) },
	{ "operators", &kind_texts, ITEMS(result_finding, operators, operator_count), .flags = OPTIONAL },
	{ "target", &kind_line, AT(result_finding, target) },
	{ "time_share", &kind_share, AT(result_finding, share_ppm) },
	{ "what", &kind_message_inline, AT(result_finding, what) },
	{ "evidence", &kind_list, ITEMS(result_finding, evidence, evidence_count), .record = &evidence_record },
	{ "advice", &kind_list, ITEMS(result_finding, advice, advice_count), .record = &message_record },
	{ "effort", &kind_made, .put = put_effort },
	{ "fingerprint", &kind_word, AT(result_finding, fingerprint) },
	{ "fact", &kind_word, AT(result_finding, fact), OPTIONAL },
	{ "age", &kind_enum, AT(result_finding, age), OPTIONAL, .words = &age_words },
	{ "source", &kind_pointer, AT(result_finding, site), OPTIONAL, .record = &site_record },
	{ "waiver", &kind_pointer, AT(result_finding, waiver), OPTIONAL, .record = &waiver_record },
	{ 0 } } };

static void put_cause_text(struct jsonw *json, const void *item)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	catalog_put(&text, LANG_EN, &((const struct result_cause *)item)->text);
	jsonw_str(json, buf_str(&text));
}

static const struct record cause_record = { sizeof(struct result_cause), (const struct field[]){
	{ "id", &kind_text, AT(result_cause, id) },
	{ "severity", &kind_enum, AT(result_cause, severity), .words = &severity_words },
	{ "targets", &kind_texts, ITEMS(result_cause, targets, target_count) },
	{ "operators", &kind_texts, ITEMS(result_cause, operators, operator_count) },
	{ "on_targets", &kind_map, ITEMS(result_cause, on_targets, on_target_count), .flags = OPTIONAL,
		.record = &on_target_record },
	{ "time_share", &kind_share, AT(result_cause, share_ppm) },
	{ "rule", &kind_word, AT(result_cause, rule) },
	{ "text", &kind_made, .put = put_cause_text },
	{ "statement", &kind_message, AT(result_cause, text) },
	{ "also", &kind_list, ITEMS(result_cause, also, also_count), .flags = OPTIONAL, .record = &message_record },
	{ "advice", &kind_list, ITEMS(result_cause, advice, advice_count), .record = &message_record },
	{ "findings", &kind_texts, ITEMS(result_cause, findings, finding_count) },
	{ "under", &kind_text, AT(result_cause, under), OPTIONAL },
	{ 0 } } };

static const struct record recipe_record = { sizeof(struct result_recipe), (const struct field[]){
	{ "id", &kind_word, AT(result_recipe, name) },
	{ "torch", &kind_word, AT(result_recipe, torch) },
	{ "tolerance", &kind_word, AT(result_recipe, tolerance) },
	{ "code", &kind_text, AT(result_recipe, code) },
	{ 0 } } };

static const struct record source_record = { sizeof(struct result_source), (const struct field[]){
	{ "name", &kind_text, AT(result_source, name) },
	{ "sha256", &kind_word, AT(result_source, sha256) },
	{ "count", &kind_count, AT(result_source, count) },
	{ 0 } } };

static const struct record policy_record = { sizeof(struct result_policy), (const struct field[]){
	{ "date", &kind_word, AT(result_policy, date), OPTIONAL, .when = AT(result_policy, waiver_count) },
	{ "waivers", &kind_list, ITEMS(result_policy, waivers, waiver_count), .flags = OPTIONAL,
		.record = &source_record },
	{ "baseline", &kind_object, AT(result_policy, baseline), OPTIONAL, .record = &source_record,
		.when = AT(result_policy, baseline.name.len) },
	{ "changes", &kind_list, ITEMS(result_policy, changes, change_count), .flags = OPTIONAL,
		.record = &message_record },
	{ "warnings", &kind_list, ITEMS(result_policy, warnings, warning_count), .record = &message_record },
	{ 0 } } };

/* --- sizes that change */

static const struct record size_record = { sizeof(struct result_size), (const struct field[]){
	{ "size", &kind_number, AT(result_size, size) },
	{ "calls", &kind_count, AT(result_size, calls) },
	{ 0 } }, .tuple = true };

static const struct record padding_record = { sizeof(struct result_padding), (const struct field[]){
	{ "k", &kind_index, AT(result_padding, k) },
	{ "waste", &kind_share, AT(result_padding, waste_ppm) },
	{ "sizes", &kind_numbers, ITEMS(result_padding, sizes, size_count) },
	{ 0 } } };

const struct record bucket_place_record = { sizeof(struct bucket_place), (const struct field[]){
	{ "operator", &kind_text, AT(bucket_place, operator_name) },
	{ "kind", &kind_enum, AT(bucket_place, kind), .words = &dynamic_words },
	{ "argument", &kind_index, AT(bucket_place, argument) },
	{ "tensor", &kind_index, AT(bucket_place, tensor) },
	{ "dim", &kind_index, AT(bucket_place, dim) },
	{ 0 } } };

static const struct record padded_record = { sizeof(struct result_padded), (const struct field[]){
	{ "kind", &kind_enum, AT(result_padded, kind), .words = &dynamic_words },
	{ "min", &kind_number, AT(result_padded, min) },
	{ "max", &kind_number, AT(result_padded, max) },
	{ "distinct", &kind_count, AT(result_padded, distinct) },
	{ "steps", &kind_count, AT(result_padded, steps) },
	{ "calls", &kind_count, AT(result_padded, calls) },
	{ "sizes", &kind_list, ITEMS(result_padded, sizes, size_count), .record = &size_record },
	{ "plans", &kind_list, ITEMS(result_padded, plans, plan_count), .record = &padding_record },
	{ "places", &kind_list, ITEMS(result_padded, places, place_count), .record = &bucket_place_record },
	{ "place_total", &kind_count, AT(result_padded, place_total) },
	{ 0 } } };

/* --- releases */

static const struct record release_record = { sizeof(struct result_release), (const struct field[]){
	{ "id", &kind_line, AT(result_release, id) },
	{ "target", &kind_line, AT(result_release, target) },
	{ "torch", &kind_line, AT(result_release, torch) },
	{ "cann", &kind_line, AT(result_release, cann) },
	{ "date", &kind_line, AT(result_release, date) },
	{ "stable", &kind_bool, AT(result_release, stable) },
	{ "verdict", &kind_enum, AT(result_release, verdict), .words = &verdict_words },
	{ "readiness", &kind_object, AT(result_release, readiness.time), .record = &interval_record },
	{ "coverage", &kind_object, AT(result_release, coverage.time), .record = &interval_record },
	{ "blockers", &kind_count, AT(result_release, blockers.total) },
	{ "unknown", &kind_count, AT(result_release, unknown.total) },
	{ 0 } } };

static const struct record span_record = { sizeof(struct result_span), (const struct field[]){
	{ "state", &kind_enum, AT(result_span, state), .words = &span_words },
	{ "first", &kind_line, AT(result_span, first) },
	{ "last", &kind_line, AT(result_span, last) },
	{ 0 } } };

static const struct record blocker_record = { sizeof(struct result_blocker), (const struct field[]){
	{ "operator", &kind_text, AT(result_blocker, operator_name) },
	{ "time_share", &kind_share, AT(result_blocker, share_ppm) },
	{ "releases", &kind_list, ITEMS(result_blocker, spans, span_count), .record = &span_record },
	{ 0 } } };

static const struct record names_record = { sizeof(struct result_names), (const struct field[]){
	{ "total", &kind_count, AT(result_names, total) },
	{ "names", &kind_texts, ITEMS(result_names, items, count) },
	{ 0 } } };

static const struct record move_record = { sizeof(struct result_move), (const struct field[]){
	{ "target", &kind_line, AT(result_move, target) },
	{ "from", &kind_line, AT(result_move, from) },
	{ "to", &kind_line, AT(result_move, to) },
	{ "from_torch", &kind_line, AT(result_move, from_torch) },
	{ "to_torch", &kind_line, AT(result_move, to_torch) },
	{ "clears", &kind_bool, AT(result_move, clears) },
	{ "packages", &kind_bool, AT(result_move, packages), OPTIONAL },
	{ "back", &kind_bool, AT(result_move, back) },
	{ "releases", &kind_count, AT(result_move, releases) },
	{ "cleared", &kind_object, AT(result_move, cleared), .record = &names_record },
	{ "left", &kind_object, AT(result_move, left), .record = &names_record },
	{ "new", &kind_object, AT(result_move, fresh), .record = &names_record },
	{ "kernels", &kind_line, AT(result_move, kernels), OPTIONAL },
	{ "kernels_cann", &kind_line, AT(result_move, kernels_cann), OPTIONAL },
	{ "off_aicpu", &kind_object, AT(result_move, off_aicpu), OPTIONAL, .record = &names_record,
		.when = AT(result_move, kernels.len) },
	{ 0 } } };

/* --- the report */

static void put_schema_version(struct jsonw *json, const void *item UNUSED)
{
	jsonw_str(json, STR(REPORT_SCHEMA_VERSION));
}

static void put_tool_name(struct jsonw *json, const void *item UNUSED)
{
	jsonw_str(json, STR("opcheck"));
}

static const struct record tool_record = { sizeof(struct result), (const struct field[]){
	{ "name", &kind_made, .put = put_tool_name },
	{ "version", &kind_line, AT(result, tool_version) },
	{ 0 } } };

static const struct record overlay_record = { sizeof(struct result_overlay), (const struct field[]){
	{ "name", &kind_line, AT(result_overlay, name) },
	{ "sha256", &kind_word, AT(result_overlay, sha256) },
	{ "facts", &kind_count, AT(result_overlay, facts) },
	{ 0 } } };

static const struct record pack_record = { sizeof(struct result_pack), (const struct field[]){
	{ "sha256", &kind_word, AT(result_pack, sha256) },
	{ "signed", &kind_bool, AT(result_pack, is_signed) },
	{ 0 } } };

static const struct record db_record = { sizeof(struct result_db), (const struct field[]){
	{ "build", &kind_line, AT(result_db, build) },
	{ "built_at", &kind_line, AT(result_db, built_at) },
	{ "sha256", &kind_word, AT(result_db, sha256) },
	{ "pack", &kind_pointer, AT(result_db, pack), OPTIONAL, .record = &pack_record },
	{ "overlays", &kind_list, ITEMS(result_db, overlays, overlay_count), .flags = OPTIONAL,
		.record = &overlay_record },
	{ 0 } } };

static const struct record assumption_record = { sizeof(struct result_assumption), (const struct field[]){
	{ "operator", &kind_text, AT(result_assumption, name) },
	{ "status", &kind_enum, AT(result_assumption, status), .words = &op_status_words },
	{ 0 } } };

/* Reports of earlier versions state shares of what is shown. */
static bool is_part_shown(const void *item)
{
	return ((const struct result *)item)->shown_ppm < WHOLE_PPM;
}

const struct record header_record = { sizeof(struct result), (const struct field[]){
	{ "schema_version", &kind_made, .put = put_schema_version },
	{ "tool", &kind_object, .record = &tool_record },
	{ "db", &kind_object, AT(result, db), .record = &db_record },
	{ "assumptions", &kind_list, ITEMS(result, assumptions, assumption_count), .flags = OPTIONAL,
		.record = &assumption_record },
	{ "basis", &kind_enum, AT(result, basis), .words = &basis_words },
	{ "shown", &kind_share, AT(result, shown_ppm), OPTIONAL, .is_written = is_part_shown },
	{ 0 } } };

static bool has_policy(const void *item)
{
	const struct result_policy *policy = &((const struct result *)item)->policy;

	return policy->waiver_count || policy->baseline.name.len;
}

static bool has_heat(const void *item)
{
	return step_heat_of(item).columns;
}

/* Figures derived from the shapes of operators, for drawings. */
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

const struct record report_record = { sizeof(struct result), (const struct field[]){
	{ "schema_version", &kind_inline, .record = &header_record },
	{ "inputs", &kind_list, ITEMS(result, inputs, input_count), .record = &input_record },
	{ "targets", &kind_list, ITEMS(result, targets, target_count), .record = &target_record },
	{ "operators", &kind_list, ITEMS(result, operators, operator_count), .record = &operator_record },
	{ "cost", &kind_object, AT(result, cost), LATER, .record = &cost_record },
	{ "modules_by", &kind_enum, AT(result, places.kind), OPTIONAL, .words = &place_words },
	{ "calls_placed_nowhere", &kind_count, AT(result, places.left_out), OPTIONAL, .when = AT(result, places.kind) },
	{ "type_sets", &kind_list, ITEMS(result, type_sets, type_set_count), .flags = OPTIONAL,
		.record = &types_record },
	{ "modules", &kind_list, ITEMS(result, places.items, places.count), .flags = OPTIONAL, .record = &place_record,
		.when = AT(result, places.kind) },
	{ "buckets", &kind_list, ITEMS(result, buckets.items, buckets.count), .flags = OPTIONAL,
		.record = &padded_record },
	{ "buckets_left", &kind_count, AT(result, buckets.left_out), OPTIONAL },
	{ "steps", &kind_made, .flags = OPTIONAL, .put = put_heat, .is_written = has_heat },
	{ "releases", &kind_list, ITEMS(result, releases.items, releases.count), .flags = OPTIONAL,
		.record = &release_record },
	{ "blockers", &kind_list, ITEMS(result, releases.blockers, releases.blocker_count), .flags = OPTIONAL,
		.record = &blocker_record, .when = AT(result, releases.count) },
	{ "blockers_left", &kind_count, AT(result, releases.blockers_left), OPTIONAL },
	{ "moves", &kind_list, ITEMS(result, releases.moves, releases.move_count), .flags = OPTIONAL,
		.record = &move_record, .when = AT(result, releases.count) },
	{ "ignored", &kind_list, ITEMS(result, ignored, ignored_count), .record = &ignored_record },
	{ "questions", &kind_list, ITEMS(result, questions, question_count), .flags = OPTIONAL,
		.record = &question_record },
	{ "training", &kind_list, ITEMS(result, training, training_count), .flags = OPTIONAL,
		.record = &training_record },
	{ "implied", &kind_list, ITEMS(result, implied, implied_count), .flags = OPTIONAL, .record = &implied_record },
	{ "agreement", &kind_list, ITEMS(result, agreements, agreement_count), .flags = OPTIONAL,
		.record = &agreement_record },
	{ "causes", &kind_list, ITEMS(result, causes, cause_count), .flags = LATER, .record = &cause_record },
	{ "source", &kind_pointer, AT(result, source), OPTIONAL, .record = &source_tree_record },
	{ "recipes", &kind_list, ITEMS(result, recipes, recipe_count), .flags = OPTIONAL, .record = &recipe_record },
	{ "findings", &kind_list, ITEMS(result, findings, finding_count), .record = &finding_record },
	{ "waived", &kind_list, ITEMS(result, waived, waived_count), .record = &finding_record },
	{ "policy", &kind_object, AT(result, policy), OPTIONAL, .record = &policy_record, .is_written = has_policy },
	{ "warnings", &kind_list, ITEMS(result, warnings, warning_count), .record = &message_record },
	{ 0 } } };

/* clang-format on */

void render_json(const struct result *result, const struct render_options *options, struct buf *out)
{
	enum { LINE_DEPTH = 2 };
	struct jsonw json = jsonw_start(out, LINE_DEPTH);

	(void)options; /* the one form that has no language and no width */
	record_put(&json, &report_record, result);
}
