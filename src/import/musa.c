/*
 * A release of torch_musa from its list, musa_functions.yaml, and from its patch to PyTorch's native_functions.yaml,
 * which adds operators to aten.
 *
 * An entry without `dispatch` is a member of a structured group: it reuses the kernel that PyTorch has for CUDA.
 */
#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "import/import.h"
#include "import/native.h"
#include "import/release_text.h"

enum { TREE_BYTES = 512 * 1024 * 1024, PATCH_BYTES = INPUT_BYTES };

static const char *const entry_keys[] = { "func", "dispatch", "structured", "structured_delegate",
	"structured_inherits", "device_guard", "device_check", "tags", "autogen", "variants", "precomputed", NULL };

static const struct str dispatch_keys = STR("PrivateUse1 QuantizedPrivateUse1 SparsePrivateUse1 SparseCsrPrivateUse1 "
					    "NestedTensorPrivateUse1 AutogradPrivateUse1");

static const char structured_note[] = "structured group, kernel through DispatchStub or .out";
static const char patched_note[] = "op added by the torch_musa patch to PyTorch";

struct musa_import {
	const struct import_options *options;
	struct arena arena; /* of the input files */
	struct input functions, patch;
	struct native native, added;     /* of PyTorch, and by the patch */
	struct generated_list generated; /* of both */
	struct release_text text;
	struct err *err;
};

static struct listed *add_row(
	struct musa_import *import, const struct input *input, size_t line, struct str op, struct str key)
{
	struct listed *row = listed_find(&import->text.rows, STR("aten"), op, key);
	bool patched = native_find(&import->added, op) != NULL;

	if (row) {
		input_error(input, line, import->err, "\"%s\" is registered twice", shown(op).text);
		err_hint(import->err, "the other entry is %s:%zu", shown(row->input->name).text, row->line);
		return NULL;
	}
	row = release_text_add(&import->text, STR("aten"), op, key);
	row->input = input;
	row->line = line;
	listed_set(&import->text, row, "origin", input == &import->patch ? STR("torch_patch") : STR("musa_functions"));
	listed_set(&import->text, row, "status", STR("native"));
	listed_set(&import->text, row, "note", patched ? str_from(patched_note) : STR(""));
	listed_set(&import->text, row, "source", release_text_source(&import->text, "musa-functions"));
	return row;
}

/* A member of a structured group of PyTorch. */
static int add_structured(struct musa_import *import, const struct node *entry, struct str op)
{
	const struct native_op *native = native_find(&import->native, op);
	const struct native_op *added = native_find(&import->added, op);
	struct listed *row;

	if (!added && (!native || (!node_find(native->entry, "structured") &&
					  !node_find(native->entry, "structured_delegate"))))
		return input_error(&import->functions, entry->line, import->err,
			"\"%s\" has no dispatch and is no member of a structured group", shown(op).text);
	row = add_row(import, &import->functions, entry->line, op, STR("PrivateUse1"));
	if (!row)
		return -import->err->code;
	if (!added)
		listed_set(&import->text, row, "note", str_from(structured_note));
	return 0;
}

/* `dispatch: {PrivateUse1, QuantizedPrivateUse1: Kernel}` */
static int add_kernels(struct musa_import *import, const struct node *item, struct str op)
{
	struct str rest = item->key, key = { 0 };

	if (item->kind != NODE_TEXT || !schema_is_name(item->text))
		return input_error(&import->functions, item->line, import->err, "expected the name of a C++ function");
	while (str_cut(&rest, ',', &key)) {
		struct listed *row;

		key = str_trim(key);
		if (!str_has_word(dispatch_keys, key))
			return input_error(&import->functions, item->key_line, import->err,
				"unknown dispatch key \"%s\"", shown(key).text);
		row = add_row(import, &import->functions, item->key_line, op, key);
		if (!row)
			return -import->err->code;
		listed_set(&import->text, row, "kernel", item->text);
	}
	return 0;
}

static bool is_operator(const struct musa_import *import, struct str op)
{
	return native_find(&import->native, op) || native_find(&import->added, op) ||
	       generated_find(&import->generated, op);
}

static int add_entry(struct musa_import *import, const struct node *entry)
{
	const struct node *dispatch = node_find(entry, "dispatch");
	struct schema schema;
	int code = schema_read_entry(&import->functions, entry, entry_keys, &schema, import->err);

	if (code)
		return code;
	if (dispatch && dispatch->kind != NODE_MAP)
		return input_error(&import->functions, dispatch->line, import->err, "dispatch must be a map");
	if (!is_operator(import, schema.op))
		return input_error(&import->functions, entry->line, import->err,
			"\"%s\" is an operator neither of this PyTorch nor of the patch", shown(schema.op).text);
	if (!dispatch)
		return add_structured(import, entry, schema.op);
	for (const struct node *item = dispatch->first; item && !code; item = item->next)
		code = add_kernels(import, item, schema.op);
	return code;
}

static int add_functions(struct musa_import *import)
{
	struct node *root = NULL;
	int code = tree_load(import->options->functions, &import->arena, &import->functions, &root, import->err);

	if (!code)
		code = tree_check_list(&import->functions, root, "of operators", import->err);
	for (const struct node *entry = code ? NULL : root->first; entry && !code; entry = entry->next)
		code = add_entry(import, entry);
	return code;
}

/* --- the patch */

/* What the patch adds, each line where it stands in the patch; the other lines are empty. */
static int added_lines(struct musa_import *import, struct input *input)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(PATCH_BYTES);
	struct str rest = input->text, line = { 0 };

	for (size_t number = 1; str_cut(&rest, '\n', &line); number++) {
		bool header = str_starts(line, STR("+++")) || str_starts(line, STR("---"));

		if (str_starts(line, STR("-")) && !header)
			return input_error(
				input, number, import->err, "a patch that takes lines away is not understood");
		if (str_starts(line, STR("+")) && !header)
			buf_add(&text, str_skip(line, 1));
		buf_byte(&text, '\n');
	}
	return arena_copy(&import->arena, buf_str(&text), &input->text) ? 0 : input_full(input, import->err);
}

static int read_patch(struct musa_import *import)
{
	int code;

	if (!import->options->patch)
		return 0;
	code = input_read(import->options->patch, &import->arena, &import->patch, import->err);
	if (!code)
		code = added_lines(import, &import->patch);
	return code ? code : native_read(&import->patch, &import->arena, &import->added, import->err);
}

/* Operators that the patch defines as composites, for which nothing is registered. */
static int add_composites(struct musa_import *import)
{
	for (size_t i = 0; i < import->added.count; i++) {
		const struct native_op *op = &import->added.items[i];
		struct listed *row;

		if (!native_is_composite(op) ||
			listed_find(&import->text.rows, STR("aten"), op->schema.op, STR("PrivateUse1")))
			continue;
		row = add_row(import, &import->patch, op->entry->line, op->schema.op, STR("schema-only"));
		if (!row)
			return -import->err->code;
		listed_set(&import->text, row, "status", STR("composite"));
		listed_set(&import->text, row, "source", release_text_source(&import->text, "musa-torch-patch"));
	}
	return 0;
}

/* --- what the lists do not say */

static size_t keep_code_facts(struct musa_import *import)
{
	struct release_text *text = &import->text;
	size_t kept = 0;

	for (size_t i = 0; i < text->old.count; i++) {
		const struct listed *old = &text->old.items[i];
		struct listed *row = listed_like(&text->rows, old);

		if (str_eq(*listed_cell(text, old, "origin"), STR("cpp"))) {
			release_text_keep(text, old);
			kept++;
		} else if (row) {
			listed_set(text, row, "host_path", *listed_cell(text, old, "host_path"));
		}
	}
	return kept;
}

static int read_name(
	const struct import_options *options, struct arena *arena, struct release_name *ret, struct err *err)
{
	struct str name = str_starts(options->release, STR("v")) ? str_skip(options->release, 1) : options->release;

	if (!is_version_text(name) || !is_digit(name.ptr[0])) {
		err_set(err, ERR_VALUE, "'%s' is no tag of torch_musa", shown(options->release).text);
		return err_hint(err, "for example --release v2.7.1 --torch 2.7.1");
	}
	*ret = (struct release_name){ .name = name,
		.ref = arena_printf(arena, "v%.*s", STR_ARG(name)),
		.torch = options->torch,
		.plugin = name,
		.kind = str_has(name, STR("rc")) ? STR("rc") : STR("final") };
	return 0;
}

static void fill_release(struct musa_import *import)
{
	if (!import->text.is_new)
		return;
	*release_text_field(&import->text, "key") = STR("PrivateUse1");
	*release_text_field(&import->text, "fallback") = STR("none");
	*release_text_field(&import->text, "list") = release_text_source(&import->text, "musa-functions");
}

static int work_out(struct musa_import *import, struct buf *report)
{
	struct input native = { 0 };
	size_t kept;
	int code = input_read(import->options->native_functions, &import->arena, &native, import->err);

	if (!code)
		code = native_read(&native, &import->arena, &import->native, import->err);
	if (!code)
		code = read_patch(import);
	if (code)
		return code;
	generated_read(&import->native, import->options->torch, &import->generated);
	generated_read(&import->added, import->options->torch, &import->generated);
	code = add_functions(import);
	if (!code)
		code = add_composites(import);
	if (code)
		return code;
	kept = keep_code_facts(import);
	fill_release(import);
	code = release_text_end(&import->text, report, import->err);
	if (!code)
		buf_printf(report, "%zu registrations that only its C++ code has were kept\n", kept);
	return code;
}

int import_musa(const struct import_options *options, struct buf *report, struct err *err)
{
	struct musa_import import = { .options = options, .arena = ARENA_INIT(TREE_BYTES), .err = err };
	struct release_name name;
	int code = release_text_open(&import.text, TARGET_MUSA, options, err);

	if (!code)
		code = read_name(options, &import.text.arena, &name, err);
	if (!code)
		code = release_text_begin(&import.text, name, err);
	if (!code)
		code = work_out(&import, report);
	native_clear(&import.native);
	native_clear(&import.added);
	generated_clear(&import.generated);
	release_text_clear(&import.text);
	arena_clear(&import.arena);
	return code;
}
