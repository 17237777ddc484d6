#include "base/value/date.h"

#include <stdlib.h>
#include <time.h>

#include "base/value/decimal.h"
#include "base/view/ascii.h"

bool date_has_shape(struct str text)
{
	static const struct str shape = { "0000-00-00", DATE_BYTES - 1 };

	for (size_t i = 0; i < text.len && i < shape.len; i++) {
		if (shape.ptr[i] == '0' ? !is_digit(text.ptr[i]) : text.ptr[i] != shape.ptr[i])
			return false;
	}
	return text.len == shape.len;
}

bool date_days(struct str text, int64_t *ret)
{
	enum { DAY_SECONDS = 86400, TM_EPOCH = 1900 };
	uint64_t year, month, day;
	struct tm tm;
	time_t seconds;

	if (!date_has_shape(text) || !decimal_unsigned(str_sub(text, 0, 4), &year) ||
		!decimal_unsigned(str_sub(text, 5, 7), &month) || !decimal_unsigned(str_sub(text, 8, 10), &day))
		return false;
	tm = (struct tm){ .tm_year = (int)year - TM_EPOCH, .tm_mon = (int)month - 1, .tm_mday = (int)day };
	seconds = timegm(&tm); /* moves a day that the calendar lacks to one that it has */
	if (!year || tm.tm_mon != (int)month - 1 || tm.tm_mday != (int)day)
		return false;
	*ret = seconds / DAY_SECONDS;
	return true;
}

bool date_of(uint64_t seconds, char ret[DATE_BYTES])
{
	const uint64_t last = 253402300799; /* of the year 9999 */
	time_t when = (time_t)seconds;
	struct tm tm;

	return seconds <= last && gmtime_r(&when, &tm) && strftime(ret, DATE_BYTES, "%Y-%m-%d", &tm);
}

void date_today(char ret[DATE_BYTES])
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	uint64_t seconds;

	if (!epoch || !decimal_unsigned(str_from(epoch), &seconds) || !date_of(seconds, ret))
		date_of((uint64_t)time(NULL), ret);
}
