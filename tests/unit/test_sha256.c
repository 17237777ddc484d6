/* SHA-256: the examples of FIPS 180-2, in one piece and in many. */
#include "base/value/sha256.h"
#include "tests/unit/check.h"

static const char abc_hex[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
static const char empty_hex[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

static void the_digest_does_not_depend_on_the_pieces(void **state)
{
	char text[1000], whole[SHA256_HEX_BYTES], hex[SHA256_HEX_BYTES];
	struct sha256 *sha = sha256_new();

	memset(text, 'x', sizeof(text));
	sha256_add(sha, (struct str){ text, sizeof(text) });
	sha256_end(sha, whole);
	for (size_t piece = 1; piece < 200; piece += 7) {
		sha = sha256_new();
		for (size_t at = 0; at < sizeof(text); at += piece)
			sha256_add(
				sha, (struct str){ text + at, at + piece < sizeof(text) ? piece : sizeof(text) - at });
		sha256_end(sha, hex);
		assert_string_equal(hex, whole);
	}
}

static void known_texts_have_their_known_digests(void **state)
{
	char hex[SHA256_HEX_BYTES];
	struct sha256 *sha = sha256_new();

	sha256_end(sha, hex);
	assert_string_equal(hex, empty_hex);
	sha = sha256_new();
	sha256_add(sha, STR("a"));
	sha256_add(sha, STR(""));
	sha256_add(sha, STR("bc"));
	sha256_end(sha, hex);
	assert_string_equal(hex, abc_hex);
}

static void lists_of_fields_differ_where_their_borders_differ(void **state)
{
	static const char *const lists[][2] = { { "ab", "c" }, { "a", "bc" }, { "", "abc" }, { "abc", "" } };
	char hexes[ARRAY_SIZE(lists)][SHA256_HEX_BYTES];

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		struct sha256 *sha = sha256_new();

		sha256_add_field(sha, str_from(lists[i][0]));
		sha256_add_field(sha, str_from(lists[i][1]));
		sha256_end(sha, hexes[i]);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(hexes[i], hexes[j]);
	}
}

static void base64_is_that_of_a_content_security_policy(void **state)
{
	char text[SHA256_BASE64_BYTES];

	sha256_base64(STR("abc"), text);
	assert_string_equal(text, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

static void a_digest_that_is_not_wanted_is_freed(void **state)
{
	struct sha256 *sha = sha256_new();

	sha256_add(sha, STR("abc"));
	sha256_free(sha);
	sha256_free(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_texts_have_their_known_digests),
		cmocka_unit_test(the_digest_does_not_depend_on_the_pieces),
		cmocka_unit_test(lists_of_fields_differ_where_their_borders_differ),
		cmocka_unit_test(base64_is_that_of_a_content_security_policy),
		cmocka_unit_test(a_digest_that_is_not_wanted_is_freed),
	};

	return run_group(tests);
}
