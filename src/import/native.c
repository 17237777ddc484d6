#include "import/native.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "import/release_text.h"

static const char *const keys[] = { "func", "variants", "dispatch", "structured", "structured_delegate",
	"structured_inherits", "autogen", "tags", "device_check", "device_guard", "precomputed", "python_module",
	"category_override", "cpp_no_default_args", "manual_cpp_binding", "manual_kernel_registration",
	"use_c10_dispatcher", "use_const_ref_for_mutable_tensors", "ufunc_inner_loop", "namespace",
	"supports_named_tensor", "ufunc_inner_loops", NULL };

/* As PyTorch 1.8 calls CompositeImplicitAutograd and CompositeExplicitAutograd, and as later ones do. */
static const char *const composite_keys[] = { "CompositeImplicitAutograd", "CompositeExplicitAutograd",
	"CompositeExplicitAutogradNonFunctional", "Math", "DefaultBackend" };

void native_clear(struct native *native)
{
	free(native->items);
	map_clear(&native->map);
	*native = (struct native){ 0 };
}

const struct native_op *native_find(const struct native *native, struct str op)
{
	uint32_t at = MAP_FIND(&native->map, native->items, op);

	return at == MAP_NONE ? NULL : &native->items[at];
}

struct str native_kernel(const struct node *entry, const char *key)
{
	const struct node *dispatch = node_find(entry, "dispatch");

	for (const struct node *item = dispatch ? dispatch->first : NULL; item; item = item->next) {
		struct str rest = item->key, part;

		while (str_cut(&rest, ',', &part)) {
			if (str_eq(str_trim(part), str_from(key)))
				return item->text;
		}
	}
	return (struct str){ 0 };
}

bool native_is_composite(const struct native_op *op)
{
	const struct node *dispatch = node_find(op->entry, "dispatch");

	if (node_find(op->entry, "structured_delegate"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(composite_keys); i++) {
		if (native_kernel(op->entry, composite_keys[i]).ptr)
			return true;
	}
	return !dispatch && !node_find(op->entry, "structured");
}

void native_add(struct native *native, const struct native_op *op)
{
	map_add_name(&native->map, op->schema.op, (uint32_t)native->count);
	MEM_PUSH(native, *op);
}

static int add_entry(const struct input *input, const struct node *entry, struct native *native, struct err *err)
{
	const struct node *dispatch = node_find(entry, "dispatch");
	struct native_op op = { .entry = entry };
	const struct native_op *other;
	int code = schema_read_entry(input, entry, keys, &op.schema, err);

	if (code)
		return code;
	if (dispatch && dispatch->kind != NODE_MAP && !node_is_empty(dispatch))
		return input_error(input, dispatch->key_line, err, "dispatch must be a map");
	if (!op.schema.signature.len)
		return input_error(
			input, entry->line, err, "\"%s\" has no arguments and no result", shown(op.schema.op).text);
	other = native_find(native, op.schema.op);
	if (other)
		return input_error(input, entry->line, err, "\"%s\" is there already, in line %zu",
			shown(op.schema.op).text, other->entry->line);
	native_add(native, &op);
	return 0;
}

int native_read(const struct input *input, struct arena *arena, struct native *ret, struct err *err)
{
	struct node *root = NULL;
	int code = tree_read(input, arena, &root, err);

	if (!code)
		code = tree_check_list(input, root, "of operators", err);
	for (const struct node *entry = code ? NULL : root->first; entry && !code; entry = entry->next)
		code = add_entry(input, entry, ret, err);
	return code;
}

bool native_is_implicit(const struct native_op *op)
{
	if (native_kernel(op->entry, "CompositeImplicitAutograd").ptr || native_kernel(op->entry, "Math").ptr)
		return true;
	return !node_find(op->entry, "dispatch") && !node_find(op->entry, "structured") &&
	       !node_find(op->entry, "structured_delegate");
}

bool native_has_tag(const struct native_op *op, const char *tag)
{
	const struct node *tags = node_find(op->entry, "tags");
	struct str rest = tags ? tags->text : (struct str){ 0 }, part;

	for (const struct node *item = tags ? tags->first : NULL; item; item = item->next) {
		if (str_eq(item->text, str_from(tag)))
			return true;
	}
	while (str_cut(&rest, ',', &part)) {
		if (str_eq(str_trim(part), str_from(tag)))
			return true;
	}
	return false;
}

void generated_clear(struct generated_list *list)
{
	free(list->items);
	map_clear(&list->map);
	*list = (struct generated_list){ 0 };
}

const struct generated *generated_find(const struct generated_list *list, struct str op)
{
	uint32_t at = MAP_FIND(&list->map, list->items, op);

	return at == MAP_NONE ? NULL : &list->items[at];
}

void generated_read(const struct native *native, struct str torch, struct generated_list *ret)
{
	bool core_too = version_cmp(torch, STR("2.6")) >= 0;

	for (size_t i = 0; i < native->count; i++) {
		const struct native_op *base = &native->items[i];
		const struct node *autogen = node_find(base->entry, "autogen");
		struct str rest = autogen ? autogen->text : (struct str){ 0 }, op;

		if (native_is_implicit(base) && !(core_too && native_has_tag(base, "core")))
			continue;
		while (str_cut(&rest, ',', &op)) {
			struct generated generated = { str_trim(op), base };

			if (!generated.op.len || generated_find(ret, generated.op) || native_find(native, generated.op))
				continue;
			map_add_name(&ret->map, generated.op, (uint32_t)ret->count);
			MEM_PUSH(ret, generated);
		}
	}
}
