#include "import/derivatives.h"

#include "import/tree.h"

struct formula_reader {
	struct input input;
	struct plugin_versions versions;
	bool combined; /* formulas say for which versions they hold */
	struct derivatives *found;
	struct err *err;
};

static int read_formula(struct formula_reader *reader, const struct node *entry)
{
	bool holds = true;
	struct schema schema;
	int code = schema_read_under(&reader->input, entry, "name", &schema, reader->err);

	if (!code && reader->combined && node_find(entry, "version"))
		code = plugin_versions_hold(&reader->versions, node_find(entry, "version"), &holds, reader->err);
	if (code || !holds)
		return code;
	reader->found->formulas++;
	if (reader->found->is_known(reader->found->context, schema.op))
		return 0;
	if (!reader->found->unknown++) {
		reader->found->first_unknown = schema.op;
		reader->found->first_line = entry->line;
	}
	return 0;
}

/* The list of formulas: the document itself, or its key `backward`. */
static int find_list(struct formula_reader *reader, const struct node *root, const struct node **ret)
{
	const struct node *all = root && root->kind == NODE_MAP ? node_find(root, "all_version") : NULL;
	const struct node *list = all ? node_find(root, "backward") : root;

	if (!list || list->kind != NODE_LIST)
		return input_error(&reader->input, root ? root->line : 0, reader->err, "expected a list of formulas");
	*ret = list;
	reader->combined = all != NULL;
	if (!all)
		return 0;
	return plugin_versions_read(&reader->versions, &reader->input, all, reader->found->version, reader->err);
}

int derivatives_read(const char *path, struct arena *arena, struct derivatives *ret, struct err *err)
{
	struct formula_reader reader = { .found = ret, .err = err };
	const struct node *list = NULL;
	struct node *root = NULL;
	int code = tree_load(path, arena, &reader.input, &root, err);

	if (!code)
		code = find_list(&reader, root, &list);
	for (const struct node *entry = code ? NULL : list->first; entry && !code; entry = entry->next)
		code = read_formula(&reader, entry);
	return code;
}
