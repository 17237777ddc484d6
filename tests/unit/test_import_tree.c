#include "import/tree.h"

#include "base/buf.h"
#include "import/plugin_version.h"
#include "tests/unit/check.h"

static int read_tree(const char *text, struct arena *arena, struct node **ret, struct err *err)
{
	static struct input input;

	input = (struct input){ STR("x.yaml"), str_from(text) };
	*ret = NULL;
	return tree_read(&input, arena, ret, err);
}

static void a_document_has_lines(void **state)
{
	struct arena arena = ARENA_INIT(1 << 20);
	struct err err = { 0 };
	struct node *root;
	const struct node *list;
	bool value = false;

	assert_int_equal(
		read_tree("# c\na: b\nlist:\n  - one\n  - 'null'\n  -\nflag: True\nempty:\n", &arena, &root, &err), 0);
	assert_int_equal(root->kind, NODE_MAP);
	assert_str(node_find(root, "a")->text, "b");
	list = node_find(root, "list");
	assert_int_equal(list->key_line, 3);
	assert_int_equal(list->first->line, 4);
	assert_false(node_is_empty(list->first->next));
	assert_true(node_is_empty(list->first->next->next));
	assert_true(node_bool(node_find(root, "flag"), &value) && value);
	assert_true(node_is_empty(node_find(root, "empty")));
	assert_null(node_find(root, "nowhere"));
	assert_null(node_find(NULL, "a"));
	arena_clear(&arena);
}

static void nothing_is_no_document(void **state)
{
	struct arena arena = ARENA_INIT(1 << 20);
	struct err err = { 0 };
	struct node *root;

	assert_int_equal(read_tree("# only this\n", &arena, &root, &err), 0);
	assert_null(root);
	arena_clear(&arena);
}

static void what_no_list_has_is_an_error_with_its_line(void **state)
{
	static const struct {
		const char *text, *where;
	} bad[] = {
		{ "a: 1\nb: 2\na: 3\n", "x.yaml:3" },
		{ "a:\n  - [1\n", "x.yaml:3" },
		{ "a: &x 1\n", "x.yaml:1" },
		{ "- 1\n- *x\n", "x.yaml:2" },
		{ "a: !python/object 1\n", "x.yaml:1" },
		{ "a: 1\n---\nb: 2\n", "x.yaml:2" },
		{ "? [a]\n: 1\n", "x.yaml:1" },
		{ "[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]\n", "x.yaml:1" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct arena arena = ARENA_INIT(1 << 20);
		struct err err = { 0 };
		struct node *root;

		assert_int_equal(read_tree(bad[i].text, &arena, &root, &err), -ERR_IMPORT);
		assert_string_equal(err.where, bad[i].where);
		assert_null(root);
		arena_clear(&arena);
	}
}

static void a_small_arena_is_a_limit(void **state)
{
	struct arena arena = ARENA_INIT(10);
	struct err err = { 0 };
	struct node *root;

	assert_int_equal(read_tree("a: 1\n", &arena, &root, &err), -ERR_LIMIT);
	arena_clear(&arena);
}

/* Answers 1, 0, or -1 for an error. */
static int holds(const char *value, const char *version)
{
	struct arena arena = ARENA_INIT(1 << 20);
	struct err err = { 0 };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1024);
	struct input input = { .name = STR("x.yaml") };
	struct plugin_versions versions;
	struct node *root = NULL;
	bool ret = false;
	int code;

	buf_printf(&text, "all_version: [v2.1, v2.2, v2.7, v2.9, v2.10]\nvalue: %s\n", value);
	input.text = buf_str(&text);
	code = tree_read(&input, &arena, &root, &err);
	if (!code)
		code = plugin_versions_read(&versions, &input, node_find(root, "all_version"), str_from(version), &err);
	if (!code)
		code = plugin_versions_hold(&versions, node_find(root, "value"), &ret, &err);
	arena_clear(&arena);
	return code ? -1 : ret;
}

static void versions_match_by_element_and_by_range(void **state)
{
	assert_int_equal(holds("all_version", "v2.7"), 1);
	assert_int_equal(holds("v2.1", "v2.10"), 0);
	assert_int_equal(holds("v2.10", "v2.1"), 0);
	assert_int_equal(holds("v2.1, v2.10", "v2.10"), 1);
	assert_int_equal(holds("[v2.2, newest]", "v2.10"), 1);
	assert_int_equal(holds("[v2.2, v2.9]", "v2.10"), 0);
	assert_int_equal(holds("[v2.2, v2.9]", "v2.7"), 1);
	assert_int_equal(holds("[v2.10, newest]", "v2.9"), 0);
	assert_int_equal(holds("", "v2.7"), 0);
	assert_int_equal(holds("[v2.1, v2.2, v2.7]", "v2.7"), -1);
	assert_int_equal(holds("2.1", "v2.7"), -1);
	assert_int_equal(holds("v2.1.0", "v2.7"), -1);
	assert_int_equal(holds("all_version", "v2.8"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_document_has_lines),
		cmocka_unit_test(nothing_is_no_document),
		cmocka_unit_test(what_no_list_has_is_an_error_with_its_line),
		cmocka_unit_test(a_small_arena_is_a_limit),
		cmocka_unit_test(versions_match_by_element_and_by_range),
	};

	return run_group(tests);
}
