/* Scanning in words and vectors says what looking at every byte says. */
#include "base/view/scan.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

enum { MAX_LEN = 200, MAX_SHIFT = 33 };

/* The obvious ways. */
static size_t slow_run(struct str text, char byte)
{
	size_t len = 0;

	while (len < text.len && text.ptr[len] == byte)
		len++;
	return len;
}

static size_t slow_count(struct str text, char byte)
{
	size_t count = 0;

	for (size_t i = 0; i < text.len; i++)
		count += text.ptr[i] == byte;
	return count;
}

static size_t slow_run_back(struct str text, char byte)
{
	size_t len = 0;

	while (len < text.len && text.ptr[text.len - 1 - len] == byte)
		len++;
	return len;
}

static struct scanned_line slow_line(struct str bytes)
{
	struct scanned_line line = { 0 };

	for (; line.len < bytes.len; line.len++) {
		unsigned char byte = (unsigned char)bytes.ptr[line.len];

		if (byte == '\n' || byte == '\r') {
			line.ended = true;
			break;
		}
		line.high |= byte >= 0x80;
		line.escape |= byte == 0x1b;
	}
	return line;
}

/* Looks at text at several addresses, with other bytes around it that must not matter. */
static void compare(struct str text, char around)
{
	char space[MAX_LEN + 2 * MAX_SHIFT];
	struct scanned_line want = slow_line(text);

	for (size_t shift = 0; shift < MAX_SHIFT; shift += 1 + shift / 8) {
		struct str at = { space + shift, text.len };
		struct scanned_line line;

		memset(space, around, sizeof(space));
		memcpy(space + shift, text.ptr, text.len);
		line = scan_line(at);
		assert_int_equal(line.len, want.len);
		assert_int_equal(line.ended, want.ended);
		assert_int_equal(line.high, want.high);
		assert_int_equal(line.escape, want.escape);
		assert_int_equal(scan_run(at, ' '), slow_run(text, ' '));
		assert_int_equal(scan_run_back(at, ' '), slow_run_back(text, ' '));
		assert_int_equal(scan_count(at, ' '), slow_count(text, ' '));
	}
}

static void one_special_byte_is_seen_wherever_it_stands(void **state)
{
	static const char special[] = { '\n', '\r', '\x1b', (char)0x80, (char)0xff, 'x' };
	char text[70];

	for (size_t len = 0; len <= sizeof(text); len++) {
		for (size_t at = 0; at < len; at++) {
			for (size_t i = 0; i < sizeof(special); i++) {
				memset(text, ' ', sizeof(text));
				text[at] = special[i];
				compare((struct str){ text, len }, special[(i + 1) % sizeof(special)]);
			}
		}
	}
}

static void random_bytes_are_scanned_alike_at_every_address(void **state)
{
	static const char bytes[] = { ' ', ' ', ' ', 'a', '-', '\x1b', (char)0x80, (char)0xe8, '\n', '\r', 0 };
	char text[MAX_LEN];
	uint64_t seed = 11;

	for (unsigned round = 0; round < 4000; round++) {
		size_t len = random_below(&seed, sizeof(text) + 1), rare = 1 + random_below(&seed, sizeof(bytes));

		for (size_t i = 0; i < len; i++)
			text[i] = bytes[random_below(&seed, 20) ? random_below(&seed, 4) : random_below(&seed, rare)];
		compare((struct str){ text, len }, bytes[random_below(&seed, sizeof(bytes))]);
	}
}

static void trimming_takes_blanks_alone(void **state)
{
	static const struct {
		const char *text, *chopped, *trimmed;
	} cases[] = {
		{ "", "", "" },
		{ "        ", "", "" },
		{ "                 x                 ", "                 x", "x" },
		{ "\t a \t", "\t a \t", "\t a \t" },
		{ "a  b", "a  b", "a  b" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_str(scan_chop(str_from(cases[i].text)), cases[i].chopped);
		assert_str(scan_trim(str_from(cases[i].text)), cases[i].trimmed);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_special_byte_is_seen_wherever_it_stands),
		cmocka_unit_test(random_bytes_are_scanned_alike_at_every_address),
		cmocka_unit_test(trimming_takes_blanks_alone),
	};

	return run_group(tests);
}
