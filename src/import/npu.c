/*
 * A release of torch_npu from its lists: npu_native_functions.yaml of the framework, op_plugin_functions.yaml of op-plugin.
 *
 * op-plugin writes its list in one of two dialects: a list for one version of PyTorch, whose entries say `impl_ns`, or one for
 * many versions (all_version), whose entries say for which versions they have an `acl_op` or an `op_api` kernel.
 */
#include "base/mem.h"
#include "base/utf8.h"
#include "import/derivatives.h"
#include "import/import.h"
#include "import/native.h"
#include "import/plugin_version.h"
#include "import/release_text.h"

enum { TREE_BYTES = 512 * 1024 * 1024, KEY_BYTES = 64 };

/* What a section of a list does with the operators that it names. */
enum section_use {
	USE_KERNEL, /* they have a kernel */
	USE_SYMINT, /* the kernels take symbolic sizes */
	USE_TOCPU, /* they are sent to the CPU */
	USE_BLOCKED, /* they raise */
	USE_NONE,
};

struct section {
	const char *name;
	const char *key; /* what stands before the backend's name in the dispatch key */
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

/* What an entry may say. The ones that steer generated C++ alone say nothing here. */
static const char *const entry_keys[] = { "func", "acl_op", "op_api", "sparse", "exposed", "internal_format_opapi",
	"impl_ns", "version", "gen_opapi", "dvm", "tags", "dispatch", "device_check", "device_guard", "structured",
	"structured_delegate", "structured_inherit", "use_const_ref_for_mutable_tensors", "bscpp_op", "variants",
	"autogen" };

/* Up to this plugin version the build reads the list of one version even where the other lies beside it. */
static const char newest_single[] = "6.0.rc2";

/* From this PyTorch on the plugin has a dispatch key and a namespace of its own. */
static const char oldest_privateuse[] = "2.1";
static const char oldest_quantized[] = "2.2";

/* One of the two lists. */
struct list {
	struct input input;
	struct node *root;
	const struct section *sections;
	const char *origin;
	const char *source;
	struct native symint; /* operators whose kernels take symbolic sizes */
};

struct npu_import {
	const struct import_options *options;
	struct arena arena; /* of the input files */
	struct list framework, plugin;
	struct native native;
	struct plugin_versions versions;
	bool combined; /* the dialect for many versions */
	bool any_sparse;
	struct str torch;
	struct str version; /* "v2.7" */
	struct str key, custom_ns; /* "PrivateUse1", "npu" */
	struct release_text text;
	struct err *err;
};

/* What an entry says for the version that is built. */
struct marks {
	bool acl_op, op_api, exposed, internal_format, sparse, applies;
	struct str framework_op_api; /* "1", "0" or "" */
};

static bool at_least(struct str version, const char *oldest)
{
	return version_cmp(version, str_from(oldest)) >= 0;
}

static struct str digit(bool on)
{
	return on ? STR("1") : STR("0");
}

static int check_keys(const struct list *list, const struct node *entry, struct err *err)
{
	for (const struct node *item = entry->first; item; item = item->next) {
		size_t known = 0;

		while (known < ARRAY_SIZE(entry_keys) && !str_eq(item->key, str_from(entry_keys[known])))
			known++;
		if (known == ARRAY_SIZE(entry_keys))
			return input_error(
				&list->input, item->key_line, err, "unknown key \"%s\"", shown(item->key).text);
	}
	return 0;
}

/* The operator of an entry, which is its name alone or a map with a func. */
static int entry_schema(const struct list *list, const struct node *entry, struct schema *ret, struct err *err)
{
	const struct node *func = entry->kind == NODE_MAP ? node_find(entry, "func") : entry;

	if (!func || func->kind != NODE_TEXT || entry->kind == NODE_LIST)
		return input_error(
			&list->input, entry->line, err, "an entry is the name of an operator, or a map with a func");
	if (entry->kind == NODE_MAP && check_keys(list, entry, err))
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

static void set_source(struct npu_import *import, struct listed *row, const char *source)
{
	struct str given = import->options->source;

	listed_set(&import->text, row, "source", given.len ? given : str_from(source));
}

/* A row without marks. Its line is where a second one would be refused. */
static struct listed *add_row(struct npu_import *import, const struct list *list, size_t line, struct str op,
	const char *ns, const char *prefix, const char *section)
{
	char key[KEY_BYTES], origin[KEY_BYTES];
	struct listed *row = release_text_add(&import->text, str_from(ns), op, section_key(import, prefix, key));

	row->input = &list->input;
	row->line = line;
	listed_set(&import->text, row, "origin", section_origin(list, section, origin));
	listed_set(&import->text, row, "symint", STR("0"));
	listed_set(&import->text, row, "exposed_py", STR("0"));
	listed_set(&import->text, row, "internal_format_opapi", STR("0"));
	listed_set(&import->text, row, "status", STR("native"));
	set_source(import, row, list->source);
	return row;
}

static struct listed *find_row(struct npu_import *import, struct str op, const char *ns, const char *prefix)
{
	char key[KEY_BYTES];

	return release_text_find(&import->text, str_from(ns), op, section_key(import, prefix, key));
}

/* An operator that two sections name: both are its origin, the first one decides. */
static void join_origin(struct npu_import *import, const struct list *list, struct listed *row, const char *section)
{
	CLEANUP(buf_clear) struct buf both = BUF_INIT(1024);
	char origin[KEY_BYTES];

	buf_add(&both, *listed_cell(&import->text, row, "origin"));
	buf_byte(&both, '+');
	buf_add(&both, section_origin(list, section, origin));
	listed_set(&import->text, row, "origin", buf_str(&both));
}

static int there_twice(const struct npu_import *import, const struct list *list, size_t line, struct str op,
	const struct listed *other)
{
	input_error(&list->input, line, import->err, "\"%s\" is registered twice", shown(op).text);
	return err_hint(import->err, "the other entry is %s:%zu", shown(other->input->name).text, other->line);
}

static bool is_symint(const struct list *list, struct str op)
{
	return native_find(&list->symint, op) != NULL;
}

static void set_kernels(struct npu_import *import, const struct list *list, struct listed *row, struct str op,
	const struct marks *marks)
{
	struct release_text *text = &import->text;
	bool plugin = list == &import->plugin;

	listed_set(text, row, "acl_op", plugin ? digit(marks->acl_op) : STR(""));
	listed_set(text, row, "op_api", plugin ? digit(marks->op_api) : marks->framework_op_api);
	listed_set(text, row, "symint", digit(is_symint(list, op)));
	listed_set(text, row, "exposed_py", digit(marks->exposed));
	listed_set(text, row, "internal_format_opapi", digit(marks->internal_format));
	if (plugin && !marks->op_api)
		listed_set(text, row, "status", STR("native-jit"));
}

static int add_sparse(struct npu_import *import, size_t line, struct str op)
{
	struct listed *row = find_row(import, op, "aten", "Sparse");

	if (row)
		return there_twice(import, &import->plugin, line, op, row);
	row = add_row(import, &import->plugin, line, op, "aten", "Sparse", "sparse");
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
	const char *ns = custom ? import->custom_ns.ptr : "aten";
	struct listed *row;
	struct marks marks;
	int code = read_marks(import, list, entry, &marks);

	if (!code && marks.sparse)
		code = add_sparse(import, entry->line, op);
	if (code || !marks.applies)
		return code;
	/* The generator allows an operator one of the two keys; op-plugin's kernel is the one that is registered. */
	if (list == &import->framework && strcmp(section->name, "autograd") == 0 && find_row(import, op, ns, ""))
		return 0;
	row = find_row(import, op, ns, section->key);
	if (row && list == &import->framework && section->custom &&
		str_eq(*listed_cell(&import->text, row, "origin"), str_from(list->origin)))
		join_origin(import, list, row, section->name);
	else if (row)
		return there_twice(import, list, entry->line, op, row);
	else
		row = add_row(import, list, entry->line, op, ns, section->key, section->name);
	set_kernels(import, list, row, op, &marks);
	return 0;
}

/* `tocpu` and `unsupported`. A composite is not sent to the CPU: no wrapper is generated for it. */
static int add_without_kernel(struct npu_import *import, const struct list *list, const struct section *section,
	const struct node *entry, struct str op)
{
	const struct native_op *native = native_find(&import->native, op);
	struct listed *row = find_row(import, op, "aten", section->key);
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
	row = add_row(import, list, entry->line, op, "aten", section->key, section->name);
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
	if (strcmp(section->key, "Quantized") == 0 && !at_least(import->torch, oldest_quantized))
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
static int add_list(struct npu_import *import, struct list *list)
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

/* --- what the code generator registers by itself */

static void add_generated(struct npu_import *import, struct str op, const char *prefix, const char *origin,
	const char *status, const char *note, const char *source)
{
	struct listed *row = add_row(import, &import->plugin, 0, op, "aten", prefix, origin);

	listed_set(&import->text, row, "origin", str_from(origin));
	listed_set(&import->text, row, "status", str_from(status));
	listed_set(&import->text, row, "note", str_from(note));
	set_source(import, row, source);
}

/* A generator that knows `sparse:` registers the sparse kernels that PyTorch's CPU and CUDA share, too; every generator for
   PrivateUse1 gives each _foreach_* with a CPU kernel the slow path if the plugin has none. */
static void add_all_generated(struct npu_import *import)
{
	for (size_t i = 0; i < import->native.count; i++) {
		const struct native_op *native = &import->native.items[i];
		struct str op = native->schema.op, cpu = native_kernel(native->entry, "SparseCPU"),
			   cuda = native_kernel(native->entry, "SparseCUDA");

		if (import->any_sparse && cpu.len && str_eq(cpu, cuda) && !find_row(import, op, "aten", "Sparse"))
			add_generated(import, op, "Sparse", "sparse-shared-generated", "native",
				"PyTorch device-agnostic sparse kernel", "npu-sparse");
		if (str_starts(op, STR("_foreach_")) && native_kernel(native->entry, "CPU").len &&
			!find_row(import, op, "aten", ""))
			add_generated(import, op, "", "foreach-generated", "composite", "per-tensor slow path",
				"npu-foreach");
	}
}

/* --- what the lists do not say */

/* Facts from the C++ code, known from an earlier reading of it: kept. */
static void keep_code_facts(struct npu_import *import)
{
	struct release_text *text = &import->text;

	for (size_t i = 0; i < text->rows.count; i++) {
		struct listed *row = &text->rows.items[i];
		const struct listed *old = release_text_old(text, row->cells[0], row->cells[1], row->cells[2]);
		bool acl_op = str_eq(*listed_cell(text, row, "acl_op"), STR("1"));

		if (!old)
			continue;
		listed_set(text, row, "host_path", *listed_cell(text, old, "host_path"));
		if (!acl_op || !listed_cell(text, old, "acl_launch")->len)
			continue;
		listed_set(text, row, "acl_launch", *listed_cell(text, old, "acl_launch"));
		if (str_eq(*listed_cell(text, row, "status"), STR("native-jit")) &&
			str_eq(*listed_cell(text, old, "acl_launch"), STR("0"))) {
			listed_set(text, row, "status", STR("native"));
			listed_set(text, row, "note", *listed_cell(text, old, "note"));
		}
	}
}

/* Registrations that only the C++ code has; where a list names the operator too, they take its place. */
static size_t keep_code_rows(struct npu_import *import)
{
	struct release_text *text = &import->text;
	size_t kept = 0;

	for (size_t i = 0; i < text->old.count; i++) {
		struct str origin = *listed_cell(text, &text->old.items[i], "origin");

		if (!str_eq(origin, STR("cpp")) && !str_eq(origin, STR("cpu-wrapper-generated")))
			continue;
		release_text_keep(text, &text->old.items[i]);
		kept++;
	}
	return kept;
}

/* The code generator moved there in plugin 26 and in the heads for PyTorch 2.6 and later. */
static bool has_torchnpugen(const struct npu_import *import)
{
	struct str plugin = import->text.name.plugin;

	return str_eq(plugin, STR("dev")) ? at_least(import->torch, "2.6") : at_least(plugin, "26");
}

/* Columns of releases.tsv that follow from the lists, for a release that is new. */
static void fill_release(struct npu_import *import)
{
	struct release_text *text = &import->text;
	const struct import_options *options = import->options;
	bool xla = str_eq(import->key, STR("XLA"));
	CLEANUP(buf_clear) struct buf path = BUF_INIT(256);
	struct str version = str_skip(import->version, 1), major = { 0 };

	if (options->plugin_commit.len)
		*release_text_field(text, "op_plugin") = options->plugin_commit;
	if (!text->is_new)
		return;
	str_cut(&version, '.', &major);
	if (import->combined)
		buf_add(&path, STR("op_plugin/config/op_plugin_functions.yaml"));
	else
		buf_printf(&path, "op_plugin/config/v%.*sr%.*s/op_plugin_functions.yaml", STR_ARG(major),
			STR_ARG(version));
	*release_text_field(text, "op_plugin_yaml") = arena_keep(&text->arena, buf_str(&path));
	*release_text_field(text, "op_plugin_branch") = str_eq(text->name.plugin, STR("dev")) ? STR("master")
											      : text->name.plugin;
	if (!options->plugin_commit.len)
		*release_text_field(text, "op_plugin") = *release_text_field(text, "op_plugin_branch");
	*release_text_field(text, "codegen") = has_torchnpugen(import) ? STR("torchnpugen") : STR("codegen");
	*release_text_field(text, "key") = import->key;
	*release_text_field(text, "custom_ns") = import->custom_ns;
	*release_text_field(text, "fallback") = xla ? STR("listed") : STR("boxed");
	*release_text_field(text, "list") = options->source.len ? options->source : STR("npu-op-plugin");
}

/* --- reading */

static int read_native(struct npu_import *import)
{
	struct input *input = arena_alloc(&import->arena, sizeof(*input));
	int code = input_read(import->options->native_functions, &import->arena, input, import->err);

	return code ? code : native_read(input, &import->arena, &import->native, import->err);
}

static int read_list(struct npu_import *import, struct list *list, const char *path)
{
	int code = input_read(path, &import->arena, &list->input, import->err);

	return code ? code : tree_read(&list->input, &import->arena, &list->root, import->err);
}

/* Which dialect op-plugin's list is written in. */
static int read_dialect(struct npu_import *import)
{
	const struct node *all = node_find(import->plugin.root, "all_version");
	struct str plugin = import->text.name.plugin;

	import->combined = all != NULL;
	if (!all)
		return 0;
	if (!str_eq(plugin, STR("dev")) && version_cmp(plugin, str_from(newest_single)) <= 0) {
		input_error(&import->plugin.input, all->key_line, import->err,
			"the build of %s does not read this list, which is for many versions of PyTorch",
			shown(plugin).text);
		return err_hint(
			import->err, "take op_plugin/config/v2r1/op_plugin_functions.yaml, or the one of its version");
	}
	return plugin_versions_read(&import->versions, &import->plugin.input, all, import->version, import->err);
}

/* A release's name, which begins with its version of PyTorch: "v2.7.1-26.0.0"; "v2.7.1" and "master" are heads. */
static int read_name(
	const struct import_options *options, struct arena *arena, struct release_name *ret, struct err *err)
{
	struct str given = options->release, rest, torch = { 0 };
	CLEANUP(buf_clear) struct buf name = BUF_INIT(256);
	struct release_name read = { .ref = given, .plugin = STR("dev"), .kind = STR("dev"), .torch = options->torch };
	bool master = str_eq(given, STR("master"));

	rest = str_starts(given, STR("v")) ? str_skip(given, 1) : given;
	str_cut(&rest, '-', &torch);
	if (!master && (!str_eq(torch, options->torch) || !torch.len || !is_digit(torch.ptr[0]))) {
		err_set(err, ERR_VALUE, "'%s' is no release for PyTorch '%s'", shown(given).text,
			shown(options->torch).text);
		return err_hint(err, "for example --release v2.7.1-26.0.0 --torch 2.7.1");
	}
	if (rest.len && !str_eq(rest, STR("dev"))) {
		read.plugin = rest;
		read.kind = str_has(rest, STR("rc")) ? STR("rc") : STR("final");
	}
	buf_printf(&name,
		master                            ? "master"
		: str_eq(read.plugin, STR("dev")) ? "v%.*s"
						  : "v%.*s-%.*s",
		STR_ARG(torch), STR_ARG(rest));
	read.ref = arena_keep(arena, buf_str(&name));
	if (!master && str_eq(read.plugin, STR("dev")))
		buf_add(&name, STR("-dev"));
	read.name = arena_keep(arena, master ? given : str_skip(buf_str(&name), 1));
	for (size_t i = 0; i < read.name.len; i++) {
		if (!is_word(read.name.ptr[i]) && !memchr(".-+", read.name.ptr[i], 3))
			return err_set(err, ERR_VALUE, "'%s' is no name of a release", shown(given).text);
	}
	*ret = read;
	return 0;
}

static void set_version(struct npu_import *import)
{
	struct str rest = import->torch, major = { 0 }, minor = { 0 };
	CLEANUP(buf_clear) struct buf version = BUF_INIT(64);
	bool xla = !at_least(import->torch, oldest_privateuse);

	str_cut(&rest, '.', &major);
	str_cut(&rest, '.', &minor);
	buf_printf(&version, "v%.*s.%.*s", STR_ARG(major), STR_ARG(minor));
	import->version = arena_keep(&import->text.arena, buf_str(&version));
	import->key = xla ? STR("XLA") : STR("PrivateUse1");
	import->custom_ns = xla ? STR("aten") : STR("npu");
}

static int read_inputs(struct npu_import *import)
{
	const struct import_options *options = import->options;
	int code = read_native(import);

	import->framework = (struct list){
		.sections = framework_sections, .origin = "npu_native_functions", .source = "npu-framework"
	};
	import->plugin = (struct list){ .sections = plugin_sections, .origin = "op_plugin", .source = "npu-op-plugin" };
	if (!code)
		code = read_list(import, &import->framework, options->framework);
	if (!code)
		code = read_list(import, &import->plugin, options->op_plugin);
	return code ? code : read_dialect(import);
}

static bool is_registered(void *context, struct str op)
{
	struct npu_import *import = context;

	return native_find(&import->native, op) || find_row(import, op, import->custom_ns.ptr, "") ||
	       find_row(import, op, import->custom_ns.ptr, "Autograd");
}

/* The formulas are not kept; they tell whether the lists are of one release. */
static int read_derivatives(struct npu_import *import, struct derivatives *ret)
{
	if (!import->options->derivatives)
		return 0;
	return derivatives_read(
		import->options->derivatives, &import->arena, import->version, is_registered, import, ret, import->err);
}

static void report_derivatives(
	const struct npu_import *import, const struct derivatives *derivatives, struct buf *report)
{
	if (!import->options->derivatives)
		return;
	buf_printf(
		report, "%zu formulas of gradients hold for %.*s\n", derivatives->formulas, STR_ARG(import->version));
	if (derivatives->unknown)
		buf_printf(report,
			"%zu of them are for operators that are not registered, the first is %s (line %zu)\n",
			derivatives->unknown, shown(derivatives->first_unknown).text, derivatives->first_line);
}

static int work_out(struct npu_import *import, struct buf *report)
{
	struct derivatives derivatives = { 0 };
	int code = add_list(import, &import->plugin);
	size_t kept;

	if (!code)
		code = add_list(import, &import->framework);
	if (code)
		return code;
	if (!str_eq(import->key, STR("XLA")))
		add_all_generated(import);
	keep_code_facts(import);
	kept = keep_code_rows(import);
	fill_release(import);
	code = read_derivatives(import, &derivatives);
	if (!code)
		code = release_text_end(&import->text, report, import->err);
	if (code)
		return code;
	buf_printf(report, "%zu registrations that only its C++ code has were kept\n", kept);
	report_derivatives(import, &derivatives, report);
	return 0;
}

int import_npu(const struct import_options *options, struct buf *report, struct err *err)
{
	struct npu_import import = { .options = options, .arena = ARENA_INIT(TREE_BYTES), .err = err };
	struct release_name name;
	int code = release_text_open(&import.text, TARGET_NPU, options, err);

	if (!code)
		code = read_name(options, &import.text.arena, &name, err);
	if (!code)
		code = release_text_begin(&import.text, name, err);
	if (!code) {
		import.torch = name.torch;
		set_version(&import);
		code = read_inputs(&import);
	}
	if (!code)
		code = work_out(&import, report);
	native_clear(&import.native);
	native_clear(&import.framework.symint);
	native_clear(&import.plugin.symint);
	release_text_clear(&import.text);
	arena_clear(&import.arena);
	return code;
}
