/* What proves where an operator ran. */
#include "assess/model/words.h"
#include "assess/compare/observations.h"
#include "assess/compare/observations_report.h"
#include "tests/unit/check.h"
#include "tests/unit/sheets.h"

struct told {
	const char *name, *launch;
	bool kernel;
	enum observed_where where;
};

/* "aten::mm device seen-device-time" for each operator, then for what only messages name, then kernels on the AI CPU. */
static void describe(
	const char *tables, unsigned has, const char *format, const struct told *told, size_t count, struct buf *ret)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct sheet sheet = { has, NULL, tables };
	struct assess_input input = { .dump = {
					      .format = format, .device = { .kind = DEVICE_NPU, .sign = "columns" } } };
	struct operators operators;
	struct observations observations;

	feed_sheet(&sink, sink.stream(sink.ctx, STR("")), &sheet);
	for (size_t i = 0; i < count; i++) {
		struct op_observation seen = { str_from(told[i].name), str_from(told[i].launch), told[i].kernel,
			told[i].where, 3, 4000 };

		sink.observe(sink.ctx, &seen);
	}
	profile_finish(profile);
	operators_gather(&arena, profile, &(struct name_lookup){ 0 }, &operators);
	observations_gather(
		&arena, &(struct judge){ .profile = profile, .operators = &operators }, &input, 1, &observations);
	for (size_t i = 0; i < operators.count + observations.name_count; i++) {
		bool listed = i < operators.count;
		struct result_observed observed;

		observation_describe(&arena,
			listed ? &observations.items[i] : &observations.names[i - operators.count].observation, 1,
			listed ? operators.items[i].self_device_ns : 0, &observed);
		buf_printf(ret, "%.*s %.*s",
			STR_ARG(listed ? operators.items[i].name : observations.names[i - operators.count].name),
			STR_ARG(word_for(&where_words, observed.where)));
		for (size_t j = 0; j < observed.evidence_count; j++)
			buf_printf(ret, " %s", observed.evidence[j].id);
		buf_byte(ret, '\n');
	}
	for (size_t i = 0; i < observations.kernel_count; i++)
		buf_printf(ret, "kernel %.*s %llu\n", STR_ARG(observations.kernels[i].type),
			(unsigned long long)observations.kernels[i].tasks);
	arena_clear(&arena);
	profile_free(profile);
}

enum { TIMED = TABLE_HAS_TIMES | TABLE_HAS_DEVICE_TIMES };

#define OPERATORS "aten::mm x1 =5 d7; aten::t x2 =5 d0; aten::view x1 =5 d0"

static void device_time_proves_where_it_is_that_of_kernels(void **state)
{
	static const struct {
		const char *rows, *format, *found;
	} cases[] = {
		{ OPERATORS, "npu-operator-details",
			"aten::mm device seen-device-time\naten::t ran seen-calls\naten::view called seen-name\n" },
		{ OPERATORS, "table",
			"aten::mm called seen-name seen-event-times\naten::t ran seen-calls\naten::view called "
			"seen-name\n" },
		{ "aten::mm x1 =5 d7; Memcpy HtoD (Pageable -> Device) x1 =0 d3", "table",
			"aten::mm device seen-device-time\n" },
		{ "aten::mm x1 =5 d7; Memcpy HtoD (Pageable -> Device) x1 =0 d0", "table",
			"aten::mm called seen-name seen-event-times\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf found = BUF_INIT(1000);

		describe(cases[i].rows, TIMED, cases[i].format, NULL, 0, &found);
		assert_str(buf_str(&found), cases[i].found);
	}
}

static void what_is_told_overrules_times(void **state)
{
	static const struct {
		struct told told[2];
		const char *found;
	} cases[] = {
		{ { { "aten::mm", "", false, OBSERVED_ON_AICPU } }, "aten::mm ai-cpu seen-device-time seen-aicpu\n" },
		{ { { "aten::mm", "", false, OBSERVED_ON_DEVICE } }, "aten::mm device seen-device-time seen-tasks\n" },
		{ { { "aten::mm.out", "", false, OBSERVED_ON_HOST }, { "aten::mm", "", false, OBSERVED_ON_AICPU } },
			"aten::mm host seen-warning seen-device-time seen-aicpu\n" },
		{ { { "aten::mm", "", false, OBSERVED_ON_HOST }, { "aten::mm", "", false, OBSERVED_RAISED } },
			"aten::mm raised seen-exception seen-warning seen-device-time\n" },
		{ { { "aten::mode", "", false, OBSERVED_RAISED }, { "aten::mode", "", false, OBSERVED_ON_HOST } },
			"aten::mm device seen-device-time\naten::mode raised seen-exception seen-warning\n" },
		{ { { "MatMul", "aclnnMm", true, OBSERVED_ON_AICPU } },
			"aten::mm ai-cpu seen-device-time seen-aicpu\n" },
		{ { { "MatMul", "aclnnMm", true, OBSERVED_ON_AICORE } },
			"aten::mm device seen-device-time seen-launch\n" },
		{ { { "Cast", "", true, OBSERVED_ON_AICPU }, { "Cast", "aclnnCast", true, OBSERVED_ON_AICPU } },
			"aten::mm device seen-device-time\nkernel Cast 6\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf found = BUF_INIT(1000);

		describe("aten::mm x1 =5 d7", TIMED, "npu-operator-details", cases[i].told,
			cases[i].told[1].name ? 2 : 1, &found);
		assert_str(buf_str(&found), cases[i].found);
	}
}

/* Calls of aclnn are named after operators; a name that fits several proves nothing of any. */
static void launches_belong_to_operators_of_their_name(void **state)
{
	static const struct {
		const char *operators, *launch, *found;
	} cases[] = {
		{ "aten::add x1 =1; aten::add_ x1 =1", "aclnnInplaceAdd",
			"aten::add called seen-name\naten::add_ device seen-launch\n" },
		{ "aten::add x1 =1; aten::add_ x1 =1", "aclnnAdd",
			"aten::add device seen-launch\naten::add_ called seen-name\n" },
		{ "aten::_index_put_impl_ x1 =1", "aclnnIndexPutImpl", "aten::_index_put_impl_ device seen-launch\n" },
		{ "aten::norm x1 =1; mylib::norm x1 =1", "aclnnNorm",
			"aten::norm called seen-name\nmylib::norm called seen-name\n" },
		{ "aten::adds x1 =1", "aclnnAdd", "aten::adds called seen-name\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf found = BUF_INIT(1000);
		struct told told = { "X", cases[i].launch, true, OBSERVED_ON_AICORE };

		describe(cases[i].operators, TABLE_HAS_TIMES, "npu-operator-details", &told, 1, &found);
		assert_str(buf_str(&found), cases[i].found);
	}
}

/* A call in each of two ranks may have raised in both. */
static void calls_of_two_streams_do_not_follow_each_other(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct sheet sheet = { TABLE_HAS_TIMES, NULL, "aten::mm x1 =5" };
	struct assess_input inputs[] = { { .dump = { .format = "table", .device = { .kind = DEVICE_NPU } } },
		{ .dump = { .format = "table", .device = { .kind = DEVICE_NPU } } } };
	struct operators operators;
	struct observations observations;

	feed_sheet(&sink, sink.stream(sink.ctx, STR("[rank0]")), &sheet);
	feed_sheet(&sink, sink.stream(sink.ctx, STR("[rank1]")), &sheet);
	profile_finish(profile);
	operators_gather(&arena, profile, &(struct name_lookup){ 0 }, &operators);
	observations_gather(
		&arena, &(struct judge){ .profile = profile, .operators = &operators }, inputs, 2, &observations);
	assert_int_equal(observations.items[0].where, WHERE_CALLED);
	inputs[1].dump.device.kind =
		DEVICE_UNKNOWN; /* one of them was made elsewhere: nothing is known of any operator */
	observations_gather(
		&arena, &(struct judge){ .profile = profile, .operators = &operators }, inputs, 2, &observations);
	assert_int_equal(observations.device, DEVICE_UNKNOWN);
	arena_clear(&arena);
	profile_free(profile);
}

static void the_fallback_copies_inside_of_the_call(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct sheet sheet = { TABLE_HAS_TIMES, NULL, "aten::mode x1 =5; aten::_to_cpu x1 =1; aten::mm x1 =2" };
	struct assess_input input = { .dump = { .format = "kineto-trace", .device = { .kind = DEVICE_NPU } } };
	struct op_link links[] = { { STR("aten::_to_cpu"), STR("aten::mode"), 4 },
		{ STR("aten::_to_copy"), STR("aten::mm"), 1 } };
	unsigned stream = sink.stream(sink.ctx, STR(""));
	struct operators operators;
	struct observations observations;

	feed_sheet(&sink, stream, &sheet);
	sink.links(sink.ctx, stream, RELATION_PARENT, links, 2);
	profile_finish(profile);
	operators_gather(&arena, profile, &(struct name_lookup){ 0 }, &operators);
	observations_gather(
		&arena, &(struct judge){ .profile = profile, .operators = &operators }, &input, 1, &observations);
	assert_int_equal(observations.items[0].where, WHERE_HOST);
	assert_int_equal(observations.items[0].copies, 4);
	assert_int_equal(observations.items[2].where, WHERE_CALLED);
	arena_clear(&arena);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(device_time_proves_where_it_is_that_of_kernels),
		cmocka_unit_test(what_is_told_overrules_times),
		cmocka_unit_test(launches_belong_to_operators_of_their_name),
		cmocka_unit_test(calls_of_two_streams_do_not_follow_each_other),
		cmocka_unit_test(the_fallback_copies_inside_of_the_call),
	};

	return run_group(tests);
}
