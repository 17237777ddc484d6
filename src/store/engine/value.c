#include "store/engine/value.h"

#include <string.h>

#include "base/memory/arena.h"
#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/value/words.h"

static bool is_storable(struct str text)
{
	size_t bad_at;

	return !text.len || (!memchr(text.ptr, '\0', text.len) && utf8_valid(text, &bad_at));
}

struct str value_text(struct arena *arena, struct str text)
{
	CLEANUP(buf_clear) struct buf repaired = BUF_UNLIMITED;
	struct str part;

	if (is_storable(text))
		return text;
	while (str_cut(&text, '\0', &part)) {
		utf8_repair(&repaired, part);
		if (text.ptr) /* there was a NUL */
			buf_add(&repaired, STR("\xef\xbf\xbd"));
	}
	return arena_keep(arena, buf_str(&repaired));
}

int values_check(const struct db_value *values, struct err *err)
{
	for (; values->kind; values++) {
		if (values->kind == DB_TEXT && !is_storable(values->text)) {
			err_set(err, ERR_VALUE, "a text is not valid UTF-8: '%s'", shown(values->text).text);
			return err_hint(err, "send it as UTF-8, without NUL bytes");
		}
	}
	return 0;
}

struct db_value value_as(const char *name, struct db_value value)
{
	value.name = name;
	return value;
}

int values_arrange(const struct db_value *values, const struct parameter_names *names,
	struct db_value ret[VALUES_MOST + 1], struct err *err)
{
	size_t count = 0;

	memset(ret, 0, (VALUES_MOST + 1) * sizeof(*ret));
	for (; values->kind; values++, count++) {
		struct str name = str_from(values->name ? values->name : "");
		size_t at = STR_POSITION(names->items, names->count, name);

		if (at >= VALUES_MOST || ret[at].kind)
			return err_set(err, ERR_INTERNAL, "a statement does not take one value '%s'", shown(name).text);
		ret[at] = *values;
	}
	return count == names->count ? 0 : err_set(err, ERR_INTERNAL, "a statement lacks a value");
}

void value_put_numbers(struct buf *buf, const struct db_value *value, const char brackets[2])
{
	buf_byte(buf, brackets[0]);
	for (uint64_t i = 0; i < value->number; i++)
		buf_printf(buf, "%s%llu", i ? "," : "", (unsigned long long)value->numbers[i]);
	buf_byte(buf, brackets[1]);
}
