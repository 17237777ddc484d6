#include "dump/et/values.h"

#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "json/token.h"

static const struct str tensor = STR("Tensor(");
static const struct str list = STR("GenericList[");

static struct json_cursor items_of(const struct json_value *value)
{
	/* behind the bracket */
	return value->kind == JSON_LIST ? (struct json_cursor){ value->raw.ptr + 1, value->raw.ptr + value->raw.len }
					: (struct json_cursor){ "", "" };
}

static bool next_item(struct json_cursor *cursor, struct json_value *ret)
{
	bool closed;

	return cursor->at < cursor->end && json_item(cursor, ret, &closed) == JSON_OK && !closed;
}

/* --- types */

/* Takes the next "Tensor(float)" off *text. False when there is none; "" for a tensor that is undefined. */
static bool next_tensor(struct str *text, struct str *ret)
{
	size_t at = str_find(*text, tensor);
	struct str rest, name;

	if (at == STR_NONE)
		return false;
	rest = str_skip(*text, at + tensor.len);
	str_cut(&rest, ')', &name);
	*text = rest.ptr ? rest : STR("");
	*ret = str_is_word(name, ":<> ") ? name : STR("");
	return true;
}

/* The one type that all tensors of a list have. */
static struct str type_of_tensors(struct str text)
{
	struct str type, other;

	if (!next_tensor(&text, &type))
		return STR("");
	while (next_tensor(&text, &other)) {
		if (!str_eq(type, other))
			return STR("TensorList");
	}
	return type;
}

static struct str word_for(struct str text)
{
	static const struct str scalars[] = { STR("Int"), STR("Double"), STR("Bool"), STR("Number"), STR("SymInt"),
		STR("SymFloat"), STR("SymBool"), STR("ComplexDouble") };

	if (str_has(text, tensor))
		return type_of_tensors(text);
	if (str_starts(text, list))
		return STR("ScalarList");
	if (ANY(i, ARRAY_SIZE(scalars), str_eq(text, scalars[i])))
		return STR("Scalar");
	return STR("");
}

void et_put_types(struct buf *buf, const struct json_value *types)
{
	struct json_cursor cursor = items_of(types);
	struct json_value type;
	bool first = true;

	if (types->kind != JSON_LIST)
		return;
	buf_byte(buf, '[');
	for (; next_item(&cursor, &type); first = false) {
		buf_add(buf, first ? STR("\"") : STR(",\""));
		buf_add(buf, type.kind == JSON_STRING ? word_for(type.raw) : STR(""));
		buf_byte(buf, '"');
	}
	buf_byte(buf, ']');
}

/* --- shapes */

void et_put_shapes(struct buf *buf, const struct json_value *shapes, const struct json_value *types)
{
	struct json_cursor cursor = items_of(shapes), type_cursor = items_of(types);
	struct json_value shape, type;
	bool first = true;

	if (shapes->kind != JSON_LIST)
		return;
	buf_byte(buf, '[');
	for (; next_item(&cursor, &shape); first = false) {
		bool shown = !next_item(&type_cursor, &type) || type.kind != JSON_STRING || str_has(type.raw, tensor);

		buf_add(buf, first ? STR("") : STR(","));
		buf_add(buf, shown && shape.kind == JSON_LIST ? shape.raw : STR("[]"));
	}
	buf_byte(buf, ']');
}

/* --- values */

/* Trailing zeros are no digits: "2.000000" is "2." in a trace. */
static struct str without_zeros(struct str number)
{
	if (!str_has(number, STR(".")) || str_has(number, STR("e")))
		return number;
	while (str_ends(number, STR("0")))
		number = str_chop(number, 1);
	return number;
}

static void put_word(struct buf *buf, struct str word)
{
	if (str_eq(word, STR("true")))
		buf_add(buf, STR("True"));
	else if (str_eq(word, STR("false")))
		buf_add(buf, STR("False"));
	else
		buf_add(buf, without_zeros(word));
}

/* Numbers, and lists of them as Python prints them. Quotes stand around inf and nan. False for anything else. */
static bool put_numbers(struct buf *buf, struct str raw)
{
	size_t word = 0;

	for (size_t i = 0; i <= raw.len; i++) {
		char c = i < raw.len ? raw.ptr[i] : ' ';

		if (is_word(c) || c == '.' || c == '-' || c == '+')
			continue;
		if (!memchr(" \t\r\n\",[]", c, 8))
			return false;
		put_word(buf, str_sub(raw, word, i));
		word = i + 1;
		if (c == '[' || c == ']')
			buf_byte(buf, c);
		if (c == ',')
			buf_add(buf, STR(", "));
	}
	return true;
}

void et_put_values(struct buf *buf, const struct json_value *values, const struct json_value *types, bool texts)
{
	struct json_cursor cursor = items_of(values), type_cursor = items_of(types);
	struct json_value value, type;
	bool first = true;

	if (values->kind != JSON_LIST)
		return;
	buf_byte(buf, '[');
	for (; next_item(&cursor, &value); first = false) {
		bool typed = next_item(&type_cursor, &type) && type.kind == JSON_STRING;
		bool numbers = typed && !str_has(type.raw, tensor) && str_starts(word_for(type.raw), STR("Scalar"));
		size_t start;

		buf_add(buf, first ? STR("\"") : STR(",\""));
		start = buf->len;
		if (numbers && !put_numbers(buf, value.raw))
			buf->len = start;
		if (texts && typed && str_eq(type.raw, STR("String")) && value.kind == JSON_STRING)
			buf_add(buf, value.raw);
		buf_byte(buf, '"');
	}
	buf_byte(buf, ']');
}
