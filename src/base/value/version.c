#include "base/value/version.h"

#include "base/value/decimal.h"
#include "base/view/ascii.h"

/* The next part of a version: 0 and a number for "rc2", 1 and a number for "2", -1 at the end. */
static int version_part(struct str *rest, uint64_t *ret_number)
{
	bool candidate = false;
	size_t len = 0;

	while (rest->len && !is_digit(rest->ptr[0])) {
		candidate = str_starts(*rest, STR("rc")) || str_starts(*rest, STR("RC"));
		*rest = str_skip(*rest, candidate ? 2 : 1);
	}
	if (!rest->len)
		return -1;
	while (len < rest->len && is_digit(rest->ptr[len]))
		len++;
	if (!decimal_unsigned(str_sub(*rest, 0, len), ret_number))
		*ret_number = UINT64_MAX;
	*rest = str_skip(*rest, len);
	return !candidate;
}

int version_cmp(struct str a, struct str b)
{
	for (;;) {
		uint64_t left_number = 0, right_number = 0;
		int left = version_part(&a, &left_number), right = version_part(&b, &right_number);

		if (left != right)
			return left < right ? -1 : 1;
		if (left < 0)
			return 0;
		if (left_number != right_number)
			return left_number < right_number ? -1 : 1;
	}
}
