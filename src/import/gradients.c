/* PyTorch's derivatives.yaml: which nodes of autograd there are, and which backward operators they call. */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "import/derivatives.h"
#include "opdb/model/fact.h"

enum { TEXT_BYTES = 4096, PARAMS = 256 };

/* A class of nodes, "AddBackward": the overloads of one name that have a formula are numbered. */
struct node_class {
	struct str name;
	unsigned count;
};

struct gradient_reader {
	struct input input;
	struct map bases, classes_by_name;
	MEM_LIST(struct node_class) classes;
	struct gradients *found;
	struct err *err;
};

static void index_bases(struct gradient_reader *reader)
{
	const struct native *native = reader->found->native;

	for (size_t i = 0; i < native->count; i++)
		map_add(&reader->bases, hash_str(hash_seed(), base_of(native->items[i].schema.op)), (uint32_t)i);
}

static bool is_operator(const struct gradient_reader *reader, struct str base)
{
	struct map_cursor at = map_start(&reader->bases, hash_str(hash_seed(), base));

	while (map_next(&reader->bases, &at)) {
		if (str_eq(base_of(reader->found->native->items[at.index].schema.op), base))
			return true;
	}
	return false;
}

/* --- nodes */

/* Words as Python's str.title writes them: max_pool2d is MaxPool2D. "Forward" before "Backward" goes. */
static void put_class_name(struct str base, struct buf *ret)
{
	bool inside = false; /* a run of letters */

	for (size_t i = 0; i < base.len; i++) {
		char c = base.ptr[i];

		if (c != '_')
			buf_byte(ret, is_lower(c) && !inside ? (char)(c - 'a' + 'A') : c);
		inside = is_alpha(c);
	}
	if (str_ends(buf_str(ret), STR("Forward")))
		ret->len -= strlen("Forward");
	buf_add(ret, STR("Backward"));
}

static struct node_class *class_of(struct gradient_reader *reader, struct str name)
{
	uint32_t at = MAP_FIND(&reader->classes_by_name, reader->classes.items, name);

	if (at == MAP_NONE) {
		at = (uint32_t)reader->classes.count;
		map_add_name(&reader->classes_by_name, name, at);
		MEM_PUSH(&reader->classes, ((struct node_class){ arena_keep(reader->found->rows->arena, name), 0 }));
	}
	return &reader->classes.items[at];
}

/* "AddBackward1": the second overload of add that has a formula. */
static struct str next_node(struct gradient_reader *reader, struct str op)
{
	CLEANUP(buf_clear) struct buf name = BUF_INIT(TEXT_BYTES);
	struct node_class *class;

	put_class_name(base_of(op), &name);
	class = class_of(reader, buf_str(&name));
	buf_printf(&name, "%u", class->count++);
	return arena_keep(reader->found->rows->arena, buf_str(&name));
}

/* --- formulas */

static bool is_param(const struct schema_param *params, size_t count, struct str name)
{
	for (size_t i = 0; i < count; i++) {
		if (str_eq(params[i].name, name))
			return true;
	}
	return false;
}

/* Whether it is the gradient of arguments, "self, other"; under a result is a forward derivative. */
static bool is_formula(const struct schema_param *params, size_t count, const struct node *item)
{
	struct str names = item->key, name = { 0 };

	if (item->kind != NODE_TEXT || str_eq(item->text, STR("non_differentiable")))
		return false;
	while (str_cut(&names, ',', &name)) {
		if (!is_param(params, count, str_trim(name)))
			return false;
	}
	return true;
}

static void put_call(const struct gradient_reader *reader, struct str call, struct buf *calls)
{
	if (str_ends(call, STR("_symint")))
		call = str_chop(call, strlen("_symint"));
	if (!str_has(call, STR("backward")) || !is_operator(reader, call) || str_has_word(buf_str(calls), call))
		return;
	buf_add(calls, calls->len ? STR(" ") : STR(""));
	buf_add(calls, call);
}

/* The backward operators that a formula calls, joined by blanks: a word before a parenthesis is a call. */
static void put_calls(const struct gradient_reader *reader, struct str formula, struct buf *calls)
{
	size_t start = 0;

	for (size_t i = 0; i < formula.len; i++) {
		if (is_word(formula.ptr[i]))
			continue;
		if (formula.ptr[i] == '(')
			put_call(reader, str_sub(formula, start, i), calls);
		start = i + 1;
	}
}

/* The formulas of an entry: those for every kind of tensor where it has others too. */
static const struct node *formulas_of(const struct node *entry)
{
	const struct node *dispatch = node_find(entry, "dispatch");

	return dispatch ? node_find(dispatch, "Default") : entry;
}

static int read_formulas(struct gradient_reader *reader, const struct node *entry, const struct schema *schema)
{
	CLEANUP(buf_clear) struct buf calls = BUF_INIT(TEXT_BYTES);
	const struct node *formulas = formulas_of(entry);
	struct schema_param params[PARAMS];
	struct str cells[TSV_COLUMNS] = { 0 };
	size_t count = 0;
	bool differentiable = false, written = false;

	if (!schema_params(schema->signature, params, PARAMS, &count))
		return input_error(&reader->input, entry->line, reader->err,
			"\"%s\" has no arguments that are understood", shown(schema->op).text);
	for (const struct node *item = formulas ? formulas->first : NULL; item; item = item->next) {
		if (!is_formula(params, count, item))
			continue;
		differentiable = true;
		written = written || !str_starts(item->text, STR("not_implemented"));
		put_calls(reader, item->text, &calls);
	}
	if (!differentiable)
		return 0;
	cells[0] = next_node(reader, schema->op);
	cells[1] = schema->op;
	cells[2] = arena_keep(reader->found->rows->arena, buf_str(&calls));
	if (calls.full)
		return input_error(&reader->input, entry->line, reader->err, "the formulas call too many operators");
	if (written && fact_rows_add(reader->found->rows, cells, reader->found->place))
		reader->found->count++;
	return 0;
}

static int read_entry(struct gradient_reader *reader, const struct node *entry)
{
	const struct gradients *found = reader->found;
	struct schema schema;
	int code = schema_read_under(&reader->input, entry, "name", &schema, reader->err);

	if (!code && !native_find(found->native, schema.op) && !generated_find(found->generated, schema.op))
		code = input_error(&reader->input, entry->line, reader->err, "\"%s\" is no operator of this PyTorch",
			shown(schema.op).text);
	return code ? code : read_formulas(reader, entry, &schema);
}

int gradients_read(const char *path, struct arena *arena, struct gradients *ret, struct err *err)
{
	struct gradient_reader reader = { .found = ret, .err = err };
	struct node *root = NULL;
	int code = tree_load(path, arena, &reader.input, &root, err);

	if (!code)
		code = tree_check_list(&reader.input, root, "of formulas", err);
	index_bases(&reader);
	for (const struct node *entry = code ? NULL : root->first; entry && !code; entry = entry->next)
		code = read_entry(&reader, entry);
	map_clear(&reader.bases);
	map_clear(&reader.classes_by_name);
	free(reader.classes.items);
	return code;
}
