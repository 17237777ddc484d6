#include "opdb/model/dtype.h"

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/view/ascii.h"

static const struct str names[DTYPE_COUNT] = { STR("fp32"), STR("fp16"), STR("bf16"), STR("fp64"), STR("int8"),
	STR("uint8"), STR("int16"), STR("int32"), STR("int64"), STR("bool"), STR("complex64"), STR("complex128"),
	STR("complex32"), STR("fp8"), STR("uint16"), STR("uint32"), STR("uint64") };
static const unsigned char widths[DTYPE_COUNT] = { 4, 2, 2, 8, 1, 1, 2, 4, 8, 1, 8, 16, 4, 1, 2, 4, 8 };

/* Other spellings, and words for several types at once. */
static const struct {
	struct str word;
	unsigned types;
} spellings[] = {
	{ STR("float32"), DTYPE_FP32 },
	{ STR("float"), DTYPE_FP32 },
	{ STR("float16"), DTYPE_FP16 },
	{ STR("half"), DTYPE_FP16 },
	{ STR("bfloat16"), DTYPE_BF16 },
	{ STR("float64"), DTYPE_FP64 },
	{ STR("double"), DTYPE_FP64 },
	{ STR("char"), DTYPE_INT8 },
	{ STR("byte"), DTYPE_UINT8 },
	{ STR("short"), DTYPE_INT16 },
	{ STR("int"), DTYPE_INT32 },
	{ STR("long"), DTYPE_INT64 },
	{ STR("integer"), DTYPE_INT8 | DTYPE_INT16 | DTYPE_INT32 | DTYPE_INT64 },
	{ STR("complex"), DTYPE_COMPLEX64 | DTYPE_COMPLEX128 },
	{ STR("float8"), DTYPE_FP8 },
	{ STR("float8_e4m3fn"), DTYPE_FP8 },
	{ STR("float8_e5m2"), DTYPE_FP8 },
	{ STR("float8_e8m0fnu"), DTYPE_FP8 },
	{ STR("fp8_e4m3fn"), DTYPE_FP8 },
	{ STR("fp8_e5m2"), DTYPE_FP8 },
	{ STR("fp8_e8m0"), DTYPE_FP8 },
	{ STR("long int"), DTYPE_INT64 },
	{ STR("short int"), DTYPE_INT16 },
	{ STR("signed char"), DTYPE_INT8 },
	{ STR("unsigned char"), DTYPE_UINT8 },
	{ STR("long long"), DTYPE_INT64 },
	{ STR("unsigned short"), DTYPE_UINT16 },
	{ STR("unsigned int"), DTYPE_UINT32 },
	{ STR("unsigned long"), DTYPE_UINT64 },
	{ STR("c10::float8_e4m3fn"), DTYPE_FP8 },
	{ STR("c10::float8_e4m3fnuz"), DTYPE_FP8 },
	{ STR("c10::float8_e5m2"), DTYPE_FP8 },
	{ STR("c10::float8_e5m2fnuz"), DTYPE_FP8 },
	{ STR("c10::float8_e8m0fnu"), DTYPE_FP8 },
	{ STR("c10::complex<c10::half>"), DTYPE_COMPLEX32 },
	{ STR("c10::half"), DTYPE_FP16 },
	{ STR("c10::bfloat16"), DTYPE_BF16 },
	{ STR("c10::complex<float>"), DTYPE_COMPLEX64 },
	{ STR("c10::complex<double>"), DTYPE_COMPLEX128 },
};

const struct words dtype_words = { names, DTYPE_COUNT, DTYPE_COUNT };

struct str dtype_name(unsigned number)
{
	return names[number];
}

unsigned dtype_from(struct str word)
{
	if (!word.len) /* the types of most tables */
		return 0;
	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		if (str_eq_fold(names[i], word))
			return 1u << i;
	}
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++) {
		if (str_eq_fold(spellings[i].word, word))
			return spellings[i].types;
	}
	return 0;
}

unsigned dtype_bytes(unsigned types)
{
	unsigned width = 0;

	for (; types; types &= types - 1) {
		unsigned char bytes = widths[__builtin_ctz(types)];

		width = bytes > width ? bytes : width;
	}
	return width;
}

bool dtypes_from(struct str words, unsigned *ret)
{
	struct str word = { 0 };

	*ret = 0;
	while (words.len && str_cut(&words, memchr(words.ptr, ',', words.len) ? ',' : ' ', &word)) {
		unsigned type = dtype_from(str_trim(word));

		if (!type)
			return false;
		*ret |= type;
	}
	return true;
}

struct str dtypes_text(struct arena *arena, unsigned types, const char *between)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	words_put(&text, &dtype_words, types, between);
	return arena_keep(arena, buf_str(&text));
}

/* Takes the next word off *text; "" at its end. */
static struct str next_word(struct str *text)
{
	size_t from = 0, to;

	while (from < text->len && !is_word(text->ptr[from]))
		from++;
	to = from;
	while (to < text->len && is_word(text->ptr[to]))
		to++;
	struct str word = str_sub(*text, from, to);

	*text = str_skip(*text, to);
	return word;
}

static bool has_word(struct str words, struct str word)
{
	struct str one = { 0 };

	while (str_cut(&words, ' ', &one)) {
		if (str_eq_fold(one, word))
			return true;
	}
	return false;
}

/* Returns whether a clause says that its types work, rather than that they do not. */
static bool says_works(struct str clause)
{
	static const struct str works = STR("ok works work fine fast only has passes accepted real");
	static const struct str fails = STR("no not unsupported rejected fails lacks");
	bool positive = false;

	for (struct str word = next_word(&clause); word.len; word = next_word(&clause)) {
		if (has_word(fails, word))
			return false;
		positive |= has_word(works, word);
	}
	return positive;
}

/* The types that a clause names, without those behind "to", "by", "through" or "via". */
static unsigned named_in(struct str clause)
{
	/* names of types in C that are words of everyday speech as often */
	static const struct str plain = STR("float int long short char byte half double");
	static const struct str turns_into = STR("to by through via");
	unsigned types = 0;
	bool target = false;

	for (struct str word = next_word(&clause); word.len; word = next_word(&clause)) {
		unsigned type = has_word(plain, word) ? 0 : dtype_from(word);

		if (type && !target)
			types |= type;
		target = has_word(turns_into, word) || (target && type);
	}
	return types;
}

struct dtypes_named dtypes_named(struct str sentence)
{
	struct dtypes_named types = { 0 };
	size_t from = 0;

	for (size_t at = 0; at <= sentence.len; at++) {
		struct str clause;

		if (at < sentence.len && !memchr(",;:()", sentence.ptr[at], 5))
			continue;
		clause = str_sub(sentence, from, at);
		from = at + 1;
		if (says_works(clause))
			types.accepted |= named_in(clause);
		else
			types.refused |= named_in(clause);
	}
	types.accepted &= ~types.refused;
	return types;
}

bool dtypes_of_reason(struct str word, unsigned *ret)
{
	struct str type;

	*ret = str_eq(word, STR("dtype")) ? DTYPE_ALL : 0;
	if (!str_cut(&word, ':', &type) || !str_eq(type, STR("dtype")))
		return false;
	while (word.len && str_cut(&word, ',', &type)) {
		unsigned types = dtype_from(type);

		if (!types)
			return false;
		*ret |= types;
	}
	return *ret;
}
