#include <pthread.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/utf8.h"
#include "dump/dump.h"
#include "dump/npu/db.h"
#include "dump/relay.h"
#include "io/members.h"
#include "io/text.h"
#include "json/token.h"

/* One line a format. */
/* Those that may be certain come first. */
static const struct dump_format *const formats[] = {
	&dump_csv,
	&dump_et,
	&dump_trace,
	&dump_json_list,
	&dump_notebook,
	&dump_oplist,
	&dump_table,
};

/* --- what is none of the formats */

/* Mostly control bytes. NULs do not count: log rotation leaves holes of them. */
static bool is_binary(struct str head)
{
	size_t control = 0, all = 0;

	for (size_t i = 0; i < head.len; i++) {
		unsigned char byte = (unsigned char)head.ptr[i];

		all += byte != 0;
		control += byte && byte < 0x20 && !memchr("\t\n\v\f\r\b\x1b\a", byte, 8);
	}
	return control * 50 > all;
}

/* Files that users give to opcheck and that are not dumps. */
struct unsupported_input {
	struct str magic;     /* at the beginning; "" for text and CSV */
	const char *words[3]; /* all of them stand near the beginning */
	const char *what, *hint;
	bool (*test)(struct str head); /* NULL, or what words do not tell */
};

static const char capture_hint[] =
	"use the text that print(prof.key_averages(group_by_input_shape=True).table(row_limit=-1)) writes; `opcheck "
	"snippet` "
	"shows how";
static const char unpack_hint[] = "unpack it, or pack it with gzip or zstd";
static const char kernels_hint[] =
	"it lists kernels, not operators of PyTorch: run the model under torch.profiler; `opcheck snippet` shows how";
static const char framework_hint[] =
	"opcheck judges operators of PyTorch: run the PyTorch model under torch.profiler; `opcheck snippet` shows how";
static const char nsight_hint[] =
	"recorded with nsys --pytorch=autograd-nvtx or emit_nvtx, its ranges name operators: `nsys stats -r nvtx_sum "
	"REPORT | grep -oE 'aten::\\w+' | sort -u > ops.txt` lists them; else run the model under torch.profiler";
static const char chakra_hint[] =
	"give the JSON of ExecutionTraceObserver, or list the operators: `chakra_jsonizer` makes JSON of an .et file, "
	"`grep -oE '\\w+::\\w+' FILE.json | sort -u > ops.txt` lists them";
static const char memory_hint[] = "it shows memory, not operators: call prof.export_chrome_trace of the same profiler; "
				  "`opcheck snippet` shows how";
static const char tpu_hint[] = "it shows XLA's compiled code: run the model on the CPU or a GPU under torch.profiler; "
			       "`opcheck snippet` shows how";
static const char aiu_hint[] = "it shows compiled graphs, not operators of PyTorch: run the model on the CPU under "
			       "torch.profiler; `opcheck snippet` shows how";
static const char hpu_hint[] = "it shows recipes of the hardware, not operators: use torch.profiler with "
			       "ProfilerActivity.CPU and HPU and record_shapes=True; `opcheck snippet` shows how";

/*
 * Sources: `nsys stats --help-reports` and its exported SQLite schema (docs.nvidia.com/nsight-systems), rocprof and
 * rocprofv3 (rocm.docs.amd.com/projects/rocprofiler-sdk), rocpd_* tables of RPD (github.com/ROCm/rocmProfileData),
 * xplane.proto (github.com/openxla/xla), et_def.proto (github.com/mlcommons/chakra), `v8-version` of node --prof,
 * torch/profiler/_memory_profiler.py of PyTorch, src/aiu_trace_analyzer/types.py of IBM/aiu-trace-analyzer,
 * backend/profiling/json_file_parser.cpp of HabanaAI/gaudi-pytorch-bridge.
 */

/* "[[1700, 1], [[0, 9], ...]]": lists of numbers in a list, and nothing else. */
static bool is_lists_of_numbers(struct str head)
{
	head = str_trim(head);
	if (!str_starts(head, STR("[[")))
		return false;
	return ALL(i, head.len, memchr("0123456789[]., -\n\r", head.ptr[i], 19));
}

static const struct unsupported_input unsupported_inputs[] = {
	{ STR("\x89PNG"), { 0 }, "this is a PNG image", capture_hint },
	{ STR("\xff\xd8\xff"), { 0 }, "this is a JPEG image", capture_hint },
	{ STR("GIF8"), { 0 }, "this is a GIF image", capture_hint },
	{ STR("%PDF"), { 0 }, "this is a PDF document", capture_hint },
	{ STR("\177ELF"), { 0 }, "this is a program", capture_hint },
	{ STR("PERFILE2"), { 0 }, "this is a profile of Linux perf", kernels_hint },
	{ STR("SQLite format 3"), { "CUPTI_ACTIVITY_KIND_" }, "this is a database of Nsight Systems", nsight_hint },
	{ STR("SQLite format 3"), { "TARGET_INFO_" }, "this is a database of Nsight Systems", nsight_hint },
	{ STR("SQLite format 3"), { "rocpd_" }, "this is a database of rocprof", kernels_hint },
	{ STR("SQLite format 3"), { 0 }, "this is an SQLite database", capture_hint },
	{ STR("BZh"), { 0 }, "this is bzip2 data", unpack_hint },
	{ STR("\3757zXZ"), { 0 }, "this is xz data", unpack_hint },
	{ STR("\7\n\5"), { ".0." }, "this is a Chakra trace in protobuf", chakra_hint },
	{ STR("\n"), { "/device:TPU" }, "this is an XPlane profile of a TPU", tpu_hint },
	{ STR("\n"), { "/host:CPU" }, "this is an XPlane profile of TensorFlow or JAX", framework_hint },
	{ STR("\n"), { "/host:metadata" }, "this is an XPlane profile of TensorFlow or JAX", framework_hint },
	{ STR("\n"), { "/device:" }, "this is an XPlane profile of TensorFlow or JAX", framework_hint },
	{ { 0 }, { "QuadD" }, "this is a report of Nsight Systems", nsight_hint },
	{ { 0 }, { 0 }, "this is binary data", capture_hint },
};

/* The same of text, which may hold a table all the same: asked of a first line, or when nothing was found. */
static const struct unsupported_input unsupported_texts[] = {
	{ { 0 }, { "Time (%)", "Total Time (ns)", "Name" }, "this is a table of Nsight Systems", nsight_hint },
	{ { 0 }, { "Start (ns)", "Duration (ns)", "CorrId" }, "this is a table of Nsight Systems", nsight_hint },
	{ { 0 }, { "\"ID\"", "\"Process ID\"", "\"Kernel Name\"" }, "this is a table of Nsight Compute", kernels_hint },
	{ { 0 }, { "Name", "Calls", "TotalDurationNs" }, "this is a table of rocprof", kernels_hint },
	{ { 0 }, { "KernelName", "gpu-id", "queue-id" }, "this is a table of rocprof", kernels_hint },
	{ { 0 }, { "Kind", "Kernel_Name", "Start_Timestamp" }, "this is a table of rocprof", kernels_hint },
	{ { 0 }, { "Kind", "Function", "Start_Timestamp" }, "this is a table of rocprof", kernels_hint },
	{ { 0 }, { "Domain", "Function", "Start_Timestamp" }, "this is a table of rocprof", kernels_hint },
	{ { 0 }, { "Kind", "Direction", "Start_Timestamp" }, "this is a table of rocprof", kernels_hint },
	{ { 0 }, { "Dispatch_ID", "Kernel_Name" }, "this is a table of rocprof", kernels_hint },
	{ { 0 }, { "Dispatch_Id", "Kernel_Name" }, "this is a table of rocprof", kernels_hint },
	{ { 0 }, { "==", "NVPROF is profiling process" }, "this is a log of nvprof", kernels_hint },
	{ { 0 }, { "v8-version," }, "this is a profile of V8", framework_hint },
	{ { 0 }, { "ncalls", "tottime", "cumtime" }, "this is a profile of Python (cProfile)", capture_hint },
	{ { 0 }, { "node name", "requested bytes" }, "this is a profile of TensorFlow", framework_hint },
	/* JSON, most of it in the form of Chrome's traces as PyTorch's are */
	{ { 0 }, { "\"traceEvents\"", "\"FEE\"" }, "this is a trace of VizTracer", framework_hint },
	{ { 0 }, { "viztracer_metadata" }, "this is a trace of VizTracer", framework_hint },
	{ { 0 }, { "\"callFrame\"" }, "this is a CPU profile of V8", framework_hint },
	{ { 0 }, { "\"ph\"", "disabled-by-default-" }, "this is a trace of Chrome", framework_hint },
	{ { 0 }, { "\"ph\"", "devtools.timeline" }, "this is a trace of Chrome", framework_hint },
	{ { 0 }, { "\"ph\"", "\"__metadata\"" }, "this is a trace of Chrome", framework_hint },
	{ { 0 }, { "\"ph\"", "\"hlo_module\"" }, "this is a trace of JAX or XLA", framework_hint },
	{ { 0 }, { "\"ph\"", "\"XLA Ops\"" }, "this is a trace of JAX or XLA", framework_hint },
	{ { 0 }, { "\"ph\"", "/device:TPU" }, "this is a trace of a TPU", tpu_hint },
	{ { 0 }, { "\"ph\"", "/job:", "/replica:" }, "this is a trace of TensorFlow", framework_hint },
	{ { 0 }, { "\"ph\"", "/host:CPU" }, "this is a trace of TensorFlow or JAX", framework_hint },
	{ { 0 }, { "\"CudaEvent\"" }, "this is an export of Nsight Systems", nsight_hint },
	{ { 0 }, { "\"NvtxEvent\"" }, "this is an export of Nsight Systems", nsight_hint },
	{ { 0 }, { "TraceProcessEvent" }, "this is an export of Nsight Systems", nsight_hint },
	{ { 0 }, { "\"rocprofiler-sdk-tool\"" }, "this is a trace of rocprof", kernels_hint },
	{ { 0 }, { "\"ph\"", "CPU HIP API" }, "this is a trace of rocprof", kernels_hint },
	{ { 0 }, { "\"ph\"", " Cmpt Exec\"" }, "this is a trace of an IBM AIU", aiu_hint },
	{ { 0 }, { "\"ph\"", " Cmpt Prep\"" }, "this is a trace of an IBM AIU", aiu_hint },
	{ { 0 }, { "\"ph\"", "\"aiuGraphExecution\"" }, "this is a trace of an IBM AIU", aiu_hint },
	{ { 0 }, { "\"ph\"", "\"aiuLaunch" }, "this is a trace of an IBM AIU", aiu_hint },
	{ { 0 }, { "\"ph\"", "\"recipeName\"" }, "this is a trace of Gaudi's hardware", hpu_hint },
	{ { 0 }, { "GPU Memory Timeline HTML" }, "this is a memory timeline of PyTorch", memory_hint },
	{ { 0 }, { "[[" }, "this is a memory timeline of PyTorch", memory_hint, is_lists_of_numbers },
	{ { 0 }, { "\"COMP_NODE\"" }, "this is a graph of Chakra", chakra_hint },
	{ { 0 }, { "\"COMM_COLL_NODE\"" }, "this is a graph of Chakra", chakra_hint },
};

static bool is_input(const struct unsupported_input *input, struct str head)
{
	if (input->magic.len && !str_starts(head, input->magic))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(input->words) && input->words[i]; i++) {
		if (!str_has(head, str_from(input->words[i])))
			return false;
	}
	return !input->test || input->test(head);
}

/* The database of another profiler; NULL. */
static const struct unsupported_input *named_database(struct str head)
{
	const struct unsupported_input *inputs = unsupported_inputs;

	return FIND(i, inputs, ARRAY_SIZE(unsupported_inputs),
		str_starts(inputs[i].magic, STR("SQLite")) && inputs[i].words[0] && is_input(&inputs[i], head));
}

static int refuse_as(const struct unsupported_input *input, struct err *err)
{
	err_set(err, ERR_FORMAT, "%s", translated(input->what));
	return err_hint(err, "%s", translated(input->hint));
}

static int refuse_binary(struct str head, struct err *err)
{
	bool binary = is_binary(head);

	for (size_t i = 0; i < ARRAY_SIZE(unsupported_inputs); i++) {
		const struct unsupported_input *input = &unsupported_inputs[i];

		/* words alone, and a magic of one byte, say nothing of a text */
		if ((binary || input->magic.len > 1) && is_input(input, head))
			return refuse_as(input, err);
	}
	return 0;
}

static int refuse_text(struct str head, size_t least_words, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(unsupported_texts); i++) {
		const struct unsupported_input *input = &unsupported_texts[i];

		if (input->words[least_words - 1] && is_input(input, head))
			return refuse_as(input, err);
	}
	return 0;
}

/* A CSV table of another profiler may look like a list of operators: by its header, which has two known columns at
   least. */
static int refuse_first_line(struct str head, struct err *err)
{
	struct str line;

	head = str_trim(head);
	str_cut(&head, '\n', &line);
	return memchr(line.ptr, ',', line.len) ? refuse_text(line, 2, err) : 0;
}

/* --- the distributed run */

static bool count_of(const struct json_value *value, uint64_t *ret)
{
	int64_t number;

	if (!json_scaled(value, 1, &number) || number < 0)
		return false;
	*ret = (uint64_t)number;
	return true;
}

static void note_backend(const struct json_value *value, struct dump_facts *facts)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(sizeof(facts->backend.text));

	json_text(&text, value);
	facts->backend = shown(buf_str(&text));
}

/* {"backend": "nccl", "rank": 3, "world_size": 8, ...}; what came whole before damage counts. */
static void read_distributed(struct json_cursor *cursor, struct dump_facts *facts)
{
	struct json_value value;
	struct str key;
	bool closed;

	if (json_open(cursor, '{') != JSON_OK)
		return;
	while (json_key(cursor, &key, &closed) == JSON_OK && !closed && json_value(cursor, &value) == JSON_OK) {
		if (str_eq(key, STR("rank")))
			facts->has_rank = count_of(&value, &facts->rank);
		else if (str_eq(key, STR("world_size")))
			count_of(&value, &facts->world_size);
		else if (str_eq(key, STR("backend")) && value.kind == JSON_STRING)
			note_backend(&value, facts);
	}
}

/* The distributed run of a trace, which Kineto writes before the events. */
static void note_distributed(struct str head, struct dump_facts *facts)
{
	static const struct str name = { "\"distributedInfo\"", 17 };
	size_t events = str_find(head, STR("\"traceEvents\"")), at;
	struct json_cursor cursor;

	head = str_sub(head, 0, events == STR_NONE ? head.len : events);
	at = str_find(head, name);
	if (at == STR_NONE)
		return;
	cursor = (struct json_cursor){ head.ptr + at + name.len, head.ptr + head.len };
	if (json_open(&cursor, ':') == JSON_OK)
		read_distributed(&cursor, facts);
}

/* --- reading */

static const struct dump_format *detect(struct str head)
{
	const struct dump_format *best = NULL;
	int best_score = 0;

	for (size_t i = 0; i < ARRAY_SIZE(formats) && best_score < DUMP_CERTAIN; i++) {
		int score = formats[i]->sniff(head);

		if (score > best_score) {
			best = formats[i];
			best_score = score;
		}
	}
	return best;
}

static int read_all(struct text *text, struct str chunk, const struct dump_format *format,
	const struct dump_context *context, struct err *err)
{
	void *state = format->open(context);
	int status;

	context->facts->format = format->name;
	do
		status = format->feed(state, chunk, err);
	while (status == 0 && (status = text_next(text, &chunk, err)) == 1);
	if (status == 0)
		status = format->finish(state, err);
	format->close(state);
	if (status == 0 && text_encoding(text)[0])
		context->facts->encoding = text_encoding(text);
	context->facts->byte_order_mark = text_has_mark(text);
	return status;
}

/* A database is read at any place; the source is read to its end for the digest. */
static int read_database(struct source *source, const struct dump_context *context, struct err *err)
{
	struct str chunk;
	int status;

	do
		status = source_next(source, &chunk, err);
	while (status == 1);
	return status ? status : npu_db_read(source, context, err);
}

/* An archive is no dump: who can read one has opened it already. Its bytes must be seen before those of a text are. */
static int refuse_archive(struct source *source, struct err *err)
{
	struct str head;
	int status = source_peek(source, &head, err);

	if (status <= 0 || !members_sniff(head)[0])
		return status < 0 ? status : 0;
	err_set(err, ERR_FORMAT, "this is a %s archive", members_sniff(head));
	return err_hint(err, "unpack it and name the dump inside; `opcheck check` reads archives, too");
}

static int read_text(struct source *source, struct text *text, const struct dump_context *context, struct err *err)
{
	enum { HEAD_BYTES = 16384 };
	CLEANUP(buf_clear) struct buf head = BUF_INIT(HEAD_BYTES);
	struct str chunk;
	struct file_span span;
	int status = refuse_archive(source, err);

	if (!status)
		status = text_next(text, &chunk, err);
	if (status < 0)
		return status;
	if (status == 0) {
		err_set(err, ERR_EMPTY, "the file is empty");
		return err_hint(err,
			"PyTorch prints an empty text if it recorded no event; `opcheck snippet` shows how to "
			"capture");
	}
	if (npu_db_sniff(chunk) && source_file(source, &span) >= 0) {
		const struct unsupported_input *named = named_database(chunk);

		status = read_database(source, context, err);
		return status == -ERR_FORMAT && named ? refuse_as(named, err) : status;
	}
	status = refuse_binary(chunk, err);
	if (!status)
		status = refuse_first_line(chunk, err);
	if (status)
		return status;
	note_distributed(chunk, context->facts);
	buf_add(&head, str_sub(chunk, 0, chunk.len < HEAD_BYTES ? chunk.len : HEAD_BYTES));
	status = read_all(text, chunk, detect(chunk), context, err);
	if (status != -ERR_NO_TABLE && status != -ERR_NO_OPERATOR && status != -ERR_FORMAT)
		return status;
	return refuse_text(buf_str(&head), 1, err) ? -ERR_FORMAT : status;
}

/* A reading under way in a thread of its own. */
struct reading {
	struct source *source;
	struct text *text;
	struct dump_context context;
	struct relay *relay;
	struct err *err;
	int status;
};

static void *read_in_thread(void *arg)
{
	struct reading *reading = arg;

	reading->status = read_text(reading->source, reading->text, &reading->context, reading->err);
	relay_close(reading->relay);
	return NULL;
}

/* Reads in a thread and tells the sink in this one. False when there is no thread to be had. */
static bool read_apart(
	struct source *source, struct text *text, const struct dump_context *context, int *ret_status, struct err *err)
{
	struct relay *relay = relay_new(context->sink);
	struct event_sink sink = relay_sink(relay);
	struct reading reading = { source, text, { &sink, context->limits, context->facts }, relay, err, 0 };
	pthread_t thread;
	bool started = pthread_create(&thread, NULL, read_in_thread, &reading) == 0;

	if (started) {
		relay_run(relay);
		pthread_join(thread, NULL);
		*ret_status = reading.status;
	}
	relay_free(relay);
	return started;
}

int dump_read(struct source *source, const struct dump_context *context, struct err *err)
{
	struct text *text = text_new(source);
	int status;

	*context->facts = (struct dump_facts){ .format = "", .encoding = "" };
	if (!source_is_large(source) || !read_apart(source, text, context, &status, err))
		status = read_text(source, text, context, err);
	text_free(text);
	return status;
}
