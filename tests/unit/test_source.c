/* The bytes of a dump from memory, files and pipes: all of them, decompressed, bounded and hashed. */
#include <fcntl.h>
#include <unistd.h>

#include "io/source.h"
#include "tests/unit/files.h"
#include "tests/unit/packed.h"

enum { MEBI = 1 << 20 };

/* Reads to the end; the status that ended it. */
static int drain(struct source *source, struct buf *ret, struct err *err)
{
	struct str chunk;
	int status;

	while ((status = source_next(source, &chunk, err)) == 1) {
		assert_true(chunk.len > 0);
		buf_add(ret, chunk);
	}
	return status;
}

static int drain_memory(
	struct str bytes, const struct limits *limits, struct buf *ret, struct source_facts *ret_facts, struct err *err)
{
	struct source *source = source_of_memory(bytes, STR("dump.log"), limits);
	int status = drain(source, ret, err);

	*ret_facts = *source_facts(source);
	source_close(source);
	return status;
}

static void memory_is_given_whole_with_its_facts(void **state)
{
	struct limits limits = limits_default();
	struct source *source = source_of_memory(STR("abc"), STR("dir/dump.log"), &limits);
	CLEANUP(buf_clear) struct buf out = BUF_INIT(100);
	struct err err = { 0 };
	struct str chunk = STR("untouched");

	assert_int_equal(drain(source, &out, &err), 0);
	assert_str(buf_str(&out), "abc");
	assert_int_equal(source_next(source, &chunk, &err), 0);
	assert_str(chunk, "untouched");
	assert_str(source_facts(source)->name, "dump.log");
	assert_int_equal(source_facts(source)->stored_bytes, 3);
	assert_int_equal(source_facts(source)->text_bytes, 3);
	assert_string_equal(source_facts(source)->compression, "");
	assert_false(source_facts(source)->damaged);
	assert_string_equal(
		source_facts(source)->sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	source_close(source);
	source_close(NULL);
}

static void an_empty_input_ends_at_once(void **state)
{
	struct limits limits = limits_default();
	CLEANUP(buf_clear) struct buf out = BUF_INIT(100);
	struct source_facts facts;
	struct err err = { 0 };

	assert_int_equal(drain_memory(STR(""), &limits, &out, &facts, &err), 0);
	assert_int_equal(facts.stored_bytes, 0);
	assert_string_equal(facts.sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void a_file_of_any_size_is_read_whole(void **state)
{
	static const size_t sizes[] = { 0, 1, 65535, 65536, 65537, MEBI - 1, MEBI, MEBI + 1, 9 * MEBI + 5 };
	struct limits limits = limits_default();
	struct scratch scratch;

	scratch_make(&scratch);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(16 * MEBI), out = BUF_INIT(16 * MEBI);
		struct source *source = NULL;
		struct err err = { 0 };

		pack_sample(&text, sizes[i]);
		file_write(scratch_path(&scratch, "dump.log"), buf_str(&text));
		assert_int_equal(source_open(scratch.path, &limits, &source, &err), 0);
		if (i % 2) {
			source_stay_in_thread(source);
			assert_false(source_is_large(source));
		}
		assert_int_equal(drain(source, &out, &err), 0);
		assert_true(str_eq(buf_str(&out), buf_str(&text)));
		assert_int_equal(source_facts(source)->stored_bytes, sizes[i]);
		assert_str(source_facts(source)->name, "dump.log");
		source_close(source);
	}
	scratch_remove(&scratch);
}

static void a_digest_that_nobody_wants_is_not_made(void **state)
{
	struct limits limits = limits_default();
	CLEANUP(buf_clear) struct buf out = BUF_INIT(MEBI);
	struct source *source = source_of_memory(STR("some bytes"), STR("dump"), &limits);
	struct err err = { 0 };

	source_skip_digest(source);
	assert_int_equal(drain(source, &out, &err), 0);
	assert_str(buf_str(&out), "some bytes");
	assert_int_equal(source_facts(source)->stored_bytes, out.len);
	assert_string_equal(source_facts(source)->sha256, "");
	source_close(source);
}

static void compressed_input_is_found_by_content_and_unpacked(void **state)
{
	static void (*const packers[])(struct buf *, struct str) = { pack_gzip, pack_zstd };
	static const size_t firsts[] = { 0, 3, 1000, MEBI - 1, MEBI + 7 };
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(firsts) * 2; i++) {
		CLEANUP(buf_clear)
		struct buf text = BUF_INIT(16 * MEBI), packed = BUF_INIT(16 * MEBI), out = BUF_INIT(16 * MEBI);
		struct source_facts facts;
		struct err err = { 0 };
		size_t first = firsts[i / 2];

		pack_sample(&text, first + 2 * MEBI);
		packers[i % 2](&packed, str_sub(buf_str(&text), 0, first));
		packers[i % 2](&packed, str_skip(buf_str(&text), first));
		assert_int_equal(drain_memory(buf_str(&packed), &limits, &out, &facts, &err), 0);
		assert_true(str_eq(buf_str(&out), buf_str(&text)));
		assert_int_equal(facts.stored_bytes, packed.len);
		assert_int_equal(facts.text_bytes, text.len);
		assert_string_equal(facts.compression, i % 2 ? "zstd" : "gzip");
		assert_false(facts.damaged);
	}
}

/* The space is full while the last block, whose input is nearly used up, still waits. */
static void the_last_block_of_a_frame_is_not_lost_at_a_chunk_boundary(void **state)
{
	struct limits limits = limits_default();
	CLEANUP(buf_clear) struct buf text = BUF_INIT(16 * MEBI), packed = BUF_INIT(MEBI), out = BUF_INIT(16 * MEBI);
	struct source_facts facts;
	struct err err = { 0 };

	limits.inflate_ratio = MEBI;
	buf_add(&text, STR("abc"));
	pack_zstd(&packed, buf_str(&text));
	for (size_t i = 0; i < MEBI; i++)
		buf_byte(&text, 'x');
	pack_zstd(&packed, str_skip(buf_str(&text), 3));
	assert_int_equal(drain_memory(buf_str(&packed), &limits, &out, &facts, &err), 0);
	assert_false(facts.damaged);
	assert_int_equal(out.len, text.len);
	assert_true(str_eq(buf_str(&out), buf_str(&text)));
}

static void truncated_data_is_delivered_and_called_damaged(void **state)
{
	static void (*const packers[])(struct buf *, struct str) = { pack_gzip, pack_zstd };
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(packers); i++) {
		CLEANUP(buf_clear)
		struct buf text = BUF_INIT(16 * MEBI), packed = BUF_INIT(16 * MEBI), out = BUF_INIT(16 * MEBI);
		struct source_facts facts;
		struct err err = { 0 };

		pack_sample(&text, 2 * MEBI);
		packers[i](&packed, buf_str(&text));
		assert_int_equal(
			drain_memory(str_sub(buf_str(&packed), 0, packed.len / 2), &limits, &out, &facts, &err), 0);
		assert_true(facts.damaged);
		assert_true(out.len > MEBI / 2);
		assert_true(str_starts(buf_str(&text), buf_str(&out)));
	}
}

static void data_of_which_nothing_can_be_had_is_an_error(void **state)
{
	static const struct {
		struct str bytes;
		const char *text;
	} cases[] = {
		{ { "\x1f\x8b", 2 }, "the gzip data is damaged" },
		{ { "\x1f\x8b\x08\x00garbage in place of a header", 32 }, "the gzip data is damaged" },
		{ { "\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff", 10 }, "the zstd data is damaged" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct limits limits = limits_default();
		CLEANUP(buf_clear) struct buf out = BUF_INIT(MEBI);
		struct source_facts facts;
		struct err err = { 0 };

		assert_int_equal(drain_memory(cases[i].bytes, &limits, &out, &facts, &err), -ERR_COMPRESSION);
		assert_string_equal(err.text, cases[i].text);
		assert_true(str_starts(str_from(err.where), STR("byte ")));
		assert_int_equal(out.len, 0);
	}
}

static void a_bomb_is_stopped_by_the_ratio(void **state)
{
	struct limits limits = limits_default();
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64 * MEBI), packed = BUF_INIT(MEBI), out = BUF_INIT(64 * MEBI);
	struct source_facts facts;
	struct err err = { 0 };

	limits.inflate_ratio = 100;
	for (size_t i = 0; i < 20 * MEBI; i++)
		buf_byte(&text, 'x');
	pack_gzip(&packed, buf_str(&text));
	assert_int_equal(drain_memory(buf_str(&packed), &limits, &out, &facts, &err), -ERR_LIMIT);
	assert_string_equal(err.text, "the dump unpacks to more than 100 times its size");
	assert_true(facts.text_bytes <= 8 * MEBI);
	limits.inflate_ratio = 100000;
	buf_clear(&out);
	assert_int_equal(drain_memory(buf_str(&packed), &limits, &out, &facts, &err), 0);
	assert_int_equal(out.len, text.len);
}

static void more_bytes_than_allowed_are_an_error(void **state)
{
	static const struct {
		uint64_t limit;
		int status;
	} cases[] = { { 10, 0 }, { 9, -ERR_LIMIT }, { 1, -ERR_LIMIT } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct limits limits = limits_default();
		CLEANUP(buf_clear) struct buf out = BUF_INIT(100), packed = BUF_INIT(1000);
		struct source_facts facts;
		struct err err = { 0 };

		limits.input_bytes = cases[i].limit;
		assert_int_equal(drain_memory(STR("0123456789"), &limits, &out, &facts, &err), cases[i].status);
		pack_zstd(&packed, STR("0123456789"));
		assert_int_equal(drain_memory(buf_str(&packed), &limits, &out, &facts, &err), cases[i].status);
	}
}

static void what_is_no_file_is_an_error_that_says_so(void **state)
{
	static const struct {
		const char *path;
		int status;
		const char *text;
	} cases[] = {
		{ "/nonexistent/profiler.log", -ERR_OPEN, "cannot open: No such file or directory" },
		{ "/", -ERR_DIRECTORY, "this is a directory" },
		{ ".", -ERR_DIRECTORY, "this is a directory" },
		{ "", -ERR_OPEN, "cannot open: No such file or directory" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct limits limits = limits_default();
		struct source *source = NULL;
		struct err err = { 0 };

		assert_int_equal(source_open(cases[i].path, &limits, &source, &err), cases[i].status);
		assert_string_equal(err.text, cases[i].text);
		assert_null(source);
	}
}

/* Puts a pipe in the place of standard input; the end to write to is returned. */
static int open_stdin_pipe(int *ret_saved)
{
	int ends[2];

	*ret_saved = dup(STDIN_FILENO);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	return ends[1];
}

static void restore_stdin(int saved)
{
	if (saved >= 0)
		dup2(saved, STDIN_FILENO);
	else
		close(STDIN_FILENO);
	close(saved);
}

/* The magic number comes in two writes, with a reader that is faster than the writer. */
static void a_pipe_that_gives_bytes_one_by_one_is_unpacked_all_the_same(void **state)
{
	struct limits limits = limits_default();
	CLEANUP(buf_clear) struct buf packed = BUF_INIT(1000), out = BUF_INIT(1000);
	struct source *source;
	struct err err = { 0 };
	int saved, end = open_stdin_pipe(&saved);

	pack_gzip(&packed, STR("aten::add"));
	assert_int_equal(source_open("-", &limits, &source, &err), 0);
	if (fork() == 0) {
		for (size_t i = 0; i < packed.len; i++) {
			usleep(1000);
			if (write(end, packed.ptr + i, 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	close(end);
	assert_int_equal(drain(source, &out, &err), 0);
	assert_str(buf_str(&out), "aten::add");
	assert_str(source_facts(source)->name, "-");
	assert_string_equal(source_facts(source)->compression, "gzip");
	source_close(source);
	restore_stdin(saved);
}

static void closing_ends_a_reading_that_waits_for_a_pipe(void **state)
{
	struct limits limits = limits_default();
	CLEANUP(buf_clear) struct buf text = BUF_INIT(MEBI);
	struct source *source;
	struct str chunk;
	struct err err = { 0 };
	int saved, end = open_stdin_pipe(&saved);

	pack_sample(&text, 65536);
	assert_int_equal(source_open("-", &limits, &source, &err), 0);
	assert_int_equal(fcntl(end, F_SETPIPE_SZ, MEBI), MEBI);
	assert_int_equal(write(end, text.ptr, text.len), text.len);
	assert_int_equal(source_next(source, &chunk, &err), 1);
	source_close(source);
	close(end);
	restore_stdin(saved);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_given_whole_with_its_facts),
		cmocka_unit_test(an_empty_input_ends_at_once),
		cmocka_unit_test(a_file_of_any_size_is_read_whole),
		cmocka_unit_test(a_digest_that_nobody_wants_is_not_made),
		cmocka_unit_test(compressed_input_is_found_by_content_and_unpacked),
		cmocka_unit_test(the_last_block_of_a_frame_is_not_lost_at_a_chunk_boundary),
		cmocka_unit_test(truncated_data_is_delivered_and_called_damaged),
		cmocka_unit_test(data_of_which_nothing_can_be_had_is_an_error),
		cmocka_unit_test(a_bomb_is_stopped_by_the_ratio),
		cmocka_unit_test(more_bytes_than_allowed_are_an_error),
		cmocka_unit_test(what_is_no_file_is_an_error_that_says_so),
		cmocka_unit_test(a_pipe_that_gives_bytes_one_by_one_is_unpacked_all_the_same),
		cmocka_unit_test(closing_ends_a_reading_that_waits_for_a_pipe),
	};

	return run_group(tests);
}
