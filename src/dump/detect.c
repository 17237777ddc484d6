#include "dump/dump.h"

#include <pthread.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "dump/common/format.h"
#include "dump/et/et.h"
#include "dump/npu/db.h"
#include "dump/relay.h"
#include "dump/trace/trace.h"
#include "io/members.h"
#include "io/text.h"
#include "json/token.h"

/* One line a format. */
static const struct dump_format *const formats[] = {
	&dump_csv,
	&dump_et,
	&dump_json_list,
	&dump_notebook,
	&dump_oplist,
	&dump_table,
	&dump_trace,
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

struct stranger {
	bool (*test)(struct str head);
	struct str magic; /* instead of a test */
	enum err_code code;
	const char *what, *hint;
};

static const char capture_hint[] =
	"hand in the text that print(prof.key_averages(group_by_input_shape=True).table(row_limit=-1)) "
	"writes; `opcheck snippet` shows how";

static const struct stranger strangers[] = {
	{ NULL, { "\x89PNG", 4 }, ERR_FORMAT, "this is a PNG image", capture_hint },
	{ NULL, { "\xff\xd8\xff", 3 }, ERR_FORMAT, "this is a JPEG image", capture_hint },
	{ NULL, { "GIF8", 4 }, ERR_FORMAT, "this is a GIF image", capture_hint },
	{ NULL, { "%PDF", 4 }, ERR_FORMAT, "this is a PDF document", capture_hint },
	{ NULL,
		{ "\x7f"
		  "ELF",
			4 },
		ERR_FORMAT, "this is a program", capture_hint },
	{ NULL, { "SQLite format 3", 15 }, ERR_FORMAT, "this is an SQLite database", capture_hint },
	{ NULL, { "BZh", 3 }, ERR_FORMAT, "this is bzip2 data", "unpack it, or pack it with gzip or zstd" },
	{ NULL,
		{ "\xfd"
		  "7zXZ",
			5 },
		ERR_FORMAT, "this is xz data", "unpack it, or pack it with gzip or zstd" },
	{ is_binary, { 0 }, ERR_FORMAT, "this is binary data", capture_hint },
};

static int refuse_strangers(struct str head, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(strangers); i++) {
		const struct stranger *stranger = &strangers[i];

		if (stranger->test ? stranger->test(head) : str_starts(head, stranger->magic)) {
			err_set(err, stranger->code, "%s", stranger->what);
			return err_hint(err, "%s", stranger->hint);
		}
	}
	return 0;
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

/* What a trace says of the distributed run that it is a part of, which Kineto writes before the events. */
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

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
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

/* A database is read by its path; the source is read to its end for the digest. */
static int read_database(struct source *source, const struct dump_context *context, struct err *err)
{
	struct str chunk;
	int status;

	do
		status = source_next(source, &chunk, err);
	while (status == 1);
	return status ? status : npu_db_read(source_file(source), context, err);
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
	struct str chunk;
	int status = refuse_archive(source, err);

	if (!status)
		status = text_next(text, &chunk, err);
	if (status < 0)
		return status;
	if (status == 0) {
		err_set(err, ERR_EMPTY, "the file is empty");
		return err_hint(err,
			"PyTorch prints an empty text when nothing was recorded; `opcheck snippet` shows a right "
			"capture");
	}
	if (npu_db_sniff(chunk) && source_file(source))
		return read_database(source, context, err);
	status = refuse_strangers(chunk, err);
	if (!status)
		note_distributed(chunk, context->facts);
	return status ? status : read_all(text, chunk, detect(chunk), context, err);
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
