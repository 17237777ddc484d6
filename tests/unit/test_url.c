/* Percent encoding there and back. */
#include "base/view/ascii.h"
#include "base/value/url.h"
#include "tests/unit/check.h"

static void every_byte_but_nul_comes_back(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct buf encoded = BUF_INIT(4096);
	struct str back;
	char all[255];

	for (size_t i = 0; i < sizeof(all); i++)
		all[i] = (char)(i + 1);
	url_put(&encoded, (struct str){ all, sizeof(all) });
	for (size_t i = 0; i < encoded.len; i++)
		assert_true(is_word(encoded.ptr[i]) || strchr("%-.~", encoded.ptr[i]));
	assert_true(url_decode(buf_str(&encoded), &arena, &back));
	assert_true(str_eq(back, (struct str){ all, sizeof(all) }));
	buf_clear(&encoded);
	arena_clear(&arena);
}

static void names_of_operators_stay_readable(void **state)
{
	struct buf encoded = BUF_INIT(4096);

	url_put(&encoded, STR("aten::add_.Tensor"));
	assert_str(buf_str(&encoded), "aten%3A%3Aadd_.Tensor");
	buf_clear(&encoded);
}

static void what_is_broken_is_refused(void **state)
{
	static const char *const broken[] = { "%", "x%", "%a", "%a%", "%g0", "%0g", "%00", "%2", "% 41", "%+1" };
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct str back = STR("untouched");

	for (size_t i = 0; i < ARRAY_SIZE(broken); i++)
		assert_false(url_decode(str_from(broken[i]), &arena, &back));
	assert_false(url_decode((struct str){ "a\0b", 3 }, &arena, &back));
	assert_str(back, "untouched");
	assert_true(url_decode(STR("%41%6a%6A+"), &arena, &back));
	assert_str(back, "Ajj+");
	arena_clear(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_but_nul_comes_back),
		cmocka_unit_test(names_of_operators_stay_readable),
		cmocka_unit_test(what_is_broken_is_refused),
	};

	return run_group(tests);
}
