/* What the lists of a release of torch_npu say, section by section and entry by entry. */
#include "import/npu_lists.h"

#include "base/mem.h"
#include "base/utf8.h"

enum { KEY_BYTES = 64 };

/* From this PyTorch on the plugin registers on quantized keys of its own. */
static const char oldest_quantized[] = "2.2";

/* What a section of a list does with the operators that it names. */
enum section_use {
	USE_KERNEL,  /* they have a kernel */
	USE_SYMINT,  /* the kernels take symbolic sizes */
	USE_TOCPU,   /* they are sent to the CPU */
	USE_BLOCKED, /* they raise */
	USE_NONE,
};

struct section {
	const char *name;
	const char *key; /* prefix of the backend's name in the dispatch key */
	enum section_use use;
	bool custom; /* operators of the plugin's own */
};

static const struct section framework_sections[] = {
	{ "supported", "", USE_KERNEL },
	{ "custom", "", USE_KERNEL, true },
	{ "autograd", "Autograd", USE_KERNEL },
	{ "custom_autograd", "Autograd", USE_KERNEL, true },
	{ "tocpu", "", USE_TOCPU },
	{ "unsupported", "", USE_BLOCKED },
	{ "symint", "", USE_SYMINT },
	{ "backend", "", USE_NONE },
	{ "cpp_namespace", "", USE_NONE },
	{ NULL },
};

static const struct section plugin_sections[] = {
	{ "official", "", USE_KERNEL },
	{ "custom", "", USE_KERNEL, true },
	{ "autograd", "Autograd", USE_KERNEL },
	{ "quant", "Quantized", USE_KERNEL },
	{ "sparse", "Sparse", USE_KERNEL },
	{ "sparse_csr", "SparseCsr", USE_KERNEL },
	{ "nestedtensor", "NestedTensor", USE_KERNEL },
	{ "tocpu", "", USE_TOCPU },
	{ "unsupported", "", USE_BLOCKED },
	{ "symint", "", USE_SYMINT },
	{ "all_version", "", USE_NONE },
	{ "backend", "", USE_NONE },
	{ "cpp_namespace", "", USE_NONE },
	{ NULL },
};

const struct section *const npu_framework_sections = framework_sections, *const npu_plugin_sections = plugin_sections;

/* What an entry may say. The ones that steer generated C++ alone say nothing here. */
static const char *const entry_keys[] = { "func", "acl_op", "op_api", "sparse", "exposed", "internal_format_opapi",
	"impl_ns", "version", "gen_opapi", "dvm", "tags", "dispatch", "device_check", "device_guard", "structured",
	"structured_delegate", "structured_inherit", "use_const_ref_for_mutable_tensors", "bscpp_op", "variants",
	"autogen", NULL };

/* What an entry says for the version that is built. */
struct marks {
	bool acl_op, op_api, exposed, internal_format, sparse, applies;
	struct str framework_op_api; /* "1", "0" or "" */
};

bool npu_at_least(struct str version, const char *oldest)
{
	return version_cmp(version, str_from(oldest)) >= 0;
}

static struct str digit(bool on)
{
	return on ? STR("1") : STR("0");
}

/* The operator of an entry, which is its name alone or a map with a func. */
static int entry_schema(const struct list *list, const struct node *entry, struct schema *ret, struct err *err)
{
	const struct node *func = entry->kind == NODE_MAP ? node_find(entry, "func") : entry;

	if (!func || func->kind != NODE_TEXT || entry->kind == NODE_LIST)
		return input_error(
			&list->input, entry->line, err, "an entry is the name of an operator, or a map with a func");
	if (entry->kind == NODE_MAP && tree_check_keys(&list->input, entry, entry_keys, err))
		return -err->code;
	return schema_read(&list->input, func->line, func->text, ret, err);
}

/* `impl_ns: acl_op, op_api` */
static int read_namespaces(const struct npu_import *import, const struct node *entry, struct marks *marks)
{
	const struct node *value = node_find(entry, "impl_ns");
	struct str rest = value ? value->text : (struct str){ 0 }, part;

	if (!value || value->kind != NODE_TEXT)
		return input_error(&import->plugin.input, entry->line, import->err, "impl_ns is missing");
	while (str_cut(&rest, ',', &part)) {
		part = str_trim(part);
		if (str_eq(part, STR("acl_op")))
			marks->acl_op = true;
		else if (str_eq(part, STR("op_api")))
			marks->op_api = true;
		else
			return input_error(&import->plugin.input, value->line, import->err,
				"\"%s\" is neither acl_op nor op_api", shown(part).text);
	}
	return 0;
}

/* A boolean, or in the dialect for many versions a list of them. */
static int read_mark(
	const struct npu_import *import, const struct list *list, const struct node *entry, const char *key, bool *ret)
{
	const struct node *value = node_find(entry, key);

	*ret = false;
	if (!value || node_bool(value, ret))
		return 0;
	if (list == &import->plugin && import->combined)
		return plugin_versions_hold(&import->versions, value, ret, import->err);
	return input_error(&list->input, value->line, import->err, "%s must be True or False", key);
}

static int read_plugin_marks(const struct npu_import *import, const struct node *entry, struct marks *marks)
{
	const struct list *list = &import->plugin;
	int code;

	if (!import->combined)
		return read_namespaces(import, entry, marks);
	code = read_mark(import, list, entry, "acl_op", &marks->acl_op);
	if (!code)
		code = read_mark(import, list, entry, "op_api", &marks->op_api);
	if (!code)
		code = read_mark(import, list, entry, "internal_format_opapi", &marks->internal_format);
	return code ? code : read_mark(import, list, entry, "sparse", &marks->sparse);
}

static int read_marks(
	const struct npu_import *import, const struct list *list, const struct node *entry, struct marks *ret)
{
	struct marks marks = { 0 };
	bool op_api = false;
	int code = 0;

	if (list == &import->plugin)
		code = read_plugin_marks(import, entry, &marks);
	else
		code = read_mark(import, list, entry, "op_api", &op_api);
	if (!code)
		code = read_mark(import, list, entry, "exposed", &marks.exposed);
	marks.framework_op_api = node_find(entry, "op_api") ? digit(op_api) : STR("");
	marks.applies = list == &import->framework || marks.acl_op || marks.op_api;
	*ret = marks;
	return code;
}

static const struct section *section_of(const struct list *list, struct str name)
{
	for (const struct section *section = list->sections; section->name; section++) {
		if (str_eq(name, str_from(section->name)))
			return section;
	}
	return NULL;
}

/* --- rows */

static struct str section_key(const struct npu_import *import, const char *prefix, char buffer[KEY_BYTES])
{
	snprintf(buffer, KEY_BYTES, "%s%.*s", prefix, STR_ARG(import->key));
	return str_from(buffer);
}

static struct str section_origin(const struct list *list, const char *section, char buffer[KEY_BYTES])
{
	if (strcmp(section, "supported") == 0)
		snprintf(buffer, KEY_BYTES, "%s", list->origin);
	else
		snprintf(buffer, KEY_BYTES, "%s:%s", list->origin, section);
	return str_from(buffer);
}

struct listed *npu_add_row(struct npu_import *import, const struct list *list, size_t line,
	const struct npu_row_name *name, const char *section)
{
	static const char *const unmarked[] = { "symint", "exposed_py", "internal_format_opapi" };
	char key[KEY_BYTES], origin[KEY_BYTES];
	struct release_text *text = &import->text;
	struct listed *row = release_text_add(
		text, str_from(name->ns), name->op, section_key(import, name->prefix, key));

	row->input = &list->input;
	row->line = line;
	listed_set(text, row, "origin", section_origin(list, section, origin));
	for (size_t i = 0; i < ARRAY_SIZE(unmarked); i++)
		listed_set(text, row, unmarked[i], STR("0"));
	listed_set(text, row, "status", STR("native"));
	listed_set(text, row, "source", release_text_source(text, list->source));
	return row;
}

struct listed *npu_find_row(struct npu_import *import, const struct npu_row_name *name)
{
	char key[KEY_BYTES];

	return listed_find(&import->text.rows, str_from(name->ns), name->op, section_key(import, name->prefix, key));
}

/* An operator that two sections name: both are its origin, the first one decides. */
static void join_origin(struct npu_import *import, const struct list *list, struct listed *row, const char *section)
{
	struct str *cell = listed_cell(&import->text, row, "origin");
	char origin[KEY_BYTES];

	*cell = arena_printf(
		&import->text.arena, "%.*s+%.*s", STR_ARG(*cell), STR_ARG(section_origin(list, section, origin)));
}

static int there_twice(const struct npu_import *import, const struct list *list, size_t line, struct str op,
	const struct listed *other)
{
	input_error(&list->input, line, import->err, "\"%s\" is registered twice", shown(op).text);
	return err_hint(import->err, "the other entry is %s:%zu", shown(other->input->name).text, other->line);
}

static void set_kernels(struct npu_import *import, const struct list *list, struct listed *row, struct str op,
	const struct marks *marks)
{
	struct release_text *text = &import->text;
	bool plugin = list == &import->plugin;

	listed_set(text, row, "acl_op", plugin ? digit(marks->acl_op) : STR(""));
	listed_set(text, row, "op_api", plugin ? digit(marks->op_api) : marks->framework_op_api);
	listed_set(text, row, "symint", digit(native_find(&list->symint, op) != NULL));
	listed_set(text, row, "exposed_py", digit(marks->exposed));
	listed_set(text, row, "internal_format_opapi", digit(marks->internal_format));
	if (plugin && !marks->op_api)
		listed_set(text, row, "status", STR("native-jit"));
}

static int add_sparse(struct npu_import *import, size_t line, struct str op)
{
	struct npu_row_name name = { op, "aten", "Sparse" };
	struct listed *row = npu_find_row(import, &name);

	if (row)
		return there_twice(import, &import->plugin, line, op, row);
	row = npu_add_row(import, &import->plugin, line, &name, "sparse");
	listed_set(&import->text, row, "acl_op", STR("0"));
	listed_set(&import->text, row, "op_api", STR("1"));
	import->any_sparse = true;
	return 0;
}

/* Whether the framework's own section of custom operators defines it: then `supported` means that one. */
static bool is_framework_custom(const struct npu_import *import, struct str op)
{
	const struct node *custom = node_find(import->framework.root, "custom");

	for (const struct node *entry = custom ? custom->first : NULL; entry; entry = entry->next) {
		const struct node *func = node_find(entry, "func");
		struct str rest = func ? func->text : STR(""), name = { 0 };

		if (str_cut(&rest, '(', &name) && str_eq(name, op))
			return true;
	}
	return false;
}

static int add_kernel(struct npu_import *import, const struct list *list, const struct section *section,
	const struct node *entry, struct str op)
{
	bool custom = section->custom || (list == &import->framework && is_framework_custom(import, op));
	struct npu_row_name name = { op, custom ? import->custom_ns.ptr : "aten", section->key },
			    plain = { op, name.ns, "" };
	struct listed *row;
	struct marks marks;
	int code = read_marks(import, list, entry, &marks);

	if (!code && marks.sparse)
		code = add_sparse(import, entry->line, op);
	if (code || !marks.applies)
		return code;
	/* The generator allows an operator one of the two keys; op-plugin's kernel is the one that is registered. */
	if (list == &import->framework && strcmp(section->name, "autograd") == 0 && npu_find_row(import, &plain))
		return 0;
	row = npu_find_row(import, &name);
	if (row && list == &import->framework && section->custom &&
		str_eq(*listed_cell(&import->text, row, "origin"), str_from(list->origin)))
		join_origin(import, list, row, section->name);
	else if (row)
		return there_twice(import, list, entry->line, op, row);
	else
		row = npu_add_row(import, list, entry->line, &name, section->name);
	set_kernels(import, list, row, op, &marks);
	return 0;
}

/* `tocpu` and `unsupported`. A composite is not sent to the CPU: no wrapper is generated for it. */
static int add_without_kernel(struct npu_import *import, const struct list *list, const struct section *section,
	const struct node *entry, struct str op)
{
	const struct native_op *native = native_find(&import->native, op);
	struct npu_row_name name = { op, "aten", section->key };
	struct listed *row = npu_find_row(import, &name);
	const struct node *version = node_find(entry, "version");
	bool holds = !version;
	int code = 0;

	if (version && list == &import->plugin && import->combined)
		code = plugin_versions_hold(&import->versions, version, &holds, import->err);
	if (code || !holds)
		return code;
	if (row && row->input) {
		join_origin(import, list, row, section->name);
		return 0;
	}
	row = npu_add_row(import, list, entry->line, &name, section->name);
	if (section->use == USE_BLOCKED)
		listed_set(&import->text, row, "status", STR("blocked"));
	else
		listed_set(&import->text, row, "status",
			native && native_is_composite(native) ? STR("composite") : STR("cpu-fallback"));
	return 0;
}

/* Symbolic sizes change the C++ signature, they add no operator. */
static int note_symint(
	struct npu_import *import, struct list *list, const struct node *entry, const struct schema *schema)
{
	struct native_op op = { *schema, entry };
	struct marks marks;
	int code = read_marks(import, list, entry, &marks);

	if (!code && marks.applies)
		native_add(&list->symint, &op);
	return code;
}

static int add_entry(
	struct npu_import *import, struct list *list, const struct section *section, const struct node *entry)
{
	struct schema schema;
	int code = entry_schema(list, entry, &schema, import->err);

	if (code || (!str_starts(schema.signature, STR("(")) && section->custom))
		return code ? code
			    : input_error(&list->input, entry->line, import->err,
				      "\"%s\" has no arguments and no result", shown(schema.op).text);
	switch (section->use) {
	case USE_KERNEL:
		return add_kernel(import, list, section, entry, schema.op);
	case USE_SYMINT:
		return note_symint(import, list, entry, &schema);
	default:
		return add_without_kernel(import, list, section, entry, schema.op);
	}
}

static int add_section(struct npu_import *import, struct list *list, const struct section *section)
{
	const struct node *node = node_find(list->root, section->name);
	int code = 0;

	if (section->use == USE_NONE || node_is_empty(node))
		return 0;
	if (strcmp(section->key, "Quantized") == 0 && !npu_at_least(import->torch, oldest_quantized))
		return 0;
	if (node->kind != NODE_LIST)
		return input_error(&list->input, node->line, import->err, "\"%s\" must be a list", section->name);
	for (const struct node *entry = node->first; entry && !code; entry = entry->next)
		code = add_entry(import, list, section, entry);
	return code;
}

static int check_sections(const struct npu_import *import, const struct list *list)
{
	if (!list->root || list->root->kind != NODE_MAP)
		return input_error(
			&list->input, list->root ? list->root->line : 0, import->err, "expected a map of sections");
	for (const struct node *item = list->root->first; item; item = item->next) {
		if (!section_of(list, item->key))
			return input_error(
				&list->input, item->key_line, import->err, "unknown key \"%s\"", shown(item->key).text);
	}
	return 0;
}

/* Symbolic sizes first: the rows ask for them. */
int npu_add_list(struct npu_import *import, struct list *list)
{
	int code = check_sections(import, list);

	for (const struct section *section = list->sections; section->name && !code; section++) {
		if (section->use == USE_SYMINT)
			code = add_section(import, list, section);
	}
	for (const struct section *section = list->sections; section->name && !code; section++) {
		if (section->use != USE_SYMINT)
			code = add_section(import, list, section);
	}
	return code;
}
