/*
 * A version of PyTorch: its operators from native_functions.yaml, the overloads that its generator adds, all
 * signatures, and the formulas of gradients.
 */
#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "import/derivatives.h"
#include "import/import.h"
#include "import/native.h"
#include "import/release_text.h"

enum { TREE_BYTES = 512 * 1024 * 1024, LIST_BYTES = 4096, LIST_ITEMS = 64 };

enum torch_file { TORCH_VERSIONS, TORCH_UNIVERSE, TORCH_SCHEMAS, TORCH_GRADIENTS, TORCH_FILES };

static const char *const files[TORCH_FILES + 1] = { "torch/versions.tsv", "torch/universe.tsv", "torch/schemas.tsv",
	"torch/gradients.tsv" };

/* From this version on members of a structured group get a generated kernel on every backend. */
static const char oldest_generated_kernel[] = "1.9";

/* Tags that a generated overload does not take over from its base. */
static const struct str base_tags = STR("core pointwise");

struct torch_import {
	const struct import_options *options;
	struct arena arena; /* of the input files */
	struct arena kept;  /* of the fact text */
	struct input native_input, tags_input, generated_input;
	struct native native;
	struct generated_list generated;
	struct native signatures;            /* of generated overloads, as --generated has them */
	size_t unknown;                      /* generated overloads without a signature */
	struct node *tags;                   /* that exist; NULL when nobody says */
	struct text_file files[TORCH_FILES]; /* as they were */
	struct table versions;
	struct axis axis;
	struct fact_rows rows[TORCH_FILES]; /* of those with spans */
	struct span_tables others;          /* that a new version must not be covered by */
	unsigned place;
	struct err *err;
};

/* A short list of words, joined by blanks. */
struct word_list {
	struct str items[LIST_ITEMS];
	size_t count;
	bool full; /* there was one more */
};

static void words_add(struct word_list *words, struct str word)
{
	words->full = words->full || (word.len && words->count == LIST_ITEMS);
	if (word.len && !words->full)
		words->items[words->count++] = word;
}

static struct str words_join(struct torch_import *import, const struct word_list *words)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(LIST_BYTES);

	for (size_t i = 0; i < words->count; i++) {
		buf_add(&text, i ? STR(" ") : STR(""));
		buf_add(&text, words->items[i]);
	}
	return arena_keep(&import->kept, buf_str(&text));
}

/* --- one operator */

static void add_split(struct word_list *words, struct str text)
{
	struct str part = { 0 };

	while (text.len && str_cut(&text, ',', &part))
		words_add(words, str_trim(part));
}

/* The texts of a node that is one text with commas, or a list. */
static void add_texts(struct word_list *words, const struct node *node)
{
	if (node && node->kind == NODE_TEXT)
		add_split(words, node->text);
	for (const struct node *item = node ? node->first : NULL; item; item = item->next)
		add_split(words, item->text);
}

static void add_keys(struct word_list *words, const struct node *entry)
{
	const struct node *dispatch = node_find(entry, "dispatch");

	for (const struct node *item = dispatch ? dispatch->first : NULL; item; item = item->next)
		add_split(words, item->key);
	qsort(words->items, words->count, sizeof(words->items[0]), str_order);
}

static bool is_true(const struct node *node)
{
	bool value = false;

	return node_bool(node, &value) && value;
}

static struct str has_of(struct torch_import *import, const struct native_op *op)
{
	const struct node *entry = op->entry;
	bool ufunc = node_find(entry, "ufunc_inner_loop") != NULL,
	     delegate = node_find(entry, "structured_delegate") != NULL;
	bool explicit_body = native_kernel(entry, "CompositeExplicitAutograd").ptr ||
			     native_kernel(entry, "DefaultBackend").ptr;
	bool generated = delegate && version_cmp(import->options->torch, str_from(oldest_generated_kernel)) >= 0;
	const struct {
		bool on;
		struct str word;
	} all[] = {
		{ ufunc || native_kernel(entry, "CPU").ptr, STR("cpu") },
		{ ufunc || native_kernel(entry, "CUDA").ptr, STR("cuda") },
		{ native_is_implicit(op), STR("implicit") },
		{ explicit_body, STR("explicit") },
		{ generated || native_kernel(entry, "CompositeExplicitAutogradNonFunctional").ptr,
			STR("nonfunctional") },
		{ is_true(node_find(entry, "structured")), STR("structured") },
		{ op->schema.is_view, STR("view") },
	};
	struct word_list words = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		words_add(&words, all[i].on ? all[i].word : STR(""));
	return words_join(import, &words);
}

static int check_tags(const struct torch_import *import, const struct node *entry, const struct word_list *tags)
{
	for (size_t i = 0; i < tags->count && import->tags; i++) {
		const struct node *known = import->tags->first;

		while (known && !str_eq(node_find(known, "tag")->text, tags->items[i]))
			known = known->next;
		if (!known)
			return input_error(&import->native_input, node_find(entry, "tags")->line, import->err,
				"tag \"%s\" is not in %s", shown(tags->items[i]).text, import->options->tags);
	}
	return 0;
}

static void set_cell(struct fact_rows *rows, struct str *cells, const char *column, struct str value)
{
	cells[column_at(rows->columns, column)] = value;
}

static void add_schema(struct torch_import *import, const struct schema *schema)
{
	struct str cells[TSV_COLUMNS] = { 0 };

	set_cell(&import->rows[TORCH_SCHEMAS], cells, "op", schema->op);
	set_cell(&import->rows[TORCH_SCHEMAS], cells, "signature", schema->signature);
	fact_rows_add(&import->rows[TORCH_SCHEMAS], cells, import->place);
}

static int add_operator(struct torch_import *import, const struct native_op *op)
{
	const struct node *delegate = node_find(op->entry, "structured_delegate"),
			  *variants = node_find(op->entry, "variants");
	struct word_list tags = { 0 }, forms = { 0 }, keys = { 0 };
	struct str cells[TSV_COLUMNS] = { 0 };

	add_texts(&tags, node_find(op->entry, "tags"));
	add_texts(&forms, variants);
	add_keys(&keys, op->entry);
	if (tags.full || forms.full || keys.full)
		return input_error(&import->native_input, op->entry->line, import->err,
			"more than %d tags, variants or dispatch keys", LIST_ITEMS);
	if (check_tags(import, op->entry, &tags))
		return -import->err->code;
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "op", op->schema.op);
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "kind", schema_kind_name(op->schema.kind));
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "has", has_of(import, op));
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "structured_delegate", delegate ? delegate->text : STR(""));
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "variants",
		variants ? words_join(import, &forms) : STR("function"));
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "tags", words_join(import, &tags));
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "keys", words_join(import, &keys));
	fact_rows_add(&import->rows[TORCH_UNIVERSE], cells, import->place);
	add_schema(import, &op->schema);
	return 0;
}

/* --- overloads that the generator adds */

static struct str generated_tags(struct torch_import *import, const struct native_op *base)
{
	struct word_list all = { 0 }, kept = { 0 };

	add_texts(&all, node_find(base->entry, "tags"));
	words_add(&kept, STR("generated"));
	for (size_t i = 0; i < all.count; i++) {
		if (!str_has_word(base_tags, all.items[i]))
			words_add(&kept, all.items[i]);
	}
	return words_join(import, &kept);
}

/* What --generated gives, or what follows from the base. False when neither tells. */
static bool generated_schema(struct torch_import *import, const struct generated *generated, struct schema *ret)
{
	const struct native_op *given = native_find(&import->signatures, generated->op);
	CLEANUP(buf_clear) struct buf text = BUF_INIT(LIST_BYTES * 16);
	const char *wrong;
	size_t at;

	if (given) {
		*ret = given->schema;
		return true;
	}
	buf_add(&text, generated->op);
	if (!generated_signature(&generated->base->schema, generated->op, &text) || text.full)
		return false;
	return schema_parse(arena_keep(&import->kept, buf_str(&text)), ret, &wrong, &at);
}

static void add_generated(struct torch_import *import, const struct generated *generated)
{
	struct str cells[TSV_COLUMNS] = { 0 };
	struct schema schema = { 0 };
	bool known = generated_schema(import, generated, &schema);

	if (!known)
		schema.kind = str_ends(generated->op, STR("out")) ? SCHEMA_OUT : SCHEMA_FUNCTIONAL;
	import->unknown += !known;
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "op", generated->op);
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "kind", schema_kind_name(schema.kind));
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "has", STR("explicit"));
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "autogen_of", generated->base->schema.op);
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "variants", STR("function"));
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "tags", generated_tags(import, generated->base));
	set_cell(&import->rows[TORCH_UNIVERSE], cells, "keys", STR("CompositeExplicitAutograd"));
	fact_rows_add(&import->rows[TORCH_UNIVERSE], cells, import->place);
	if (known)
		add_schema(import, &schema);
}

/* --- reading */

static int read_tags(struct torch_import *import)
{
	int code = tree_load(import->options->tags, &import->arena, &import->tags_input, &import->tags, import->err);

	if (!code)
		code = tree_check_list(&import->tags_input, import->tags, "of tags", import->err);
	for (const struct node *item = code ? NULL : import->tags->first; item; item = item->next) {
		const struct node *tag = item->kind == NODE_MAP ? node_find(item, "tag") : NULL;

		if (!tag || tag->kind != NODE_TEXT)
			return input_error(&import->tags_input, item->line, import->err, "an entry needs a tag");
	}
	return code;
}

static int add_signature(struct torch_import *import, size_t line, struct str text)
{
	const struct input *input = &import->generated_input;
	struct native_op op = { 0 };
	int code = schema_read(input, line, text, &op.schema, import->err);

	if (code)
		return code;
	if (!op.schema.signature.len || native_find(&import->signatures, op.schema.op))
		return input_error(input, line, import->err,
			op.schema.signature.len ? "\"%s\" is there already" : "\"%s\" has no signature",
			shown(op.schema.op).text);
	if (!generated_find(&import->generated, op.schema.op))
		return input_error(input, line, import->err, "\"%s\" is no overload that this PyTorch generates",
			shown(op.schema.op).text);
	native_add(&import->signatures, &op);
	return 0;
}

/* One signature a line. */
static int read_generated(struct torch_import *import)
{
	struct str rest, line;
	int code = input_read(import->options->generated, &import->arena, &import->generated_input, import->err);

	rest = import->generated_input.text;
	for (size_t number = 1; !code && str_cut(&rest, '\n', &line); number++) {
		line = str_trim(line);
		if (line.len)
			code = add_signature(import, number, line);
	}
	return code;
}

static int read_inputs(struct torch_import *import)
{
	int code = input_read(import->options->native_functions, &import->arena, &import->native_input, import->err);

	if (!code)
		code = native_read(&import->native_input, &import->arena, &import->native, import->err);
	if (!code && !import->native.count)
		code = input_error(&import->native_input, 0, import->err, "the list has no operator");
	if (code)
		return code;
	generated_read(&import->native, import->options->torch, &import->generated);
	if (import->options->tags)
		code = read_tags(import);
	if (!code && import->options->generated)
		code = read_generated(import);
	return code;
}

/* The formulas of the version in place of those that it had; without a file these stay. */
static int add_gradients(struct torch_import *import, struct buf *report)
{
	struct gradients gradients = { .native = &import->native,
		.generated = &import->generated,
		.rows = &import->rows[TORCH_GRADIENTS],
		.place = import->place };
	int code;

	if (!import->options->derivatives)
		return 0;
	fact_rows_remove(&import->rows[TORCH_GRADIENTS], import->place);
	code = gradients_read(import->options->derivatives, &import->arena, &gradients, import->err);
	if (!code)
		buf_printf(report, "%zu formulas of gradients\n", gradients.count);
	return code;
}

/* --- the fact text */

static void order_versions(struct torch_import *import)
{
	axis_clear(&import->axis);
	for (size_t i = 0; i < import->versions.count; i++)
		axis_add(&import->axis, import->versions.items[i].cells[0]);
}

static int read_text(struct torch_import *import)
{
	struct text_file *file = import->files;
	int code = 0;

	for (unsigned i = 0; i < TORCH_FILES && !code; i++)
		code = text_file_load(import->options->opdb_dir, files[i], &import->kept, &file[i], import->err);
	if (!code)
		code = table_read(&import->versions, &file[TORCH_VERSIONS], import->err);
	if (code)
		return code;
	order_versions(import);
	for (unsigned i = TORCH_UNIVERSE; i < TORCH_FILES && !code; i++)
		code = fact_rows_read(
			&import->rows[i], &file[i], i == TORCH_GRADIENTS ? 2 : 1, &import->axis, import->err);
	return code;
}

static int insert_version(struct torch_import *import)
{
	struct str version = import->options->torch, given = import->options->source;
	size_t row = 0;
	int code;

	if (import->versions.count == TIMELINE_PLACES)
		return err_set(import->err, ERR_LIMIT, "more than %d versions", TIMELINE_PLACES);
	code = span_tables_read(&import->others,
		&(struct span_folder){ import->options->opdb_dir, "torch", "torch", files }, &import->axis,
		&import->kept, import->err);
	if (code)
		return code;
	while (row < import->versions.count && version_cmp(version, import->versions.items[row].cells[0]) >= 0)
		row++;
	table_insert(&import->versions, row, &import->kept);
	*table_cell(&import->versions, row, "version") = version;
	*table_cell(&import->versions, row, "wheel") = version;
	*table_cell(&import->versions, row, "source") = given.len ? given : STR("torch");
	import->place = (unsigned)row;
	for (unsigned i = TORCH_UNIVERSE; i < TORCH_FILES; i++)
		fact_rows_shift(&import->rows[i], import->place);
	span_tables_shift(&import->others, import->place);
	order_versions(import);
	return 0;
}

static bool is_version(struct str text)
{
	struct str part = { 0 };
	size_t parts = 0;

	for (; str_cut(&text, '.', &part); parts++) {
		for (size_t i = 0; i < part.len; i++) {
			if (!is_digit(part.ptr[i]))
				return false;
		}
		if (!part.len || part.len > 4)
			return false;
	}
	return parts == 3;
}

static int begin_import(struct torch_import *import)
{
	struct str version = import->options->torch;

	if (!is_version(version)) {
		err_set(import->err, ERR_VALUE, "'%s' is no version of PyTorch", shown(version).text);
		return err_hint(import->err, "for example --torch 2.7.1");
	}
	if (!axis_find(&import->axis, version, &import->place))
		return insert_version(import);
	if (!import->options->force) {
		err_set(import->err, ERR_EXISTS, "the fact text has PyTorch %s already", shown(version).text);
		return err_hint(import->err, "give --force to replace what its lists say");
	}
	fact_rows_remove(&import->rows[TORCH_UNIVERSE], import->place);
	fact_rows_remove(&import->rows[TORCH_SCHEMAS], import->place);
	return 0;
}

static int end_import(struct torch_import *import, struct buf *report)
{
	size_t overloads = import->native.count + import->generated.count;
	struct changes changes = { 0 };
	int code;

	*table_cell(&import->versions, import->place, "overloads") = arena_printf(&import->kept, "%zu", overloads);
	for (unsigned i = TORCH_UNIVERSE; i < TORCH_FILES; i++)
		fact_rows_write(
			&import->rows[i], &import->axis, changes_add(&changes, files[i], import->files[i].text));
	span_tables_write(&import->others, &import->axis, &changes);
	table_write(
		&import->versions, changes_add(&changes, files[TORCH_VERSIONS], import->files[TORCH_VERSIONS].text));
	code = changes_write(&changes, import->options->opdb_dir, import->err);
	changes_clear(&changes);
	if (code)
		return code;
	buf_printf(report, "torch %.*s: %zu operators, %zu generated overloads\n", STR_ARG(import->options->torch),
		import->native.count, import->generated.count);
	if (import->unknown)
		buf_printf(report, "%zu generated overloads have no signature: --generated FILE names them\n",
			import->unknown);
	return 0;
}

static int work_out(struct torch_import *import, struct buf *report)
{
	int code = begin_import(import);

	if (!code)
		code = read_inputs(import);
	for (size_t i = 0; i < import->native.count && !code; i++)
		code = add_operator(import, &import->native.items[i]);
	for (size_t i = 0; i < import->generated.count && !code; i++)
		add_generated(import, &import->generated.items[i]);
	if (!code)
		code = add_gradients(import, report);
	return code ? code : end_import(import, report);
}

int import_torch(const struct import_options *options, struct buf *report, struct err *err)
{
	struct torch_import import = {
		.options = options, .arena = ARENA_INIT(TREE_BYTES), .kept = ARENA_INIT(ARENA_UNLIMITED), .err = err
	};
	int code = read_text(&import);

	if (!code)
		code = work_out(&import, report);
	native_clear(&import.native);
	native_clear(&import.signatures);
	generated_clear(&import.generated);
	table_clear(&import.versions);
	axis_clear(&import.axis);
	for (unsigned i = TORCH_UNIVERSE; i < TORCH_FILES; i++)
		fact_rows_clear(&import.rows[i]);
	span_tables_clear(&import.others);
	arena_clear(&import.kept);
	arena_clear(&import.arena);
	return code;
}
