#include "server/service/fields.h"

#include "base/value/decimal.h"

void field_put(struct buf *out, struct str text)
{
	uint64_t len = text.len;

	buf_add(out, (struct str){ (const char *)&len, sizeof(len) });
	buf_add(out, text);
}

bool field_take(struct str *rest, struct str *ret)
{
	uint64_t len;

	if (rest->len < sizeof(len))
		return false;
	memcpy(&len, rest->ptr, sizeof(len));
	if (len > rest->len - sizeof(len))
		return false;
	*ret = str_sub(*rest, sizeof(len), sizeof(len) + len);
	*rest = str_skip(*rest, sizeof(len) + len);
	return true;
}

bool field_take_number(struct str *rest, uint64_t *ret)
{
	struct str text;

	return field_take(rest, &text) && decimal_unsigned(text, ret);
}
