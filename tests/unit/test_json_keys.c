/* Keys known from before are read as if they were not. */
#include "json/keys.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

/* Of "k" and a number: the number. */
static int meaning_of(struct str key)
{
	return key.len == 2 && key.ptr[0] == 'k' ? key.ptr[1] - '0' : 0;
}

/* Reads one object by either way, and holds them against each other. Returns whether it came to its end. */
static bool read_object(struct json_keys *keys, struct str text, unsigned *known)
{
	struct json_cursor cursor = { text.ptr, text.ptr + text.len }, plain = cursor;
	struct json_value value, same;
	struct str key;
	bool closed;

	json_keys_start(keys);
	for (;;) {
		unsigned count = keys->count, at = keys->at;
		int meaning = 77;
		enum json_status status = json_key(&plain, &key, &closed);

		assert_int_equal(json_keys_next(keys, &cursor, &meaning), status);
		if (status != JSON_OK)
			return false;
		assert_int_equal(meaning, closed ? JSON_KEY_CLOSED : meaning_of(key));
		if (!closed) { /* the known way skips some of the blanks */
			json_skip_blanks(&plain);
			json_skip_blanks(&cursor);
		}
		assert_ptr_equal(cursor.at, plain.at);
		*known += count == keys->count && keys->known[at].next[0] == keys->at;
		if (closed)
			return true;
		status = json_value(&plain, &value);
		assert_int_equal(json_value(&cursor, &same), status);
		if (status != JSON_OK)
			return false;
		assert_ptr_equal(cursor.at, plain.at);
	}
}

static void what_comes_again_is_known(void **state)
{
	static const char *const events[] = {
		"\"k1\": 1,\n    \"k2\": \"two\",\n    \"k3\": [1]\n  }                                                "
		"     ",
		"\"k1\": 12345.678,\n    \"k2\": \"\",\n    \"k3\": []\n  }                                            "
		"          ",
	};
	struct json_keys keys;
	unsigned known = 0;

	json_keys_init(&keys, meaning_of);
	assert_true(read_object(&keys, str_from(events[0]), &known));
	assert_int_equal(keys.count, 5);
	known = 0;
	for (size_t i = 0; i < 10; i++)
		assert_true(read_object(&keys, str_from(events[i % 2]), &known));
	assert_int_equal(known, 40);
	assert_int_equal(keys.count, 5);
}

static void what_is_too_long_to_be_kept_is_read(void **state)
{
	static const char text[] =
		"\"k1\": 1,                                                              \"k2\": 2, "
		"\"a key of so many bytes that it has no place in what is known of keys\": 3}         ";
	struct json_keys keys;
	unsigned known = 0;

	json_keys_init(&keys, meaning_of);
	for (size_t i = 0; i < 3; i++)
		assert_true(read_object(&keys, str_from(text), &known));
}

static void put_blanks(struct buf *text, uint64_t *random, uint64_t below)
{
	for (uint64_t blanks = random_below(random, below); blanks; blanks--)
		buf_byte(text, ' ');
}

/* Members dressed in one of many ways, so that the known ones are pushed out by others. */
static void put_object(struct buf *text, uint64_t *random, uint64_t dresses)
{
	static const char *const values[] = { "1", "\"a\\\"b\"", "[1, [2]]", "{\"k1\": 3}", "N/A", "", "-1.5e3",
		"\"\"" };

	for (uint64_t members = random_below(random, 6); members; members--) {
		put_blanks(text, random, dresses);
		buf_printf(text, "\"k%d\"", (int)random_below(random, 8));
		put_blanks(text, random, 2);
		buf_byte(text, ':');
		put_blanks(text, random, dresses);
		buf_printf(text, "%s,%s", values[random_below(random, ARRAY_SIZE(values))],
			random_below(random, 2) ? "\n" : "");
	}
	put_blanks(text, random, dresses);
	buf_byte(text, '}');
}

static void known_keys_are_read_like_others(void **state)
{
	uint64_t random = 3;
	struct json_keys keys;
	unsigned known = 0, ended = 0;

	json_keys_init(&keys, meaning_of);
	for (size_t round = 0; round < 20000; round++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(4000);
		size_t len;

		put_object(&text, &random, round % 3 ? 3 : 20);
		if (round % 5 == 0)
			text.ptr[random_below(&random, text.len)] = "\"\\:,}x\n"[random_below(&random, 7)];
		for (unsigned i = 0; round % 2 && i < JSON_KEY_BYTES; i++)
			buf_byte(&text, ' ');
		len = round % 7 ? text.len : random_below(&random, text.len + 1);
		ended += read_object(&keys, str_sub(buf_str(&text), 0, len), &known);
	}
	assert_true(known > 10000 && ended > 10000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_comes_again_is_known),
		cmocka_unit_test(what_is_too_long_to_be_kept_is_read),
		cmocka_unit_test(known_keys_are_read_like_others),
	};

	return run_group(tests);
}
