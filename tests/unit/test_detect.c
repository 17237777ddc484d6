/* Files that are no dump: each kind is called by its name. */
#include "dump/dump.h"
#include "tests/unit/check.h"
#include "tests/unit/packed.h"

static unsigned on_stream(void *ctx, struct str label)
{
	return 0;
}

static void on_begin(void *ctx, unsigned stream, unsigned has)
{
}

static void on_rows(void *ctx, unsigned stream, const struct op_row *rows, size_t count)
{
	*(unsigned *)ctx += (unsigned)count;
}

static void on_end(void *ctx, unsigned stream, const struct table_end *end)
{
}

static int read_bytes(struct str bytes, unsigned *ret_rows, struct dump_facts *ret_facts, struct err *err)
{
	struct limits limits = limits_default();
	struct event_sink sink = { ret_rows, on_stream, on_begin, on_rows, on_end };
	struct dump_context context = { &sink, &limits, ret_facts };
	struct source *source = source_of_memory(bytes, STR("dump"), &limits);
	int status = dump_read(source, &context, err);

	source_close(source);
	return status;
}

#define BYTES(text) text, sizeof(text) - 1

static void unsupported_inputs_are_called_by_their_name(void **state)
{
	static const struct {
		struct str bytes;
		int code;
		const char *text;
	} cases[] = {
		{ { "", 0 }, ERR_EMPTY, "the file is empty" },
		{ { "\0\0\0", 3 }, ERR_EMPTY, "the file is empty" },
		{ { "\xef\xbb\xbf", 3 }, ERR_EMPTY, "the file is empty" },
		{ { "\x89PNG\r\n\x1a\n", 8 }, ERR_FORMAT, "this is a PNG image" },
		{ { "\xff\xd8\xff\xe0", 4 }, ERR_FORMAT, "this is a JPEG image" },
		{ { "GIF89a", 6 }, ERR_FORMAT, "this is a GIF image" },
		{ { "%PDF-1.7", 8 }, ERR_FORMAT, "this is a PDF document" },
		{ { "\x7f"
		    "ELF\2\1",
			  6 },
			ERR_FORMAT, "this is a program" },
		{ { "SQLite format 3\0", 16 }, ERR_FORMAT, "this is an SQLite database" },
		{ { BYTES("SQLite format 3\0 CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (") }, ERR_FORMAT,
			"this is a database of Nsight Systems" },
		{ { BYTES("SQLite format 3\0 CREATE TABLE rocpd_op (") }, ERR_FORMAT, "this is a database of rocprof" },
		{ { BYTES("\2\1\4\3\5QuadDCommon\1\2\3") }, ERR_FORMAT, "this is a report of Nsight Systems" },
		{ { BYTES("PERFILE2h\0\0") }, ERR_FORMAT, "this is a profile of Linux perf" },
		{ { BYTES("\n\xd2\1\2\3\x12\t/host:CPU\1\2") }, ERR_FORMAT,
			"this is an XPlane profile of TensorFlow or JAX" },
		{ { BYTES("\7\n\5"
			  "0.0.4\x9a\1\1\1") },
			ERR_FORMAT, "this is a Chakra trace in protobuf" },
		{ { BYTES("Time (%),Total Time (ns),Instances,Avg (ns),Name\n99.0,12,1,12.0,gemm\n") }, ERR_FORMAT,
			"this is a table of Nsight Systems" },
		{ { BYTES("\n ** CUDA GPU Kernel Summary:\n\n Time (%)  Total Time (ns)  Instances  Name\n 9.0  8  7  "
			  "gemm\n") },
			ERR_FORMAT, "this is a table of Nsight Systems" },
		{ { BYTES("\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\"\n\"gemm\",3,4,5\n") }, ERR_FORMAT,
			"this is a table of rocprof" },
		{ { BYTES("\"Kind\",\"Agent_Id\",\"Kernel_Name\",\"Start_Timestamp\"\n") }, ERR_FORMAT,
			"this is a table of rocprof" },
		{ { BYTES("v8-version,11,3,244,8,1\nshared-library,\"/usr/bin/node\"\n") }, ERR_FORMAT,
			"this is a profile of V8" },
		{ { BYTES("   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n") }, ERR_FORMAT,
			"this is a profile of Python (cProfile)" },
		{ { "PK\x03\x04\x14", 5 }, ERR_FORMAT, "this is a zip archive" },
		{ { "BZh91AY", 7 }, ERR_FORMAT, "this is bzip2 data" },
		{ { "\xfd"
		    "7zXZ\0",
			  6 },
			ERR_FORMAT, "this is xz data" },
		{ { "{\"schema\": \"1.1.1\", \"nodes\": [", 30 }, ERR_NO_OPERATOR,
			"the execution trace of 0 nodes has no operators" },
		{ { "{\"schemaVersion\": 1, \"traceEvents\": [", 37 }, ERR_NO_OPERATOR,
			"the trace of 0 events has no operators" },
		{ { " [{\"name\": \"x\", \"ph\": \"M\"}]", 27 }, ERR_NO_OPERATOR,
			"the trace of 1 events has no operators" },
		{ { "Step Id,Name,Type\n", 18 }, ERR_FORMAT,
			"the header of kernel_details.csv lacks the column \"Accelerator Core\"" },
		{ { "Name,Size(KB),Allocation Time(us)\n", 34 }, ERR_UNREAD,
			"this is operator_memory.csv of torch_npu, a list of allocations, not of calls" },
		{ { "\1\2\3\4\5\6", 6 }, ERR_FORMAT, "this is binary data" },
		{ { "just a text\n", 12 }, ERR_NO_TABLE, "no profiler table found (1 line read)" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dump_facts facts;
		struct err err = { 0 };
		unsigned rows = 0;

		if (read_bytes(cases[i].bytes, &rows, &facts, &err) != -cases[i].code ||
			strcmp(err.text, cases[i].text) != 0)
			fail_msg("%d: %s, not %s", err.code, err.text, cases[i].text);
		assert_true(strlen(err.hint) > 0);
		assert_int_equal(rows, 0);
	}
}

#define TABLE "Name  Self CPU  # of Calls\naten::add  3.000us  7\nSelf CPU time total: 3.000us\n"

#define CSV "Name,Host Self Duration(us)\r\naten::add,1\r\n"

static void logs_that_begin_oddly_are_read(void **state)
{
	static const struct {
		struct str bytes;
		const char *encoding;
		bool marked;
		const char *format; /* NULL: "table" */
	} cases[] = {
		{ { "\xef\xbb\xbf" CSV, sizeof(CSV) + 2 }, "ascii", true, "npu-operator-details" },
		{ { CSV, sizeof(CSV) - 1 }, "ascii", false, "npu-operator-details" },
		{ { "aten::add\n", 10 }, "ascii", false, "list" },
		{ { "\n[\"aten::add\"]", 14 }, "ascii", false, "list-json" },
		{ { "op\naten::add\n", 13 }, "ascii", false, "list-csv" },
		{ { "[rank0] \"aten::mm\"\n" TABLE, sizeof(TABLE) + 18 }, "ascii", false },
		{ { "aten::add\naten::mm\n" TABLE, sizeof(TABLE) + 18 }, "ascii", false },
		{ { TABLE, sizeof(TABLE) - 1 }, "ascii", false },
		{ { "\xef\xbb\xbf" TABLE, sizeof(TABLE) + 2 }, "ascii", true },
		{ { "[rank0] \"starts\"\n" TABLE, sizeof(TABLE) + 16 }, "ascii", false },
		{ { "{\"loss\": 0.5}\n" TABLE, sizeof(TABLE) + 13 }, "ascii", false },
		{ { "\0\0\0\0" TABLE, sizeof(TABLE) + 3 }, "ascii", false },
		{ { BYTES("v8-version,11\n" TABLE) }, "ascii", false },
		{ { "\x1b[31mred\x1b[0m\n" TABLE, sizeof(TABLE) + 12 }, "ascii", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dump_facts facts;
		struct err err = { 0 };
		unsigned rows = 0;

		if (read_bytes(cases[i].bytes, &rows, &facts, &err))
			fail_msg("case %zu: %s", i, err.text);
		assert_int_equal(rows, 1);
		assert_string_equal(facts.format, cases[i].format ? cases[i].format : "table");
		assert_string_equal(facts.encoding, cases[i].encoding);
		assert_int_equal(facts.byte_order_mark, cases[i].marked);
	}
}

static void utf_16_and_compressed_logs_are_read(void **state)
{
	CLEANUP(buf_clear) struct buf wide = BUF_INIT(10000), packed = BUF_INIT(10000);
	struct dump_facts facts;
	struct err err = { 0 };
	unsigned rows = 0;

	buf_add(&wide, STR("\xff\xfe"));
	for (size_t i = 0; i < sizeof(TABLE) - 1; i++)
		buf_add(&wide, (struct str){ (char[]){ TABLE[i], 0 }, 2 });
	pack_gzip(&packed, buf_str(&wide));
	assert_int_equal(read_bytes(buf_str(&packed), &rows, &facts, &err), 0);
	assert_int_equal(rows, 1);
	assert_string_equal(facts.encoding, "utf-16le");
	assert_true(facts.byte_order_mark);
}

static void errors_of_the_source_end_the_reading(void **state)
{
	struct dump_facts facts = { .tables = 77 };
	struct err err = { 0 };
	unsigned rows = 0;

	assert_int_equal(read_bytes((struct str){ "\x1f\x8b\x08", 3 }, &rows, &facts, &err), -ERR_COMPRESSION);
	assert_int_equal(facts.tables, 0);
}

/* Only when nothing of PyTorch's was found: a trace that two profilers wrote to is read. */
static void traces_of_other_profilers_are_called_by_their_name(void **state)
{
#define EVENT(members)                                                                                                 \
	"{\"traceEvents\": [{\"ph\": \"X\", \"ts\": 1, \"dur\": 1, \"pid\": 1, \"tid\": 1, " members "}]}"
	static const struct {
		const char *text, *error; /* NULL: it is read */
	} cases[] = {
		{ EVENT("\"name\": \"f (a.py:1)\", \"cat\": \"FEE\""), "a trace of VizTracer" },
		{ EVENT("\"name\": \"RunTask\", \"cat\": \"disabled-by-default-devtools.timeline\""),
			"a trace of Chrome" },
		{ "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"}}],\"samples\":[1]}",
			"a CPU profile of V8" },
		{ EVENT("\"name\": \"fusion.1\", \"args\": {\"hlo_module\": \"jit_f\"}"), "a trace of JAX or XLA" },
		{ EVENT("\"name\": \"MatMul\", \"args\": {\"name\": \"/job:localhost/replica:0/task:0/device:GPU:0\"}"),
			"a trace of TensorFlow" },
		{ "{\"CudaEvent\":{\"startNs\":\"1\"},\"Type\":79}\n", "an export of Nsight Systems" },
		{ "{\"rocprofiler-sdk-tool\": [{\"metadata\": {}}]}", "a trace of rocprof" },
		{ "{\"id\": \"1\", \"name\": \"x\", \"type\": \"COMP_NODE\"}", "a graph of Chakra" },
		{ EVENT("\"name\": \"aten::add\", \"cat\": \"cpu_op\", \"args\": {\"note\": \"viztracer_metadata\"}"),
			NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dump_facts facts;
		struct err err;
		unsigned rows = 0;
		int status = read_bytes(str_from(cases[i].text), &rows, &facts, &err);

		assert_int_equal(status, cases[i].error ? -ERR_FORMAT : 0);
		assert_int_equal(rows, cases[i].error ? rows : 1);
		if (cases[i].error && (!str_has(str_from(err.text), str_from(cases[i].error)) || !err.hint[0]))
			fail_msg("%s: %s", cases[i].text, err.text);
	}
#undef EVENT
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(traces_of_other_profilers_are_called_by_their_name),
		cmocka_unit_test(unsupported_inputs_are_called_by_their_name),
		cmocka_unit_test(logs_that_begin_oddly_are_read),
		cmocka_unit_test(utf_16_and_compressed_logs_are_read),
		cmocka_unit_test(errors_of_the_source_end_the_reading),
	};

	return run_group(tests);
}
