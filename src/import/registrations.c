#include "import/registrations.h"

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/utf8.h"
#include "base/value/version.h"
#include "base/view/ascii.h"
#include "import/release_text.h"
#include "op/schema.h"

enum { FILE_BYTES = 512 * 1024 * 1024, KEY_BYTES = 96 };

static const char first_line[] = "# opcheck registrations 1";
static const char source_name[] = "dispatcher";

enum word { WORD_TARGET, WORD_TORCH, WORD_PLUGIN, WORD_SDK, WORD_SOC, WORD_DEVICE, WORD_FALLBACK, WORD_DATE, WORDS };

static const struct {
	const char *name;
	bool needed;
} words[WORDS] = {
	[WORD_TARGET] = { "target", true },
	[WORD_TORCH] = { "torch", true },
	[WORD_PLUGIN] = { "plugin", true },
	[WORD_SDK] = { "sdk" },
	[WORD_SOC] = { "soc" },
	[WORD_DEVICE] = { "device", true },
	[WORD_FALLBACK] = { "fallback", true },
	[WORD_DATE] = { "date" },
};

/* Prefixes of the device's name in its dispatch keys. */
static const char *const prefixes[] = { "", "Autograd", "Autocast", "Sparse", "SparseCsr", "Quantized",
	"NestedTensor" };

struct machine {
	const struct import_options *options;
	struct arena arena;
	struct input input;
	struct str rest; /* from the first operator on */
	size_t line;     /* before rest */
	struct str values[WORDS];
	size_t lines[WORDS]; /* 0: not there */
	enum target_kind target;
	struct release_text text;
	struct err *err;
};

static int wrong(const struct machine *machine, size_t line, const char *what, struct str value)
{
	return input_error(&machine->input, line, machine->err, "%s: \"%s\"", translated(what), shown(value).text);
}

static int take_word(struct machine *machine, struct str word, struct str value)
{
	size_t at = 0;

	while (at < WORDS && !str_eq(word, str_from(words[at].name)))
		at++;
	if (at == WORDS)
		return wrong(machine, machine->line, "unknown word", word);
	if (machine->lines[at])
		return wrong(machine, machine->line, "this word exists already", word);
	if (str_trim(value).len != value.len || value.len > KEY_BYTES)
		return wrong(machine, machine->line, "a value is padded or too long", value);
	machine->lines[at] = machine->line;
	machine->values[at] = value;
	return 0;
}

/* The lines before the first operator. */
static int read_words(struct machine *machine)
{
	struct str rest = machine->input.text, line = { 0 }, word = { 0 };
	int code = 0;

	if (!str_cut(&rest, '\n', &line) || !str_eq(line, str_from(first_line)))
		return input_error(&machine->input, 1, machine->err, "the first line must be \"%s\"", first_line);
	machine->line = 1;
	while (!code) {
		machine->rest = rest;
		if (!rest.len || !str_cut(&rest, '\n', &line) || str_starts(line, STR("op\t")))
			break;
		machine->line++;
		str_cut(&line, '\t', &word);
		code = take_word(machine, word, line.ptr ? line : STR(""));
	}
	for (size_t i = 0; i < WORDS && !code; i++) {
		if (words[i].needed && !machine->values[i].len)
			code = wrong(machine, machine->line, "a word is missing or empty", str_from(words[i].name));
	}
	return code;
}

static bool is_key(struct str text)
{
	return text.len > 0 && text.len < KEY_BYTES / 2 && str_is_word(text, "");
}

static bool is_version(struct str text)
{
	return text.len > 0 && is_digit(text.ptr[0]) && str_is_word(text, ".-+");
}

static bool is_switch(struct str text)
{
	return str_has_word(STR("0 1"), text);
}

static int check_words(struct machine *machine)
{
	static const struct {
		enum word word;
		bool (*fits)(struct str value);
		const char *what;
	} checks[] = {
		{ WORD_DEVICE, is_key, "this is not a dispatch key" },
		{ WORD_TORCH, is_version, "this is no version" },
		{ WORD_PLUGIN, is_version, "this is no version" },
		{ WORD_FALLBACK, is_switch, "neither 0 nor 1" },
	};
	struct str target = machine->values[WORD_TARGET];
	struct str given = machine->options->as;

	if (!given.len && str_eq(target, STR("cpu"))) {
		input_error(&machine->input, machine->lines[WORD_TARGET], machine->err,
			"this machine has neither torch_npu nor torch_musa");
		return err_hint(
			machine->err, "--as npu or --as musa takes its CPU for that device, to try the import out");
	}
	if (!target_kind_from(given.len ? given : target, &machine->target))
		return wrong(machine, machine->lines[WORD_TARGET], "unknown target", given.len ? given : target);
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		enum word word = checks[i].word;

		if (!checks[i].fits(machine->values[word]))
			return wrong(machine, machine->lines[word], checks[i].what, machine->values[word]);
	}
	return 0;
}

/* --- operators */

/* The key of the fact text for a key of this device; {NULL} for the key of another one. */
static struct str text_key(const struct machine *machine, struct str key, char buffer[KEY_BYTES])
{
	struct str device = machine->values[WORD_DEVICE];
	struct str name = *table_cell(&machine->text.releases, machine->text.place, "key");

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		struct str prefix = str_from(prefixes[i]);

		if (str_starts(key, prefix) && str_eq(str_skip(key, prefix.len), device)) {
			snprintf(buffer, KEY_BYTES, "%s%.*s", prefixes[i], STR_ARG(name));
			return str_from(buffer);
		}
	}
	return (struct str){ 0 };
}

static int add_registration(struct machine *machine, struct str ns, struct str op, struct str key)
{
	struct release_text *text = &machine->text;
	struct listed *row;
	char buffer[KEY_BYTES];
	struct str known;

	if (!is_key(key))
		return wrong(machine, machine->line, "this is not a dispatch key", key);
	known = text_key(machine, key, buffer);
	if (!known.ptr)
		return 0;
	row = listed_find(&text->rows, ns, op, known);
	if (row)
		return input_error(&machine->input, machine->line, machine->err, "repeats the registration of line %zu",
			row->line);
	row = release_text_add(text, ns, op, known);
	row->line = machine->line;
	listed_set(text, row, "origin", STR("dispatcher"));
	listed_set(text, row, "status", STR("native"));
	listed_set(text, row, "note", machine->values[WORD_SOC]);
	listed_set(text, row, "source", str_from(source_name));
	return 0;
}

/* "op", the operator, its keys joined by blanks. */
static int take_operator(struct machine *machine, struct str line)
{
	struct str word = { 0 }, name = { 0 }, keys = { 0 }, key;
	size_t colons;
	int code = 0;

	str_cut(&line, '\t', &word);
	if (!str_eq(word, STR("op")) || !str_cut(&line, '\t', &name) || !str_cut(&line, '\t', &keys) || line.ptr)
		return wrong(machine, machine->line, "expected \"op\", an operator and its keys", word);
	colons = str_find(name, STR("::"));
	if (colons == STR_NONE || !is_key(str_sub(name, 0, colons)) || !schema_is_name(str_skip(name, colons + 2)))
		return wrong(machine, machine->line, "this is not an operator with its namespace", name);
	while (keys.len && !code && str_cut(&keys, ' ', &key))
		code = add_registration(machine, str_sub(name, 0, colons), str_skip(name, colons + 2), key);
	return code;
}

static int read_operators(struct machine *machine)
{
	struct str rest = machine->rest, line = { 0 };
	int code = 0;

	while (!code && rest.len && str_cut(&rest, '\n', &line)) {
		machine->line++;
		code = take_operator(machine, line);
	}
	if (!code && !machine->text.rows.count)
		code = input_error(&machine->input, 0, machine->err, "no operator has a kernel for \"%s\"",
			shown(machine->values[WORD_DEVICE]).text);
	return code;
}

/* --- the release */

/* The universe of this PyTorch: its own, or that of another patch version of the same minor one. */
static struct str universe_of(const struct machine *machine)
{
	struct str given = str_head(machine->values[WORD_TORCH], '+'), best = given; /* "2.7.1" of "2.7.1+cpu" */
	const struct table *torch = &machine->text.torch;

	if (table_find(torch, "version", given) != TABLE_NONE)
		return given;
	for (size_t i = 0; i < torch->count; i++) {
		struct str version = *table_cell(torch, i, "version"), rest = version, major = { 0 }, minor = { 0 };
		size_t len;

		str_cut(&rest, '.', &major);
		str_cut(&rest, '.', &minor);
		len = (size_t)(minor.ptr + minor.len - version.ptr);
		if (str_starts(given, str_sub(version, 0, len)) && (given.len == len || !is_digit(given.ptr[len])))
			best = version;
	}
	return best;
}

static struct release_name name_of(struct machine *machine)
{
	struct str given = machine->options->release, plugin = str_head(machine->values[WORD_PLUGIN], '+');
	struct str name = given.len ? given : arena_printf(&machine->text.arena, "%.*s+local", STR_ARG(plugin));

	return (struct release_name){
		.name = name, .ref = name, .torch = universe_of(machine), .plugin = name, .kind = STR("dev")
	};
}

/* Source of the facts: the call that lists the dispatcher's registrations. */
static void add_source(struct machine *machine)
{
	struct table *sources = &machine->text.sources;
	size_t row = 0;

	if (table_find(sources, "source", str_from(source_name)) != TABLE_NONE)
		return;
	while (row < sources->count && str_cmp(sources->items[row].cells[0], str_from(source_name)) < 0)
		row++;
	table_insert(sources, row, &machine->text.arena);
	*table_cell(sources, row, "source") = str_from(source_name);
	*table_cell(sources, row, "target") = STR("any");
	*table_cell(sources, row, "repository") = STR("https://github.com/pytorch/pytorch");
	*table_cell(sources, row, "ref") = STR("main");
	*table_cell(sources, row, "path") = STR("torch/csrc/utils/python_dispatch.cpp");
	*table_cell(sources, row, "kind") = STR("source");
	*table_cell(sources, row, "remark") = STR(
		"asked on a machine with the fragment of opcheck snippet --registrations");
}

/* The version of CANN belongs to the table of installed versions. */
static void add_sdk(struct machine *machine)
{
	struct table *versions = &machine->text.versions;
	struct str name = machine->text.name.name;
	ptrdiff_t row = versions->width ? table_find(versions, "release", name) : TABLE_NONE;

	if (!versions->width || !machine->values[WORD_SDK].len)
		return;
	if (row == TABLE_NONE) {
		row = (ptrdiff_t)versions->count;
		while (row &&
			version_cmp(*table_cell(versions, (size_t)row - 1, "torch"), machine->text.name.torch) > 0)
			row--;
		table_insert(versions, (size_t)row, &machine->text.arena);
	}
	*table_cell(versions, (size_t)row, "torch") = machine->text.name.torch;
	*table_cell(versions, (size_t)row, "pip") = name;
	*table_cell(versions, (size_t)row, "cann") = machine->values[WORD_SDK];
	*table_cell(versions, (size_t)row, "release") = name;
	*table_cell(versions, (size_t)row, "source") = str_from(source_name);
}

static int begin_machine(struct machine *machine)
{
	struct release_text *text = &machine->text;
	bool xla = machine->target == TARGET_NPU;
	struct release_name name;
	int code = release_text_open(text, machine->target, machine->options, machine->err);

	if (code)
		return code;
	name = name_of(machine);
	if (str_find(name.name, STR("+")) == STR_NONE || !is_version(name.name)) {
		err_set(machine->err, ERR_VALUE, "'%s' is not the name of a machine's release", shown(name.name).text);
		return err_hint(machine->err, "for example --release 2.7.1.post4+local");
	}
	code = release_text_begin(text, name, machine->err);
	if (code)
		return code;
	add_source(machine);
	xla = xla && version_cmp(name.torch, STR("2.1")) < 0;
	*release_text_field(text, "key") = xla ? STR("XLA") : STR("PrivateUse1");
	*release_text_field(text, "fallback") = str_eq(machine->values[WORD_FALLBACK], STR("1")) ? STR("boxed")
												 : STR("none");
	*release_text_field(text, "list") = str_from(source_name);
	if (machine->target == TARGET_NPU)
		*release_text_field(text, "custom_ns") = xla ? STR("aten") : STR("npu");
	add_sdk(machine);
	return 0;
}

static int work_out(struct machine *machine, struct import_options *options, struct buf *report)
{
	int code = read_words(machine);

	if (!code)
		code = check_words(machine);
	if (!code && !options->date.len)
		options->date = machine->values[WORD_DATE];
	if (!code)
		code = begin_machine(machine);
	if (!code)
		code = read_operators(machine);
	return code ? code : release_text_end(&machine->text, report, machine->err);
}

int import_registrations(const struct import_options *options, const char *path, struct buf *report, struct err *err)
{
	struct import_options dated = *options;
	struct machine machine = { .options = &dated, .arena = ARENA_INIT(FILE_BYTES), .err = err };
	int code = input_read(path, &machine.arena, &machine.input, err);

	if (!code)
		code = work_out(&machine, &dated, report);
	release_text_clear(&machine.text);
	arena_clear(&machine.arena);
	return code;
}
