#include "store/engine/value.h"

#include <string.h>

#include "base/memory/buf.h"
#include "base/value/utf8.h"

int values_check(const struct db_value *values, struct err *err)
{
	size_t bad_at;

	for (; values->kind; values++) {
		if (values->kind != DB_TEXT || !values->text.len)
			continue;
		if (memchr(values->text.ptr, '\0', values->text.len) || !utf8_valid(values->text, &bad_at)) {
			err_set(err, ERR_VALUE, "a text is not valid UTF-8: '%s'", shown(values->text).text);
			return err_hint(err, "send it as UTF-8, without NUL bytes");
		}
	}
	return 0;
}

void value_put_numbers(struct buf *buf, const struct db_value *value, const char brackets[2])
{
	buf_byte(buf, brackets[0]);
	for (uint64_t i = 0; i < value->number; i++)
		buf_printf(buf, "%s%llu", i ? "," : "", (unsigned long long)value->numbers[i]);
	buf_byte(buf, brackets[1]);
}
