/* Numbers against school arithmetic on digits, and cells against numbers. */
#include "base/view/ascii.h"
#include "base/value/decimal.h"
#include "base/memory/mem.h"
#include "dump/common/cell.h"
#include "tests/fuzz/fuzz.h"

enum { PLACES = 9 };

/* "-12.5" scaled by 10^9, rounded; false when it is no number or does not fit. */
static bool school(struct str text, int64_t *ret)
{
	bool negative = str_starts(text, STR("-")), point = false;
	unsigned places = 0, digits = 0, rounding = 0;
	__int128 value = 0;

	for (size_t i = negative; i < text.len; i++) {
		if (text.ptr[i] == '.' && !point && digits) {
			point = true;
			digits = 0;
			continue;
		}
		if (!is_digit(text.ptr[i]))
			return false;
		digits++;
		if (point && places == PLACES) {
			rounding = digits == PLACES + 1 ? (unsigned)(text.ptr[i] - '0') : rounding;
			continue;
		}
		places += point;
		value = value * 10 + (text.ptr[i] - '0');
		if (value > (__int128)INT64_MAX * 10)
			value = (__int128)INT64_MAX * 10;
	}
	for (; places < PLACES; places++)
		value = value > INT64_MAX ? value : value * 10;
	value += rounding >= 5;
	if (!digits || value > INT64_MAX)
		return false;
	*ret = negative ? (int64_t)-value : (int64_t)value;
	return true;
}

static void hold_cells(struct str text)
{
	CLEANUP(buf_clear) struct buf cell = BUF_INIT(1 << 20);
	int64_t seconds = 7, want = 7, ns = 7;

	buf_add(&cell, text);
	buf_add(&cell, STR("s"));
	/* "u", "m" and "n" before the "s" make other units */
	if (text.len && memchr("umn", text.ptr[text.len - 1], 3))
		return;
	HOLD(cell_time(buf_str(&cell), &ns) == decimal_scaled(text, 1000000000, &seconds) || text.ptr[0] == ' ');
	if (school(text, &want) && decimal_scaled(text, 1000000000, &seconds))
		HOLD(ns == seconds && seconds == want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	int64_t value = 7, want = 7, unscaled = 7;
	uint64_t count = 7;
	CLEANUP(buf_clear) struct buf printed = BUF_INIT(100);

	if (size > 200)
		return 0;
	if (decimal_scaled(text, 1000000000, &value)) {
		HOLD(school(text, &want) && value == want);
		decimal_put(&printed, value, PLACES);
		HOLD(decimal_scaled(buf_str(&printed), 1000000000, &want) && value == want);
	} else {
		HOLD(value == 7);
		HOLD(!school(text, &want));
	}
	if (decimal_unsigned(text, &count) && count <= INT64_MAX)
		HOLD(decimal_scaled(text, 1, &unscaled) && unscaled == (int64_t)count);
	hold_cells(text);
	return 0;
}
