#include "opdb/db/facts.h"

#include <stdlib.h>

#include "base/memory/buf.h"
#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "opdb/db/lists.h"
#include "opdb/db/row.h"
#include "opdb/model/answer.h"
#include "opdb/model/dtype.h"

/* No name has nearly as many facts; a file that says so would cost time without end. */
enum { NAME_ROWS = 4096 };

/* Lists keep the order of the rows. */
#define APPEND(list, item)                                                                                             \
	do {                                                                                                           \
		typeof(list) *end = &(list);                                                                           \
		while (*end)                                                                                           \
			end = &(*end)->next;                                                                           \
		*end = (item);                                                                                         \
	} while (0)

static const struct str overload_kinds[] = { STR("functional"), STR("inplace"), STR("out"), STR("mutable") };
static const struct str kernel_statuses[] = { STR("native"), STR("native-jit"), STR("composite"), STR("cpu-fallback"),
	STR("blocked"), STR("fallthrough") };

void facts_clear(struct facts *facts)
{
	free(facts->items);
	map_clear(&facts->map);
}

const struct overload *facts_overload(const struct name_facts *name, struct str op)
{
	for (const struct overload *at = name->overloads; at; at = at->next) {
		if (str_eq(at->op, op))
			return at;
	}
	return NULL;
}

/* The overload that a row is about, added at the end when it is new. NULL when the arena is full. */
static struct overload *overload_for(struct name_facts *name, struct str op, struct row *row)
{
	struct overload **at = &name->overloads;

	while (*at && !str_eq((*at)->op, op))
		at = &(*at)->next;
	if (*at)
		return *at;
	*at = row_alloc(row, sizeof(**at));
	if (*at) {
		(*at)->op = op;
		(*at)->overload = overload_of(op);
	}
	return *at;
}

static void load_torch_fact(struct name_facts *name, struct row *row)
{
	struct overload *op = overload_for(name, row_text(row), row);
	struct torch_fact *fact = row_alloc(row, sizeof(*fact));
	size_t places = row->db->torch.count;

	if (!op || !fact)
		return;
	fact->first = row_number(row, places);
	fact->last = row_number(row, places);
	fact->kind = row_word(row, overload_kinds, ARRAY_SIZE(overload_kinds));
	if (!words_bits(&has_words, row_text(row), &fact->has))
		row->damaged = true;
	fact->structured_delegate = row_text(row);
	fact->autogen_of = row_text(row);
	fact->tags = row_text(row);
	fact->keys = row_text(row);
	if (str_has(fact->keys, STR("SparseCPU")) || str_has(fact->keys, STR("SparseCUDA")))
		fact->layouts |= LAYOUT_SPARSE;
	if (str_has(fact->keys, STR("SparseCsr")))
		fact->layouts |= LAYOUT_SPARSE_CSR;
	APPEND(op->torch, fact);
}

static void load_signature(struct name_facts *name, struct row *row)
{
	struct overload *op = overload_for(name, row_text(row), row);
	struct signature *signature = row_alloc(row, sizeof(*signature));
	size_t places = row->db->torch.count;

	if (!op || !signature)
		return;
	signature->first = row_number(row, places);
	signature->last = row_number(row, places);
	signature->text = row_text(row);
	signature->dimname = str_has(signature->text, STR("Dimname"));
	APPEND(op->signatures, signature);
}

static enum kernel_key kernel_key_from(struct str key)
{
	static const struct {
		struct str text;
		enum kernel_key key;
	} keys[] = {
		{ STR("PrivateUse1"), KEY_PRIVATEUSE1 },
		{ STR("XLA"), KEY_XLA },
		{ STR("AutogradPrivateUse1"), KEY_AUTOGRAD_PRIVATEUSE1 },
		{ STR("AutogradXLA"), KEY_AUTOGRAD_XLA },
		{ STR("schema-only"), KEY_SCHEMA_ONLY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (str_eq(key, keys[i].text))
			return keys[i].key;
	}
	return str_ends(key, STR("PrivateUse1")) && !str_starts(key, STR("Autocast")) ? KEY_VARIANT : KEY_OTHER;
}

static unsigned layout_from(struct str key)
{
	if (str_starts(key, STR("SparseCsr")))
		return LAYOUT_SPARSE_CSR;
	return str_starts(key, STR("Sparse")) ? LAYOUT_SPARSE : 0;
}

static void load_kernel(struct name_facts *name, struct row *row)
{
	struct overload *op = overload_for(name, row_text(row), row);
	struct kernel *kernel = row_alloc(row, sizeof(*kernel));
	struct str key;

	if (!op || !kernel)
		return;
	kernel->target = row_word(row, target_names, TARGET_COUNT);
	key = row_text(row);
	kernel->key = kernel_key_from(key);
	kernel->layout = layout_from(key);
	kernel->first = row_number(row, row->db->releases.count);
	kernel->last = row_number(row, row->db->releases.count);
	kernel->status = row_word(row, kernel_statuses, ARRAY_SIZE(kernel_statuses));
	kernel->origin = row_text(row);
	kernel->acl_op = str_eq(row_text(row), STR("1"));
	kernel->op_api = str_eq(row_text(row), STR("1"));
	kernel->acl_wrapper = str_eq(row_text(row), STR("0"));
	kernel->host_path = row_text(row);
	kernel->note = row_text(row);
	kernel->structured = str_has(kernel->note, STR("structured group"));
	kernel->source = row_id(row, row->db->sources.count);
	APPEND(op->kernels, kernel);
}

static bool known_at(const struct overload *op, const struct overload *end, unsigned torch_place)
{
	while (op != end && !torch_fact_at(op, torch_place))
		op = op->next;
	return op != end;
}

bool facts_known_in(struct facts *facts, const struct overload *op, const struct overload *end, struct str *ret)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(facts->arena->max_bytes);
	const struct torch_version *versions = facts->db->torch.items;
	unsigned count = (unsigned)facts->db->torch.count, last;

	for (unsigned first = 0; first < count; first = last + 1) {
		last = first;
		if (!known_at(op, end, first))
			continue;
		while (last + 1 < count && known_at(op, end, last + 1))
			last++;
		buf_printf(&text, "%s%.*s", text.len ? " " : "", STR_ARG(versions[first].version));
		if (last > first)
			buf_printf(&text, "..%.*s", STR_ARG(versions[last].version));
	}
	return arena_copy(facts->arena, buf_str(&text), ret);
}

static void load_package(struct name_facts *name, struct row *row)
{
	struct package_kernel *kernel = row_alloc(row, sizeof(*kernel));

	if (!kernel)
		return;
	kernel->target = row_word(row, target_names, TARGET_COUNT);
	kernel->package = row_text(row);
	kernel->path = row_text(row);
	kernel->refs = row_text(row);
	kernel->source = row_id(row, row->db->sources.count);
	APPEND(name->packages, kernel);
}

static void load_leaf(struct name_facts *name, struct row *row)
{
	struct leaf *leaf = row_alloc(row, sizeof(*leaf));

	if (!leaf)
		return;
	leaf->op = row_text(row);
	leaf->calls = row_text(row);
	leaf->next = name->leaves;
	name->leaves = leaf;
	if (!name->calls)
		name->calls = row_alloc(row, sizeof(*name->calls));
}

static void load_gradient(struct name_facts *name, struct row *row)
{
	struct gradient *gradient = row_alloc(row, sizeof(*gradient));

	if (!gradient)
		return;
	gradient->first = row_number(row, row->db->torch.count);
	gradient->last = row_number(row, row->db->torch.count);
	gradient->calls = row_text(row);
	gradient->next = name->gradients;
	name->gradients = gradient;
}

static void load_unit(struct name_facts *name, struct row *row)
{
	struct unit_fact *fact = row_alloc(row, sizeof(*fact));

	if (!fact)
		return;
	fact->op = row_text(row);
	fact->unit = row_word(row, unit_words.items, unit_words.count);
	fact->dtypes = row_number(row, 1u << DTYPE_COUNT);
	fact->chips = row_number(row, UINT32_MAX);
	fact->kernels = row_text(row);
	fact->note = row_text(row);
	fact->first = row_number(row, row->db->cann.count);
	fact->last = row_number(row, row->db->cann.count);
	fact->next = name->units->items;
	name->units->items = fact;
}

static void load_call(struct name_facts *name, struct row *row)
{
	struct cann_call *call = row_alloc(row, sizeof(*call));

	if (!call)
		return;
	call->op = row_text(row);
	call->call = row_text(row);
	call->path = row_text(row);
	call->plugin = row_text(row);
	call->source = row_id(row, row->db->sources.count);
	call->code = row_text(row);
	call->ref = row_text(row);
	call->code_source = row_id(row, row->db->sources.count);
	APPEND(name->units->calls, call);
}

static void load_cast(struct name_facts *name, struct row *row)
{
	struct npu_cast *cast = row_alloc(row, sizeof(*cast));

	if (!cast)
		return;
	cast->acl_op = str_eq(row_text(row), STR("acl_op"));
	cast->argument = row_text(row);
	cast->dtypes = row_number(row, 1u << DTYPE_COUNT);
	cast->becomes = row_text(row);
	cast->path = row_text(row);
	cast->plugin = row_text(row);
	cast->source = row_id(row, row->db->sources.count);
	cast->first = row_number(row, row->db->cann.count);
	cast->last = row_number(row, row->db->cann.count);
	APPEND(name->units->casts, cast);
}

/* "bool uint8 cast to int32; Ascend950 also fp64 uint64": the types behind `also`. */
static unsigned types_of_newest_chip(struct str note)
{
	static const struct str also = { "Ascend950 also ", 15 };
	size_t at = str_find(note, also);
	struct str list;
	unsigned types = 0;

	if (at == STR_NONE)
		return 0;
	note = str_skip(note, at + also.len);
	str_cut(&note, ';', &list);
	return dtypes_from(list, &types) ? types : 0;
}

static void load_collective(struct name_facts *name, struct row *row)
{
	static const struct str answers[] = { STR("0"), STR("1") };
	struct collective_fact *fact = row_alloc(row, sizeof(*fact));

	if (!fact)
		return;
	fact->target = row_word(row, target_names, TARGET_COUNT);
	fact->reduce_op = row_text(row);
	row->damaged |= !dtypes_from(row_text(row), &fact->dtypes);
	fact->supported = row_word(row, answers, ARRAY_SIZE(answers));
	fact->note = row_text(row);
	fact->newest_chip = types_of_newest_chip(fact->note);
	fact->path = row_text(row);
	fact->source = row_id(row, row->db->sources.count);
	fact->first = row_number(row, row->db->releases.count);
	fact->last = row_number(row, row->db->releases.count);
	fact->name = row_text(row);
	APPEND(name->collectives, fact);
}

static void load_package_fact(struct name_facts *name, struct row *row)
{
	static const struct str words[] = { STR("there"), STR("removed") };
	struct package_fact *fact = row_alloc(row, sizeof(*fact));

	if (!fact)
		return;
	fact->target = row_word(row, target_names, TARGET_COUNT);
	fact->package = row_text(row);
	fact->argument = row_text(row);
	fact->since = row_text(row);
	fact->last = row_text(row);
	row->damaged |= !dtypes_from(row_text(row), &fact->takes);
	row->damaged |= !dtypes_from(row_text(row), &fact->refuses);
	row->damaged |= !dtypes_from(row_text(row), &fact->skips);
	fact->how = row_text(row);
	fact->note = row_text(row);
	fact->path = row_text(row);
	fact->installs = row_text(row);
	fact->removed = row_word(row, words, ARRAY_SIZE(words));
	fact->source = row_id(row, row->db->sources.count);
	APPEND(name->package_facts, fact);
}

static void load_argument_limit(struct name_facts *name, struct row *row)
{
	static const struct str spans[] = { STR("cann"), STR("release") };
	struct argument_limit *limit = row_alloc(row, sizeof(*limit));
	size_t places;

	if (!limit)
		return;
	limit->target = row_word(row, target_names, TARGET_COUNT);
	limit->op = row_text(row);
	limit->test = row_text(row);
	limit->en = row_text(row);
	limit->zh = row_text(row);
	limit->chips = row_number(row, UINT32_MAX);
	limit->path = row_text(row);
	limit->ref = row_text(row);
	limit->source = row_id(row, row->db->sources.count);
	limit->by_release = row_word(row, spans, ARRAY_SIZE(spans));
	places = limit->by_release ? row->db->releases.count : row->db->cann.count;
	limit->first = row_number(row, places);
	limit->last = row_number(row, places);
	APPEND(name->arguments, limit);
}

/* Queries for a name. PyTorch's tables have aten alone, packages the rest. */
static const struct name_table {
	enum query query;
	bool aten, others;
	bool by_namespace;
	void (*load)(struct name_facts *, struct row *);
	void (*load_note)(struct note **, struct row *); /* instead */
} tables[] = {
	{ QUERY_UNIVERSE, true, false, false, load_torch_fact, NULL },
	{ QUERY_SIGNATURES, true, false, false, load_signature, NULL },
	{ QUERY_SUPPORT, true, true, true, load_kernel, NULL },
	{ QUERY_PACKAGES, false, true, true, load_package, NULL },
	{ QUERY_REPORTED, true, true, true, NULL, note_load_report },
	{ QUERY_APIS, true, false, false, NULL, note_load_api },
	{ QUERY_KERNEL_TYPES, true, false, false, NULL, note_load_types },
	{ QUERY_AUTOCAST, true, false, false, NULL, note_load_autocast },
	{ QUERY_LEAVES, true, false, false, load_leaf, NULL },
	{ QUERY_GRADIENTS, true, false, false, load_gradient, NULL },
	{ QUERY_CHIPS, true, true, false, NULL, note_load_chip },
	{ QUERY_KERNEL_LIMITS, true, false, false, NULL, note_load_limit },
	{ QUERY_TESTED_TYPES, true, false, false, NULL, note_load_tested },
	{ QUERY_COLLECTIVES, false, true, true, load_collective, NULL },
	{ QUERY_PACKAGE_OPS, false, true, true, load_package_fact, NULL },
	{ QUERY_ARGUMENTS, true, true, false, load_argument_limit, NULL },
},
  unit_table = { QUERY_UNITS, true, true, false, load_unit, NULL },
  call_table = { QUERY_CANN_CALLS, true, true, false, load_call, NULL },
  cast_table = { QUERY_CASTS, true, true, false, load_cast, NULL };

static int load_rows(struct facts *facts, struct name_facts *name, const struct name_table *table, struct err *err)
{
	struct row row = row_begin(facts->db, table->query, facts->arena);
	int more, parameter = 1;

	if (table->by_namespace)
		row_bind_text(&row, parameter++, name->ns);
	row_bind_text(&row, parameter, name->base);
	for (size_t rows = 0; (more = row_next(&row, err)) > 0; rows++) {
		if (rows == NAME_ROWS)
			row.damaged = true;
		else if (table->load)
			table->load(name, &row);
		else
			table->load_note(&name->notes, &row);
	}
	return more;
}

static int load_name(struct facts *facts, struct name_facts *name, struct err *err)
{
	int code = 0;

	for (size_t i = 0; i < ARRAY_SIZE(tables) && !code; i++) {
		if (name->aten ? tables[i].aten : tables[i].others)
			code = load_rows(facts, name, &tables[i], err);
	}
	if (code)
		return code;
	if (name->aten)
		name->special = special_find(facts->db, name->base);
	return facts_known_in(facts, name->overloads, NULL, &name->known_in)
		       ? 0
		       : err_set(err, ERR_LIMIT, "the facts take too much memory");
}

int facts_units(struct facts *facts, const struct name_facts *name, bool calls, struct err *err)
{
	struct name_facts known = *name; /* the lists belong to its units */
	int code = 0;

	if (!name->units->read)
		code = load_rows(facts, &known, &unit_table, err);
	name->units->read |= !code;
	if (!code && calls && !name->units->calls_read)
		code = load_rows(facts, &known, &call_table, err);
	if (!code && calls && !name->units->calls_read)
		code = load_rows(facts, &known, &cast_table, err);
	name->units->calls_read |= !code && calls;
	facts->watch.units |= name->units->items != NULL;
	return code;
}

void facts_watch(struct facts *facts, const struct name_facts *name)
{
	struct watch *watch = &facts->watch;

	if (!watch->on)
		return;
	for (size_t i = 0; i < watch->count; i++) {
		if (watch->names[i] == name)
			return;
	}
	watch->full |= watch->count == ARRAY_SIZE(watch->names);
	if (!watch->full)
		watch->names[watch->count++] = name;
}

int facts_get(struct facts *facts, struct str ns, struct str base, const struct name_facts **ret, struct err *err)
{
	uint64_t hash = hash_str(hash_str(hash_seed(), ns), base);
	struct map_cursor at = map_start(&facts->map, hash);
	struct name_facts *name;
	int code;

	while (map_next(&facts->map, &at)) {
		*ret = facts->items[at.index];
		if (!str_eq((*ret)->base, base) || !str_eq((*ret)->ns, ns))
			continue;
		facts_watch(facts, *ret);
		return 0;
	}
	name = arena_alloc(facts->arena, sizeof(*name));
	if (!name || !arena_copy(facts->arena, ns, &name->ns) || !arena_copy(facts->arena, base, &name->base))
		return err_set(err, ERR_LIMIT, "the facts take too much memory");
	name->aten = str_eq(ns, STR("aten"));
	name->units = arena_alloc(facts->arena, sizeof(*name->units));
	if (!name->units)
		return err_set(err, ERR_LIMIT, "the facts take too much memory");
	code = load_name(facts, name, err);
	if (code)
		return code;
	map_add(&facts->map, hash, (uint32_t)facts->count);
	MEM_PUSH(facts, name);
	facts_watch(facts, name);
	*ret = name;
	return 0;
}
