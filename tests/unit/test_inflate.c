/* Streams of gzip members and zstd frames, in every cut of input and space. */
#include "io/gunzip.h"
#include "io/inflate.h"
#include "tests/unit/check.h"
#include "tests/unit/packed.h"

/* Decompresses with so many bytes of input and of space at a time. */
static bool unpack_by(const struct gunzip *gunzip, struct str packed, size_t step, size_t space_bytes, struct buf *ret,
	bool *ret_at_end)
{
	struct inflater *inflater = inflater_by(inflate_sniff(packed), gunzip);
	struct str input = { packed.ptr, 0 };
	char *space = mem_zalloc(space_bytes);
	bool good = true;

	while (good) {
		size_t len, more = packed.len - (size_t)(input.ptr - packed.ptr) - input.len;

		if (!input.len && !inflater_may_go_on(inflater)) {
			if (!more)
				break;
			input.len = more < step ? more : step;
		}
		good = inflater_run(inflater, &input, space, space_bytes, &len);
		buf_add(ret, (struct str){ space, len });
	}
	*ret_at_end = inflater_at_end(inflater);
	inflater_free(inflater);
	mem_release(&space);
	return good;
}

/* The same by every library. */
static bool unpack(struct str packed, size_t step, size_t space_bytes, struct buf *ret, bool *ret_at_end)
{
	bool good = unpack_by(gunzip_by(0), packed, step, space_bytes, ret, ret_at_end);

	for (size_t i = 1; gunzip_by(i); i++) {
		CLEANUP(buf_clear) struct buf other = BUF_INIT(1 << 20);
		bool at_end;

		assert_int_equal(unpack_by(gunzip_by(i), packed, step, space_bytes, &other, &at_end), good);
		assert_int_equal(at_end, *ret_at_end);
		assert_true(str_eq(buf_str(&other), buf_str(ret)));
	}
	return good;
}

static void the_kind_is_told_by_the_first_bytes_alone(void **state)
{
	static const struct {
		struct str head;
		enum inflate_kind kind;
		const char *name;
	} cases[] = {
		{ { "\x1f\x8b\x08", 3 }, INFLATE_GZIP, "gzip" },
		{ { "\x28\xb5\x2f\xfd\x00", 5 }, INFLATE_ZSTD, "zstd" },
		{ { "\x1f", 1 }, INFLATE_NONE, "" },
		{ { "\x28\xb5\x2f", 3 }, INFLATE_NONE, "" },
		{ { "", 0 }, INFLATE_NONE, "" },
		{ { "log.gz", 6 }, INFLATE_NONE, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(inflate_sniff(cases[i].head), cases[i].kind);
		assert_string_equal(inflate_name(inflate_sniff(cases[i].head)), cases[i].name);
	}
}

static void members_and_frames_follow_each_other(void **state)
{
	static void (*const packers[])(struct buf *, struct str) = { pack_gzip, pack_zstd };
	static const size_t steps[] = { 1, 2, 3, 7, 4096, SIZE_MAX / 2 }, spaces[] = { 1, 3, 1000, 1 << 20 };

	for (size_t p = 0; p < ARRAY_SIZE(packers); p++) {
		CLEANUP(buf_clear) struct buf packed = BUF_INIT(1 << 20), text = BUF_INIT(1 << 20);

		pack_sample(&text, 5000);
		packers[p](&packed, str_sub(buf_str(&text), 0, 3000));
		packers[p](&packed, STR(""));
		packers[p](&packed, str_skip(buf_str(&text), 3000));
		for (size_t i = 0; i < ARRAY_SIZE(steps) * ARRAY_SIZE(spaces); i++) {
			CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 20);
			bool at_end = false;

			assert_true(unpack(buf_str(&packed), steps[i % ARRAY_SIZE(steps)],
				spaces[i / ARRAY_SIZE(steps)], &out, &at_end));
			assert_true(at_end);
			assert_true(str_eq(buf_str(&out), buf_str(&text)));
		}
	}
}

static void an_end_inside_a_member_is_told(void **state)
{
	static void (*const packers[])(struct buf *, struct str) = { pack_gzip, pack_zstd };

	for (size_t p = 0; p < ARRAY_SIZE(packers); p++) {
		CLEANUP(buf_clear) struct buf packed = BUF_INIT(1 << 20), text = BUF_INIT(1 << 20);

		pack_sample(&text, 400);
		packers[p](&packed, buf_str(&text));
		for (size_t len = 4; len < packed.len; len++) {
			CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 20);
			bool at_end = true;

			assert_true(unpack(str_sub(buf_str(&packed), 0, len), SIZE_MAX / 2, 1 << 16, &out, &at_end));
			assert_false(at_end);
			assert_true(str_starts(buf_str(&text), buf_str(&out)));
			/* however small the space, all of it comes */
			for (size_t space = 1; space < 100; space = space * 4 + 1) {
				CLEANUP(buf_clear) struct buf small = BUF_INIT(1 << 20);

				assert_true(unpack(
					str_sub(buf_str(&packed), 0, len), SIZE_MAX / 2, space, &small, &at_end));
				assert_false(at_end);
				assert_true(str_eq(buf_str(&small), buf_str(&out)));
			}
		}
	}
}

static void padding_behind_a_gzip_member_is_left_alone(void **state)
{
	CLEANUP(buf_clear) struct buf packed = BUF_INIT(1 << 20), out = BUF_INIT(1 << 20);
	bool at_end = false;

	pack_gzip(&packed, STR("aten::add"));
	buf_add(&packed, (struct str){ "\0\0\0\0padding\x1f\x8b", 13 });
	assert_true(unpack(buf_str(&packed), 5, 100, &out, &at_end));
	assert_true(at_end);
	assert_str(buf_str(&out), "aten::add");
}

static void damage_ends_the_stream_and_keeps_what_came_before(void **state)
{
	static void (*const packers[])(struct buf *, struct str) = { pack_gzip, pack_zstd };

	for (size_t p = 0; p < ARRAY_SIZE(packers); p++) {
		CLEANUP(buf_clear) struct buf packed = BUF_INIT(1 << 20), out = BUF_INIT(1 << 20);
		size_t second;
		bool at_end;

		packers[p](&packed, STR("first"));
		second = packed.len;
		packers[p](&packed, STR("the second one, long enough for any header"));
		memset(packed.ptr + second + 4, 0xff, packed.len - second - 4);
		assert_false(unpack(buf_str(&packed), SIZE_MAX / 2, 1000, &out, &at_end));
		assert_str(buf_str(&out), "first");
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kind_is_told_by_the_first_bytes_alone),
		cmocka_unit_test(members_and_frames_follow_each_other),
		cmocka_unit_test(an_end_inside_a_member_is_told),
		cmocka_unit_test(padding_behind_a_gzip_member_is_left_alone),
		cmocka_unit_test(damage_ends_the_stream_and_keeps_what_came_before),
	};

	return run_group(tests);
}
