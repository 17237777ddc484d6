#include "dump/npu_shape.h"

/* What may follow what: a size needs a digit, a comma stands between sizes. */
enum place { ARGUMENT, AFTER_COMMA, AFTER_SIGN, IN_SIZE };

static bool is_blank(char c)
{
	return c == ' ' || c == '\r' || c == '\n' || c == '\t';
}

bool npu_shape_put(struct buf *buf, struct str text)
{
	enum place place = ARGUMENT;

	buf_add(buf, STR("[["));
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (is_digit(c)) {
			place = IN_SIZE;
			buf_byte(buf, c);
		} else if (c == ',' && place == IN_SIZE) {
			place = AFTER_COMMA;
			buf_add(buf, STR(", "));
		} else if (c == ';' && (place == IN_SIZE || place == ARGUMENT)) {
			place = ARGUMENT;
			buf_add(buf, STR("], ["));
		} else if (c == '-' && (place == ARGUMENT || place == AFTER_COMMA)) {
			place = AFTER_SIGN;
			buf_byte(buf, c);
		} else if (!(is_blank(c) && place == ARGUMENT)) {
			return false;
		}
	}
	buf_add(buf, STR("]]"));
	return place == IN_SIZE || place == ARGUMENT;
}
