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

int schema_read_entry(const struct input *input, const struct node *entry, const char *const *keys, struct schema *ret,
	struct err *err)
{
	const struct node *func = entry->kind == NODE_MAP ? node_find(entry, "func") : NULL;
	int code;

	if (!func || func->kind != NODE_TEXT)
		return input_error(input, entry->line, err, "an entry needs a func");
	code = tree_check_keys(input, entry, keys, err);
	return code ? code : schema_read(input, func->line, func->text, ret, err);
}
