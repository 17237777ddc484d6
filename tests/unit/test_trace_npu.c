/* trace_view.json of torch_npu: the time of tasks belongs to the operators that launched them, wherever the flows stand. */
#include "op/profile_links.h"
#include "dump/common/format.h"
#include "op/profile.h"
#include "tests/unit/check.h"

#define CALL(name, ts, dur)                                                                                            \
	"{\"ph\": \"X\", \"name\": \"" name "\", \"pid\": 7, \"tid\": 8, \"ts\": \"" ts "\", \"dur\": " dur            \
	", \"cat\": \"cpu_op\", \"args\": {\"Sequence number\": -1}}"
#define TASK(name, ts, dur, type)                                                                                      \
	"{\"name\": \"" name "\", \"pid\": 800, \"tid\": 3, \"ts\": \"" ts "\", \"dur\": " dur                         \
	", \"args\": {\"Task Type\": \"" type "\", \"connection_id\": 8}, \"ph\": \"X\"}"
#define FROM(id, ts)                                                                                                   \
	"{\"ph\": \"s\", \"bp\": \"e\", \"name\": \"torch_to_npu\", \"id\": " id                                       \
	", \"pid\": 7, \"tid\": 8, \"ts\": \"" ts "\", \"cat\": \"async_npu\"}"
#define TO(id, ts)                                                                                                     \
	"{\"ph\": \"f\", \"bp\": \"e\", \"name\": \"torch_to_npu\", \"id\": " id                                       \
	", \"pid\": 800, \"tid\": 3, \"ts\": \"" ts "\", \"cat\": \"async_npu\"}"

#define CALLS                                                                                                          \
	CALL("aten::linear", "1704161511420306.491", "90")                                                             \
	"," CALL("aten::addmm", "1704161511420310.000", "50") "," CALL("aclnnAddmm", "1704161511420320.125", "10")
#define TASKS                                                                                                          \
	TASK("aclnnAddmm_MatMul_MatMulV2", "1704161511420400.001", "8.5", "AI_CORE")                                   \
	"," TASK("aclnnAddmm_Cast_Cast", "1704161511420410.002", "2", "AI_CPU") "," TASK(                              \
		"aclnnOther_NonZero_NonZero", "1704161511420420.003", "4", "AI_CPU")
#define FLOWS                                                                                                          \
	FROM("17", "1704161511420320.125")                                                                             \
	"," TO("17", "1704161511420400.001") "," FROM("18", "1704161511420320.125") "," TO("18", "1704161511420410."   \
												 "002")

/* "aten::addmm 10.5", then what was seen, then how many tasks have no operator. */
static void read_trace(const char *text, size_t chunk, struct limits limits, struct buf *ret)
{
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct dump_facts facts = { .format = "" };
	struct dump_context context = { &sink, &limits, &facts };
	void *state = dump_trace.open(&context);
	struct str rest = str_from(text);
	struct err err = { 0 };
	size_t count, names;
	const struct profile_use *uses;
	const struct profile_name *name;
	const struct op_observation *seen;

	for (; rest.len; rest = str_skip(rest, rest.len < chunk ? rest.len : chunk))
		assert_int_equal(dump_trace.feed(state, rest.len < chunk ? rest : str_sub(rest, 0, chunk), &err), 0);
	assert_int_equal(dump_trace.finish(state, &err), 0);
	dump_trace.close(state);
	profile_finish(profile);
	uses = profile_uses(profile, &count);
	name = profile_names(profile, &names);
	for (size_t i = 0; i < count; i++) {
		if (uses[i].self_device_ns)
			buf_printf(ret, "%.*s %lld\n", STR_ARG(name[uses[i].name].text),
				(long long)uses[i].self_device_ns);
	}
	seen = profile_observations(profile, &count);
	for (size_t i = 0; i < count; i++)
		buf_printf(ret, "%.*s|%.*s %d %llu %lld\n", STR_ARG(seen[i].name), STR_ARG(seen[i].launch),
			(int)seen[i].where, (unsigned long long)seen[i].calls, (long long)seen[i].device_ns);
	buf_printf(ret, "%llu of %llu, %llu on the AI CPU, %s by %s\n", (unsigned long long)facts.unmatched_work,
		(unsigned long long)facts.device_tasks, (unsigned long long)facts.aicpu_calls,
		device_kind_name(facts.device.kind), facts.device.sign ? facts.device.sign : "-");
	profile_free(profile);
}

#define FOUND                                                                                                          \
	"aten::addmm 10500\naten::addmm| 1 1 8500\naten::addmm| 2 1 2000\nNonZero|aclnnOther 2 1 4000\n"               \
	"1 of 3, 2 on the AI CPU, npu by "

static void tasks_belong_to_the_innermost_operator(void **state)
{
	static const struct {
		const char *text, *sign;
	} cases[] = {
		{ "[" CALLS "," TASKS "," FLOWS "]", "names\n" },
		{ "[" CALLS "," FLOWS "," TASKS "]", "names\n" },
		{ "[" TASKS "," CALLS "," FLOWS "]", "events\n" },
	};
	static const size_t chunks[] = { 1, 7, 4096 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf expected = BUF_INIT(1000);

		buf_printf(&expected, "%s%s", FOUND, cases[i].sign);
		for (size_t j = 0; j < ARRAY_SIZE(chunks); j++) {
			CLEANUP(buf_clear) struct buf found = BUF_INIT(10000);

			read_trace(cases[i].text, chunks[j], limits_default(), &found);
			assert_str(buf_str(&found), buf_text(&expected));
		}
	}
}

static void of_operators_that_begin_together_the_innermost_has_the_task(void **state)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(10000);

	read_trace(
		"[" CALL("aten::linear", "1704161511420310.000", "90") "," CALL("aten::addmm", "1704161511420310.000",
			"50") "," TASK("aclnnAddmm_MatMul_MatMulV2", "1704161511420400.001", "8.5",
			"AI_CORE") "," FROM("17", "1704161511420310.000") "," TO("17", "1704161511420400.001") "]",
		4096, limits_default(), &found);
	assert_true(str_starts(buf_str(&found), STR("aten::addmm 8500\naten::addmm| 1 1 8500\n0 of 1, ")));
}

static void tasks_that_begin_together_are_matched_in_their_order(void **state)
{
	static const char *const flows[] = {
		FROM("17", "1704161511420310.000") "," TO("17", "1704161511420400.001"),
		FROM("18", "1704161511420310.000") "," TO("18", "1704161511420400.001"),
	};
	CLEANUP(buf_clear) struct buf found = BUF_INIT(10000), text = BUF_INIT(10000);

	buf_printf(&text, "[%s,%s,%s,%s", CALL("aten::addmm", "1704161511420310.000", "50"),
		TASK("MatMulV2", "1704161511420400.001", "8.5", "AI_CORE"),
		TASK("Cast", "1704161511420400.001", "2", "AI_CORE"), flows[0]);
	read_trace(buf_text(&text), 4096, limits_default(), &found);
	assert_true(str_starts(buf_str(&found), STR("aten::addmm 8500\n")));
	buf_printf(&text, ",%s", flows[1]);
	buf_reset(&found);
	read_trace(buf_text(&text), 4096, limits_default(), &found);
	assert_true(str_starts(buf_str(&found), STR("aten::addmm 10500\naten::addmm| 1 2 10500\n0 of 2, ")));
}

/* Work that grows with the square of their number would take minutes. */
static void many_calls_and_tasks_may_begin_together(void **state)
{
	enum { COUNT = 200000 };
	CLEANUP(buf_clear) struct buf found = BUF_INIT(10000), text = BUF_UNLIMITED;

	buf_byte(&text, '[');
	for (int i = 0; i < COUNT; i++)
		buf_printf(&text, "%s,%s,%s,%s,", CALL("aten::addmm", "310.5", "50"),
			TASK("MatMulV2", "400.5", "1", "AI_CORE"), FROM("17", "310.5"), TO("17", "400.5"));
	buf_cut(&text, text.len - 1);
	read_trace(buf_text(&text), 1 << 20, limits_default(), &found);
	assert_true(str_starts(buf_str(&found), STR("aten::addmm 200000000\naten::addmm| 1 200000 200000000\n0 of ")));
}

/* Without its other end, with another id or at another time a flow says nothing; the task is counted as nobody's. */
static void flows_that_lead_nowhere_are_told(void **state)
{
	static const char *const flows[] = {
		FROM("17", "1704161511420320.125"),
		TO("17", "1704161511420400.001"),
		FROM("17", "1704161511420320.125") "," TO("18", "1704161511420400.001"),
		FROM("17", "1704161511420321.125") "," TO("17", "1704161511420400.001"),
		FROM("17", "1704161511420320.125") "," TO("17", "1704161511420400.002"),
		("{\"ph\": \"s\", \"cat\": \"async_npu\", \"id\": 17},"
		 "{\"ph\": \"f\", \"cat\": \"async_npu\", \"id\": 17}"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(flows); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(10000), found = BUF_INIT(10000);

		buf_printf(&text, "[%s,%s,%s]", CALLS,
			TASK("aclnnAddmm_MatMul_MatMulV2", "1704161511420400.001", "8.5", "AI_CORE"), flows[i]);
		read_trace(buf_text(&text), 4096, limits_default(), &found);
		assert_str(buf_str(&found), "MatMulV2|aclnnAddmm 1 1 8500\n1 of 1, 0 on the AI CPU, npu by names\n");
	}
}

static void what_is_over_the_limit_is_told(void **state)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(10000);
	struct limits limits = limits_default();

	limits.launches = 8; /* two begins, two tasks, two flows */
	read_trace("[" CALLS "," TASKS "," FLOWS "]", 4096, limits, &found);
	assert_str(buf_str(&found),
		"Cast|aclnnAddmm 2 1 2000\nMatMulV2|aclnnAddmm 1 1 8500\n3 of 3, 1 on the AI CPU, npu by names\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_belong_to_the_innermost_operator),
		cmocka_unit_test(of_operators_that_begin_together_the_innermost_has_the_task),
		cmocka_unit_test(tasks_that_begin_together_are_matched_in_their_order),
		cmocka_unit_test(many_calls_and_tasks_may_begin_together),
		cmocka_unit_test(flows_that_lead_nowhere_are_told),
		cmocka_unit_test(what_is_over_the_limit_is_told),
	};

	return run_group(tests);
}
