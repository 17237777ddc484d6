/* The files in an archive, read in one pass: their names, their bytes, and what ends them. */
#include <stdio.h>

#include "base/memory/buf.h"
#include "io/members.h"
#include "tests/unit/check.h"
#include "tests/unit/packed.h"

enum { BLOCK = 512, REGULAR = '0', LINK = '2', FOLDER = '5' };

/* One member of a POSIX tar: a header block with its sum, and the bytes in whole blocks. */
static void put_member(struct buf *tar, const char *name, char type, struct str bytes)
{
	char header[BLOCK] = { 0 };
	unsigned sum = 0;

	snprintf(header, 100, "%s", name);
	snprintf(header + 100, 8, "%07o", 0644u);
	snprintf(header + 108, 8, "%07o", 0u);
	snprintf(header + 116, 8, "%07o", 0u);
	snprintf(header + 124, 12, "%011zo", bytes.len);
	snprintf(header + 136, 12, "%011o", 0u);
	memset(header + 148, ' ', 8);
	header[156] = type;
	memcpy(header + 257, "ustar\00000", 8);
	for (size_t i = 0; i < BLOCK; i++)
		sum += (unsigned char)header[i];
	snprintf(header + 148, 8, "%06o", sum);
	buf_add(tar, (struct str){ header, BLOCK });
	buf_add(tar, bytes);
	while (tar->len % BLOCK)
		buf_byte(tar, '\0');
}

static void end_archive(struct buf *tar)
{
	for (size_t i = 0; i < 2 * (size_t)BLOCK; i++)
		buf_byte(tar, '\0');
}

/* "NAME=BYTES;" a member, and the status that ended them. */
static int list(struct str bytes, const struct limits *limits, struct buf *ret, bool *ret_damaged, struct err *err)
{
	struct source *source = source_of_memory(bytes, STR("a"), limits), *inner;
	struct members *members;
	struct member member;
	struct str chunk;
	int status = source_peek(source, &chunk, err);

	assert_int_equal(status, 1);
	members = members_new(source, members_sniff(chunk), limits);
	while ((status = members_next(members, &member, err)) == 1) {
		buf_printf(ret, "%.*s=", STR_ARG(member.name));
		inner = members_open(members);
		while ((status = source_next(inner, &chunk, err)) == 1)
			buf_add(ret, chunk);
		buf_byte(ret, ';');
		source_close(inner);
		if (status)
			break;
	}
	*ret_damaged = members_damaged(members);
	members_free(members);
	source_close(source);
	return status;
}

static void assert_list(struct str bytes, const char *want)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct err err = { 0 };
	bool damaged;

	assert_int_equal(list(bytes, &limits, &found, &damaged, &err), 0);
	assert_str(buf_str(&found), want);
	assert_false(damaged);
}

static struct buf two_files(void)
{
	struct buf tar = BUF_INIT(1 << 20);

	put_member(&tar, "run/", FOLDER, STR(""));
	put_member(&tar, "run/a.log", REGULAR, STR("first"));
	put_member(&tar, "run/link", LINK, STR(""));
	put_member(&tar, "run/b.log", REGULAR, STR("second"));
	end_archive(&tar);
	return tar;
}

static void files_are_given_in_their_order_and_nothing_else_is(void **state)
{
	CLEANUP(buf_clear) struct buf tar = two_files();

	assert_list(buf_str(&tar), "run/a.log=first;run/b.log=second;");
}

static void an_archive_may_be_packed_and_so_may_its_members(void **state)
{
	CLEANUP(buf_clear)
	struct buf tar = BUF_INIT(1 << 20), inner = BUF_INIT(1 << 20), packed = BUF_INIT(1 << 20),
		   zstd = BUF_INIT(1 << 20);

	pack_gzip(&inner, STR("first"));
	put_member(&tar, "a.gz", REGULAR, buf_str(&inner));
	end_archive(&tar);
	pack_gzip(&packed, buf_str(&tar));
	pack_zstd(&zstd, buf_str(&tar));
	assert_list(buf_str(&packed), "a.gz=first;");
	assert_list(buf_str(&zstd), "a.gz=first;");
}

static void names_lead_nowhere_outside(void **state)
{
	static const struct {
		const char *name, *clean;
	} cases[] = { { "../../etc/passwd", "etc/passwd" }, { "/etc/passwd", "etc/passwd" }, { "./a//b/./c", "a/b/c" },
		{ "a/../b", "a/b" }, { "..", "member 1" }, { "\xff\xfe", "\xff\xfe" } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf tar = BUF_INIT(1 << 20), want = BUF_INIT(1000);

		put_member(&tar, cases[i].name, REGULAR, STR("x"));
		end_archive(&tar);
		buf_printf(&want, "%s=x;", cases[i].clean);
		assert_list(buf_str(&tar), buf_text(&want));
	}
}

/* Cut anywhere, an archive gives what came whole before and says that it is damaged, or that there is nothing. */
static void a_cut_archive_gives_what_came_before(void **state)
{
	CLEANUP(buf_clear) struct buf tar = two_files();
	struct limits limits = limits_default();

	for (size_t len = BLOCK; len + 2 * (size_t)BLOCK < tar.len; len += 7) {
		CLEANUP(buf_clear) struct buf found = BUF_INIT(1 << 20);
		struct err err = { 0 };
		bool damaged;

		assert_int_equal(list(str_sub(buf_str(&tar), 0, len), &limits, &found, &damaged, &err), 0);
		assert_true(str_starts(
			STR("run/a.log=first;run/b.log=second;"), str_chop(buf_str(&found), found.len ? 1 : 0)));
		assert_true(damaged || len % BLOCK == 0);
	}
}

static void limits_stop_an_archive(void **state)
{
	static const struct {
		const char *limit;
		int status;
	} cases[] = { { "archive-members=4", 0 }, { "archive-members=3", -ERR_LIMIT },
		{ "input-bytes=1000", -ERR_LIMIT } };
	CLEANUP(buf_clear) struct buf tar = two_files();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf found = BUF_INIT(1 << 20);
		struct limits limits = limits_default();
		struct err err = { 0 };
		bool damaged = false;

		assert_int_equal(limits_set(&limits, str_from(cases[i].limit), &err), 0);
		if (strcmp(cases[i].limit, "input-bytes=1000") == 0) {
			struct source *source = source_of_memory(buf_str(&tar), STR("a"), &limits);
			struct str chunk;

			assert_int_equal(source_peek(source, &chunk, &err), cases[i].status);
			source_close(source);
			continue;
		}
		assert_int_equal(list(buf_str(&tar), &limits, &found, &damaged, &err), cases[i].status);
		assert_true(cases[i].status == 0 || err.hint[0]);
	}
}

static void other_bytes_are_no_archive(void **state)
{
	CLEANUP(buf_clear) struct buf tar = two_files();

	assert_string_equal(members_sniff(buf_str(&tar)), "tar");
	assert_string_equal(members_sniff(STR("PK\x03\x04...")), "zip");
	assert_string_equal(members_sniff(str_sub(buf_str(&tar), 0, 260)), "");
	assert_string_equal(members_sniff(STR("")), "");
	assert_string_equal(members_sniff(STR("ustar")), "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_given_in_their_order_and_nothing_else_is),
		cmocka_unit_test(an_archive_may_be_packed_and_so_may_its_members),
		cmocka_unit_test(names_lead_nowhere_outside),
		cmocka_unit_test(a_cut_archive_gives_what_came_before),
		cmocka_unit_test(limits_stop_an_archive),
		cmocka_unit_test(other_bytes_are_no_archive),
	};

	return run_group(tests);
}
