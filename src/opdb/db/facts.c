#include "opdb/db/facts.h"

#include <stdlib.h>

#include "base/memory/buf.h"
#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "opdb/db/fact_rows.h"
#include "opdb/db/lists.h"
#include "opdb/db/queries.h"
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

static void take_torch_fact(struct name_facts *name, struct row *row, const void *item)
{
	const struct torch_row *read = item;
	struct overload *op = overload_for(name, read->op, row);
	struct torch_fact *fact = row_keep(row, &read->fact, sizeof(*fact));

	if (!op || !fact)
		return;
	row->damaged |= !words_bits(&has_words, read->has, &fact->has);
	if (str_has(fact->keys, STR("SparseCPU")) || str_has(fact->keys, STR("SparseCUDA")))
		fact->layouts |= LAYOUT_SPARSE;
	if (str_has(fact->keys, STR("SparseCsr")))
		fact->layouts |= LAYOUT_SPARSE_CSR;
	APPEND(op->torch, fact);
}

static void take_signature(struct name_facts *name, struct row *row, const void *item)
{
	const struct signature_row *read = item;
	struct overload *op = overload_for(name, read->op, row);
	struct signature *signature = row_keep(row, &read->signature, sizeof(*signature));

	if (!op || !signature)
		return;
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

static void take_kernel(struct name_facts *name, struct row *row, const void *item)
{
	const struct kernel_row *read = item;
	struct overload *op = overload_for(name, read->op, row);
	struct kernel *kernel = row_keep(row, &read->kernel, sizeof(*kernel));

	if (!op || !kernel)
		return;
	kernel->key = kernel_key_from(read->key);
	kernel->layout = str_starts(read->key, STR("SparseCsr")) ? LAYOUT_SPARSE_CSR
			 : str_starts(read->key, STR("Sparse"))  ? LAYOUT_SPARSE
								 : 0;
	kernel->acl_op = str_eq(read->acl_op, STR("1"));
	kernel->op_api = str_eq(read->op_api, STR("1"));
	kernel->acl_wrapper = str_eq(read->acl_launch, STR("0"));
	kernel->structured = str_has(kernel->note, STR("structured group"));
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

static void take_package(struct name_facts *name, struct row *row, const void *item)
{
	struct package_kernel *kernel = row_keep(row, item, sizeof(*kernel));

	if (kernel)
		APPEND(name->packages, kernel);
}

static void take_leaf(struct name_facts *name, struct row *row, const void *item)
{
	struct leaf *leaf = row_keep(row, item, sizeof(*leaf));

	if (!leaf)
		return;
	leaf->next = name->leaves;
	name->leaves = leaf;
	if (!name->calls)
		name->calls = row_alloc(row, sizeof(*name->calls));
}

static void take_gradient(struct name_facts *name, struct row *row, const void *item)
{
	struct gradient *gradient = row_keep(row, item, sizeof(*gradient));

	if (!gradient)
		return;
	gradient->next = name->gradients;
	name->gradients = gradient;
}

static void take_unit(struct name_facts *name, struct row *row, const void *item)
{
	struct unit_fact *fact = row_keep(row, item, sizeof(*fact));

	if (!fact)
		return;
	fact->next = name->units->items;
	name->units->items = fact;
}

static void take_call(struct name_facts *name, struct row *row, const void *item)
{
	struct cann_call *call = row_keep(row, item, sizeof(*call));

	if (call)
		APPEND(name->units->calls, call);
}

static void take_cast(struct name_facts *name, struct row *row, const void *item)
{
	const struct cast_row *read = item;
	struct npu_cast *cast = row_keep(row, &read->cast, sizeof(*cast));

	if (!cast)
		return;
	cast->acl_op = str_eq(read->kernel, STR("acl_op"));
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

static void take_collective(struct name_facts *name, struct row *row, const void *item)
{
	struct collective_fact *fact = row_keep(row, item, sizeof(*fact));

	if (!fact)
		return;
	fact->newest_chip = types_of_newest_chip(fact->note);
	APPEND(name->collectives, fact);
}

static void take_package_fact(struct name_facts *name, struct row *row, const void *item)
{
	struct package_fact *fact = row_keep(row, item, sizeof(*fact));

	if (fact)
		APPEND(name->package_facts, fact);
}

static void take_argument_limit(struct name_facts *name, struct row *row, const void *item)
{
	struct argument_limit *limit = row_keep(row, item, sizeof(*limit));
	size_t places;

	if (!limit)
		return;
	places = limit->by_release ? row->db->releases.count : row->db->cann.count;
	row->damaged |= limit->first >= places || limit->last >= places;
	APPEND(name->arguments, limit);
}

/* Queries for a name. PyTorch's tables have aten alone, packages the rest. */
static const struct name_table {
	enum query query;
	bool aten, others;
	bool by_namespace;
	void (*take)(struct name_facts *, struct row *, const void *item);
	void (*take_note)(struct note **, struct row *, const void *item); /* instead */
} tables[] = {
	{ QUERY_UNIVERSE, true, false, false, take_torch_fact, NULL },
	{ QUERY_SIGNATURES, true, false, false, take_signature, NULL },
	{ QUERY_SUPPORT, true, true, true, take_kernel, NULL },
	{ QUERY_PACKAGES, false, true, true, take_package, NULL },
	{ QUERY_REPORTED, true, true, true, NULL, note_take_report },
	{ QUERY_APIS, true, false, false, NULL, note_take_api },
	{ QUERY_KERNEL_TYPES, true, false, false, NULL, note_take_types },
	{ QUERY_AUTOCAST, true, false, false, NULL, note_take_autocast },
	{ QUERY_LEAVES, true, false, false, take_leaf, NULL },
	{ QUERY_GRADIENTS, true, false, false, take_gradient, NULL },
	{ QUERY_CHIPS, true, true, false, NULL, note_take_chip },
	{ QUERY_KERNEL_LIMITS, true, false, false, NULL, note_take_limit },
	{ QUERY_TESTED_TYPES, true, false, false, NULL, note_take_tested },
	{ QUERY_COLLECTIVES, false, true, true, take_collective, NULL },
	{ QUERY_PACKAGE_OPS, false, true, true, take_package_fact, NULL },
	{ QUERY_ARGUMENTS, true, true, false, take_argument_limit, NULL },
},
  unit_table = { QUERY_UNITS, true, true, false, take_unit, NULL },
  call_table = { QUERY_CANN_CALLS, true, true, false, take_call, NULL },
  cast_table = { QUERY_CASTS, true, true, false, take_cast, NULL };

static int load_rows(struct facts *facts, struct name_facts *name, const struct name_table *table, struct err *err)
{
	struct row row = row_begin(facts->db, table->query, facts->arena);
	int more, parameter = 1;

	if (table->by_namespace)
		row_bind_text(&row, parameter++, name->ns);
	row_bind_text(&row, parameter, name->base);
	for (size_t rows = 0; (more = row_next(&row, err)) > 0; rows++) {
		union any_row item;

		query_row_read(&row, &item);
		row.damaged |= rows == NAME_ROWS;
		if (row.damaged)
			continue;
		if (table->take)
			table->take(name, &row, &item);
		else
			table->take_note(&name->notes, &row, &item);
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

static const struct name_facts *find_name(const struct facts *facts, uint64_t hash, struct str ns, struct str base)
{
	struct map_cursor at = map_start(&facts->map, hash);

	while (map_next(&facts->map, &at)) {
		const struct name_facts *name = facts->items[at.index];

		if (str_eq(name->base, base) && str_eq(name->ns, ns))
			return name;
	}
	return NULL;
}

/* Copy what the handle has of a name; its memos stay the reader's own. */
static bool copy_ahead(struct facts *facts, const struct name_facts *ahead, struct name_facts *name)
{
	struct unit_facts *units = name->units;

	*name = *ahead;
	name->units = units;
	*units = *ahead->units;
	if (ahead->calls)
		name->calls = arena_alloc(facts->arena, sizeof(*name->calls));
	return !ahead->calls || name->calls;
}

int facts_get(struct facts *facts, struct str ns, struct str base, const struct name_facts **ret, struct err *err)
{
	uint64_t hash = hash_str(hash_str(hash_seed(), ns), base);
	const struct name_facts *ahead;
	struct name_facts *name;
	int code = 0;

	*ret = find_name(facts, hash, ns, base);
	if (*ret) {
		facts_watch(facts, *ret);
		return 0;
	}
	ahead = facts->db->ahead ? find_name(facts->db->ahead, hash, ns, base) : NULL;
	name = arena_alloc(facts->arena, sizeof(*name));
	if (!name || !arena_copy(facts->arena, ns, &name->ns) || !arena_copy(facts->arena, base, &name->base))
		return err_set(err, ERR_LIMIT, "the facts take too much memory");
	name->aten = str_eq(ns, STR("aten"));
	name->units = arena_alloc(facts->arena, sizeof(*name->units));
	if (!name->units || (ahead && !copy_ahead(facts, ahead, name)))
		return err_set(err, ERR_LIMIT, "the facts take too much memory");
	if (!ahead)
		code = load_name(facts, name, err);
	if (code)
		return code;
	map_add(&facts->map, hash, (uint32_t)facts->count);
	MEM_PUSH(facts, name);
	facts_watch(facts, name);
	*ret = name;
	return 0;
}
