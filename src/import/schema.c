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

int schema_read_under(
	const struct input *input, const struct node *entry, const char *key, struct schema *ret, struct err *err)
{
	const struct node *text = entry->kind == NODE_MAP ? node_find(entry, key) : NULL;

	if (!text || text->kind != NODE_TEXT)
		return input_error(input, entry->line, err, "an entry needs a %s", key);
	return schema_read(input, text->line, text->text, ret, err);
}

int schema_read_entry(const struct input *input, const struct node *entry, const char *const *keys, struct schema *ret,
	struct err *err)
{
	int code = schema_read_under(input, entry, "func", ret, err);

	return code ? code : tree_check_keys(input, entry, keys, err);
}
