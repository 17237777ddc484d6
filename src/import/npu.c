/*
 * A release of torch_npu from its lists: npu_native_functions.yaml of the framework, op_plugin_functions.yaml of
 * op-plugin.
 *
 * op-plugin writes its list in one of two dialects: a list for one version of PyTorch, whose entries say `impl_ns`, or
 * one for many versions (all_version), whose entries say for which versions they have an `acl_op` or an `op_api`
 * kernel.
 */
#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "import/derivatives.h"
#include "import/npu_lists.h"

enum { TREE_BYTES = 512 * 1024 * 1024 };

/* Up to this plugin version the build reads the list of one version even where the other lies beside it. */
static const char newest_single[] = "6.0.rc2";

/* From this PyTorch on the plugin has a dispatch key and a namespace of its own. */
static const char oldest_privateuse[] = "2.1";

/* --- what the code generator registers by itself */

static const struct generated_row {
	const char *prefix, *origin, *status, *note, *source;
} shared_sparse = { "Sparse", "sparse-shared-generated", "native", "PyTorch device-agnostic sparse kernel",
	"npu-sparse" },
  slow_foreach = { "", "foreach-generated", "composite", "per-tensor slow path", "npu-foreach" };

/* Adds the row unless the plugin has a kernel of its own. */
static void add_generated(struct npu_import *import, struct str op, const struct generated_row *generated)
{
	struct npu_row_name name = { op, "aten", generated->prefix };
	struct listed *row;

	if (npu_find_row(import, &name))
		return;
	row = npu_add_row(import, &import->plugin, 0, &name, generated->origin);
	listed_set(&import->text, row, "origin", str_from(generated->origin));
	listed_set(&import->text, row, "status", str_from(generated->status));
	listed_set(&import->text, row, "note", str_from(generated->note));
	listed_set(&import->text, row, "source", release_text_source(&import->text, generated->source));
}

/* A generator that knows `sparse:` registers the sparse kernels that PyTorch's CPU and CUDA share, too; every generator
   for PrivateUse1 gives each _foreach_* with a CPU kernel the slow path if the plugin has none. */
static void add_all_generated(struct npu_import *import)
{
	for (size_t i = 0; i < import->native.count; i++) {
		const struct native_op *native = &import->native.items[i];
		struct str op = native->schema.op, cpu = native_kernel(native->entry, "SparseCPU"),
			   cuda = native_kernel(native->entry, "SparseCUDA");

		if (import->any_sparse && cpu.len && str_eq(cpu, cuda))
			add_generated(import, op, &shared_sparse);
		if (str_starts(op, STR("_foreach_")) && native_kernel(native->entry, "CPU").len)
			add_generated(import, op, &slow_foreach);
	}
}

/* --- what the lists do not say */

/* Facts from the C++ code, known from an earlier reading of it: kept. */
static void keep_code_facts(struct npu_import *import)
{
	struct release_text *text = &import->text;

	for (size_t i = 0; i < text->rows.count; i++) {
		struct listed *row = &text->rows.items[i];
		const struct listed *old = listed_like(&text->old, row);
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

	return str_eq(plugin, STR("dev")) ? npu_at_least(import->torch, "2.6") : npu_at_least(plugin, "26");
}

/* Columns of releases.tsv that follow from the lists, for a release that is new. */
static void fill_release(struct npu_import *import)
{
	struct release_text *text = &import->text;
	const struct import_options *options = import->options;
	bool xla = str_eq(import->key, STR("XLA"));
	struct str version = str_skip(import->version, 1), major = str_head(version, '.');
	struct str minor = str_skip(version, major.len + 1);

	if (options->plugin_commit.len)
		*release_text_field(text, "op_plugin") = options->plugin_commit;
	if (!text->is_new)
		return;
	*release_text_field(text,
		"op_plugin_yaml") = import->combined ? STR("op_plugin/config/op_plugin_functions.yaml")
						     : arena_printf(&text->arena,
							       "op_plugin/config/v%.*sr%.*s/op_plugin_functions.yaml",
							       STR_ARG(major), STR_ARG(minor));
	*release_text_field(text, "op_plugin_branch") = str_eq(text->name.plugin, STR("dev")) ? STR("master")
											      : text->name.plugin;
	if (!options->plugin_commit.len)
		*release_text_field(text, "op_plugin") = *release_text_field(text, "op_plugin_branch");
	*release_text_field(text, "codegen") = has_torchnpugen(import) ? STR("torchnpugen") : STR("codegen");
	*release_text_field(text, "key") = import->key;
	*release_text_field(text, "custom_ns") = import->custom_ns;
	*release_text_field(text, "fallback") = xla ? STR("listed") : STR("boxed");
	*release_text_field(text, "list") = release_text_source(text, "npu-op-plugin");
}

/* --- reading */

static int read_native(struct npu_import *import)
{
	struct input *input = arena_alloc(&import->arena, sizeof(*input));
	int code = input_read(import->options->native_functions, &import->arena, input, import->err);

	return code ? code : native_read(input, &import->arena, &import->native, import->err);
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
	if (!is_version_text(read.name))
		return err_set(err, ERR_VALUE, "'%s' is no name of a release", shown(given).text);
	*ret = read;
	return 0;
}

static void set_version(struct npu_import *import)
{
	struct str rest = import->torch, major = { 0 }, minor = { 0 };
	bool xla = !npu_at_least(import->torch, oldest_privateuse);

	str_cut(&rest, '.', &major);
	str_cut(&rest, '.', &minor);
	import->version = arena_printf(&import->text.arena, "v%.*s.%.*s", STR_ARG(major), STR_ARG(minor));
	import->key = xla ? STR("XLA") : STR("PrivateUse1");
	import->custom_ns = xla ? STR("aten") : STR("npu");
}

static int read_inputs(struct npu_import *import)
{
	const struct import_options *options = import->options;
	int code = read_native(import);

	import->framework = (struct list){
		.sections = npu_framework_sections, .origin = "npu_native_functions", .source = "npu-framework"
	};
	import->plugin = (struct list){
		.sections = npu_plugin_sections, .origin = "op_plugin", .source = "npu-op-plugin"
	};
	if (!code)
		code = tree_load(options->framework, &import->arena, &import->framework.input, &import->framework.root,
			import->err);
	if (!code)
		code = tree_load(
			options->op_plugin, &import->arena, &import->plugin.input, &import->plugin.root, import->err);
	return code ? code : read_dialect(import);
}

static bool is_registered(void *context, struct str op)
{
	struct npu_import *import = context;

	return native_find(&import->native, op) ||
	       npu_find_row(import, &(struct npu_row_name){ op, import->custom_ns.ptr, "" }) ||
	       npu_find_row(import, &(struct npu_row_name){ op, import->custom_ns.ptr, "Autograd" });
}

static void report_derivatives(const struct derivatives *derivatives, struct buf *report)
{
	buf_printf(report, "%zu formulas of gradients hold for %.*s\n", derivatives->formulas,
		STR_ARG(derivatives->version));
	if (derivatives->unknown)
		buf_printf(report,
			"%zu of them are for operators that are not registered, the first is %s (line %zu)\n",
			derivatives->unknown, shown(derivatives->first_unknown).text, derivatives->first_line);
}

static int work_out(struct npu_import *import, struct buf *report)
{
	struct derivatives derivatives = { .version = import->version, .is_known = is_registered, .context = import };
	const char *formulas = import->options->derivatives; /* they tell whether the lists are of one release */
	int code = npu_add_list(import, &import->plugin);
	size_t kept;

	if (!code)
		code = npu_add_list(import, &import->framework);
	if (code)
		return code;
	if (!str_eq(import->key, STR("XLA")))
		add_all_generated(import);
	keep_code_facts(import);
	kept = keep_code_rows(import);
	fill_release(import);
	code = formulas ? derivatives_read(formulas, &import->arena, &derivatives, import->err) : 0;
	if (!code)
		code = release_text_end(&import->text, report, import->err);
	if (code)
		return code;
	buf_printf(report, "%zu registrations that only its C++ code has were kept\n", kept);
	if (formulas)
		report_derivatives(&derivatives, report);
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
