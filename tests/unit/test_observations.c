/* Where things ran: from readers, also through a relay, into the profile. */
#include "op/profile_links.h"
#include "dump/common/format.h"
#include "dump/npu/cann.h"
#include "dump/relay.h"
#include "op/profile.h"
#include "tests/unit/check.h"

/* Reads a dump into a profile; the text of all that was seen. */
static void seen_in(const struct dump_format *format, struct str text, struct limits limits, struct buf *ret,
	struct dump_facts *ret_facts)
{
	static const char *const where[] = { "device", "aicore", "aicpu", "host", "raised" };
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct dump_context context = { &sink, &limits, ret_facts };
	void *state = format->open(&context);
	struct err err = { 0 };
	size_t count;
	const struct op_observation *seen;

	assert_int_equal(format->feed(state, text, &err), 0);
	assert_int_equal(format->finish(state, &err), 0);
	format->close(state);
	profile_finish(profile);
	seen = profile_observations(profile, &count);
	for (size_t i = 0; i < count; i++)
		buf_printf(ret, "%s %.*s|%.*s %s %llu %lld\n", seen[i].kernel ? "kernel" : "op", STR_ARG(seen[i].name),
			STR_ARG(seen[i].launch), where[seen[i].where], (unsigned long long)seen[i].calls,
			(long long)seen[i].device_ns);
	profile_free(profile);
}

static void tasks_tell_unit_and_launch(void **state)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(10000);
	struct dump_facts facts = { .format = "" };

	seen_in(&dump_csv,
		STR("Step Id,Name,Type,Accelerator Core,Duration(us)\n"
		    "1,aclnnNonzero_NonZero_NonZero,NonZero,AI_CPU,2.5\n1,aclnnMm_MatMulCommon_MatMulV2,MatMulV2,AI_"
		    "CORE,8\n"
		    "1,aclnnNonzero_NonZero_NonZero,NonZero,AI_CPU,1.5\n1,Cast52,Cast,AI_VECTOR_CORE,1\n1,x,Odd,N/"
		    "A,1\n"),
		limits_default(), &found, &facts);
	assert_str(buf_str(&found), "kernel Cast| aicore 1 1000\nkernel MatMulV2|aclnnMm aicore 1 8000\n"
				    "kernel NonZero|aclnnNonzero aicpu 2 4000\nkernel Odd| device 1 1000\n");
	assert_int_equal(facts.device.kind, DEVICE_NPU);
	assert_string_equal(facts.device.sign, "tables");
	assert_int_equal(facts.aicpu_calls, 2);
}

static void beyond_the_limit_calls_are_counted(void **state)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(10000);
	struct limits limits = limits_default();
	struct dump_facts facts = { .format = "" };

	limits.names = 1;
	seen_in(&dump_csv, STR("OP Type,Core Type,Count,Total Time(us)\nA,AI_CPU,2,1\nB,AI_CPU,3,1\nA,AI_CPU,4,1\n"),
		limits, &found, &facts);
	assert_str(buf_str(&found), "kernel B| aicpu 3 1000\n"); /* told at once, before the sums */
}

#define TABLE                                                                                                          \
	"-------------  ------------  ------------  ------------  ------------  ------------  \n"                      \
	"         Name    Self CPU %      Self CPU      Self NPU    Self NPU %    # of Calls  \n"                      \
	"-------------  ------------  ------------  ------------  ------------  ------------  \n"                      \
	"     aten::mm        10.00%       1.000us       2.000us        50.00%             1  \n"                      \
	"-------------  ------------  ------------  ------------  ------------  ------------  \n"

static void a_log_tells_of_fallbacks_and_exceptions(void **state)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(10000);
	struct dump_facts facts = { .format = "" };

	seen_in(&dump_table,
		STR("The operator 'aten::fmax.out' is not currently supported on the NPU backend and will fall back to "
		    "run "
		    "on the CPU.\n" TABLE
		    "The operator 'aten::fmax' is not currently supported on the NPU backend and will "
		    "fall back to run on the CPU.\nCould not run 'aten::mode' with arguments from the 'NPU' "
		    "backend.\n"),
		limits_default(), &found, &facts);
	assert_str(buf_str(&found), "op aten::fmax| host 2 0\nop aten::mode| raised 1 0\n");
	assert_int_equal(facts.device.kind, DEVICE_NPU);
	assert_string_equal(facts.device.sign, "warnings");
}

static void columns_tell_the_device(void **state)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(100);
	struct dump_facts facts = { .format = "" };

	seen_in(&dump_table, STR(TABLE), limits_default(), &found, &facts);
	assert_int_equal(facts.device.kind, DEVICE_NPU);
	assert_string_equal(facts.device.sign, "columns");
}

static void units_have_several_spellings(void **state)
{
	assert_int_equal(npu_task_unit(STR("AI_CPU")), OBSERVED_ON_AICPU);
	assert_int_equal(npu_task_unit(STR("KERNEL_AICPU")), OBSERVED_ON_AICPU);
	assert_int_equal(npu_task_unit(STR("MIX_AIV")), OBSERVED_ON_AICORE);
	assert_int_equal(npu_task_unit(STR("N/A")), OBSERVED_ON_DEVICE);
	assert_int_equal(npu_task_unit(STR("Other")), OBSERVED_ON_DEVICE);
	assert_str(npu_task_launch(STR("aclnnMm_MatMulCommon_MatMulV2")), "aclnnMm");
	assert_str(npu_task_launch(STR("aclnnMm")), "aclnnMm");
	assert_str(npu_task_launch(STR("trans_Cast_7")), "");
}

static void note_observation(void *ctx, const struct op_observation *seen)
{
	buf_printf(ctx, "%.*s|%.*s %d;", STR_ARG(seen->name), STR_ARG(seen->launch), (int)seen->where);
}

static void a_relay_passes_it_on(void **state)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(1000);
	struct event_sink to = { .ctx = &found, .observe = note_observation }, without = { .ctx = &found };
	struct relay *relay = relay_new(&to), *other = relay_new(&without);
	struct event_sink sink = relay_sink(relay);
	char name[] = "Cast";
	struct op_observation seen = {
		.name = str_from(name), .launch = STR("aclnnCast"), .kernel = true, .where = OBSERVED_ON_AICPU
	};

	sink.observe(sink.ctx, &seen);
	name[0] = 'X'; /* the text lives during the call alone */
	seen.name = STR("");
	seen.launch = STR("");
	sink.observe(sink.ctx, &seen);
	relay_close(relay);
	relay_run(relay);
	assert_str(buf_str(&found), "Cast|aclnnCast 2;| 2;");
	assert_null(relay_sink(other).observe);
	relay_free(relay);
	relay_free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_tell_unit_and_launch),
		cmocka_unit_test(beyond_the_limit_calls_are_counted),
		cmocka_unit_test(a_log_tells_of_fallbacks_and_exceptions),
		cmocka_unit_test(columns_tell_the_device),
		cmocka_unit_test(units_have_several_spellings),
		cmocka_unit_test(a_relay_passes_it_on),
	};

	return run_group(tests);
}
