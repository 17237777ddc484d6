#include "base/setup/parameters.h"

#include "base/value/url.h"
#include "base/value/utf8.h"

struct str parameters_value(const struct parameters *parameters, const char *name)
{
	for (size_t i = parameters->count; i-- > 0;) {
		const struct parameter *parameter = &parameters->items[i];

		if (parameter->value.len && str_eq(parameter->name, str_from(name)))
			return parameter->value;
	}
	return STR("");
}

struct str *parameters_values(
	const struct parameters *parameters, const char *name, struct arena *arena, size_t *ret_count)
{
	struct str *values = arena_alloc(arena, (parameters->count + 1) * sizeof(values[0]));

	*ret_count = 0;
	for (size_t i = 0; i < parameters->count; i++) {
		const struct parameter *parameter = &parameters->items[i];

		if (parameter->value.len && str_eq(parameter->name, str_from(name)))
			values[(*ret_count)++] = parameter->value;
	}
	return values;
}

int parameters_switch(const struct parameters *parameters, const char *name, bool *ret, struct err *err)
{
	struct str value = parameters_value(parameters, name);

	*ret = str_eq(value, STR("true"));
	if (!value.len)
		return 0;
	if (*ret || str_eq(value, STR("false")))
		return 1;
	return err_set(err, ERR_VALUE, "%s is true or false, not '%s'", name, shown(value).text);
}

void parameters_put(struct buf *buf, const struct parameters *parameters, const char *but)
{
	for (size_t i = 0; i < parameters->count; i++) {
		const struct parameter *parameter = &parameters->items[i];

		if (str_eq(parameter->name, str_from(but)))
			continue;
		url_put(buf, parameter->name);
		buf_byte(buf, '=');
		url_put(buf, parameter->value);
		buf_byte(buf, '&');
	}
}
