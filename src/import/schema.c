#include "import/schema.h"

#include "base/utf8.h"

int schema_read(const struct input *input, size_t line, struct str text, struct schema *ret, struct err *err)
{
	const char *wrong;
	size_t at;

	if (schema_parse(text, ret, &wrong, &at))
		return 0;
	return input_error(input, line, err, "%s: \"%s\"", wrong, shown(str_skip(text, at)).text);
}
