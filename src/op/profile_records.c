/* From rows to records: names, uses, and the keys by which rows find them. */
#include "op/profile_records.h"

#include "base/memory/buf.h"
#include "base/memory/hash.h"
#include "base/value/figure.h"
#include "op/profile_links.h"
#include "op/profile_steps.h"

/* --- names */

static bool name_is(const struct profile_name *name, struct str text, struct name_style style)
{
	return str_eq(name->text, text) && name->style.bare == style.bare && name->style.cut == style.cut &&
	       name->style.known == style.known && name->style.device_task == style.device_task &&
	       name->style.host_call == style.host_call;
}

/* Position of a name that is known or added. False when there are as many of its kind as the limits allow; *ret_class
   is set. */
static bool name_index(
	struct profile *profile, struct str text, struct name_style style, uint32_t *ret, enum name_class *ret_class)
{
	uint64_t hash = hash_str(profile->seed ^ style.bare ^ (uint64_t)style.cut << 1 ^
					 (uint64_t)style.device_task << 2 ^ (uint64_t)style.known << 3,
		text);
	struct map_cursor at = map_start(&profile->names_by_text, hash);
	struct profile_name name = { .text = text, .style = style, .last_use = NO_USE };
	bool is_operator;

	while (map_next(&profile->names_by_text, &at)) {
		if (name_is(&profile->names.items[at.index], text, style)) {
			*ret = at.index;
			return true;
		}
	}
	name.name = name_classify(text, style);
	profile->compiled |= name.name.compiled;
	*ret_class = name.name.name_class;
	is_operator = *ret_class == NAME_OPERATOR;
	if (is_operator ? profile->operator_names >= profile->limits.operators
			: profile->names.count - profile->operator_names >= profile->limits.names)
		return false;
	name.text = arena_keep(&profile->text, text);
	name.name = name_classify(name.text, style); /* again: it holds views of the text */
	profile->operator_names += is_operator;
	*ret = (uint32_t)profile->names.count;
	map_add(&profile->names_by_text, hash, *ret);
	MEM_PUSH(&profile->names, name);
	return true;
}

/* --- uses */

static uint32_t use_add(struct profile *profile, const struct profile_use *use)
{
	MEM_PUSH(&profile->uses, *use);
	profile->places = mem_room(
		profile->places, profile->uses.count, &profile->place_capacity, sizeof(profile->places[0]));
	memset(profile->places[profile->uses.count - 1], 0, sizeof(profile->places[0]));
	return (uint32_t)profile->uses.count - 1;
}

/* The use of a name other than an operator: one a stream, whatever its shapes; few enough for a linear search. */
static bool plain_use(const struct profile *profile, uint32_t stream, uint32_t name, uint32_t *ret)
{
	const struct profile_name *known = &profile->names.items[name];

	for (uint32_t use = known->last_use; use != NO_USE; use = profile->uses.items[use].previous_of_name) {
		if (profile->uses.items[use].stream == stream) {
			*ret = use;
			return true;
		}
	}
	return false;
}

/* --- keys of rows */

/* A row whose key is wanted. */
struct wanted_key {
	uint64_t hash;
	unsigned stream, spelling;
	const struct op_row *row;
};

static uint64_t key_hash(const struct profile *profile, unsigned stream, const struct op_row *row, unsigned spelling)
{
	uint64_t seed = profile->seed ^ (stream << 2 | (unsigned)row->name_cut << 1 | row->has_overload) ^
			(uint64_t)(spelling << 8 | (unsigned)row->known) << 40;
	uint64_t hash = hash_str(hash_str(seed, row->name), row->shapes);

	if (row->overload.len)
		hash = hash_str(hash, row->overload);
	return row->dtypes.len ? hash_str(hash + 1, row->dtypes) : hash;
}

static bool piece_is(const char **text, uint32_t len, struct str piece)
{
	const char *at = *text;

	*text += len;
	return len == piece.len && (!len || memcmp(at, piece.ptr, len) == 0);
}

static struct wanted_key wanted_key(
	const struct profile *profile, unsigned stream, const struct op_row *row, unsigned spelling)
{
	return (struct wanted_key){ key_hash(profile, stream, row, spelling), stream, spelling, row };
}

static bool key_is(const struct row_key *key, const struct wanted_key *wanted)
{
	const struct op_row *row = wanted->row;
	const char *text = key->text;

	return key->hash == wanted->hash && key->stream == wanted->stream &&
	       piece_is(&text, key->name_len, row->name) && piece_is(&text, key->overload_len, row->overload) &&
	       piece_is(&text, key->shapes_len, row->shapes) && piece_is(&text, key->dtypes_len, row->dtypes) &&
	       key->has_overload == row->has_overload && key->spelling == wanted->spelling &&
	       key->cut == row->name_cut && key->known == row->known;
}

/* Copies the texts of the row one after the other. */
static const char *key_text(struct profile *profile, const struct op_row *row)
{
	const struct str pieces[] = { row->name, row->overload, row->shapes, row->dtypes };
	char *text = arena_alloc(
		&profile->text, row->name.len + row->overload.len + row->shapes.len + row->dtypes.len + 1);
	char *at = text;

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		if (pieces[i].len)
			memcpy(at, pieces[i].ptr, pieces[i].len);
		at += pieces[i].len;
	}
	return text;
}

static struct profile_use use_of_key(const struct row_key *key, uint32_t name, bool shapes_cut)
{
	struct profile_use use = {
		.name = name, .stream = key->stream, .overload = STR(""), .shapes = STR(""), .dtypes = STR("")
	};

	if (!key->is_operator)
		return use;
	use.has_overload = key->has_overload;
	use.shapes_cut = shapes_cut;
	use.overload = (struct str){ key->text + key->name_len, key->overload_len };
	use.shapes = (struct str){ use.overload.ptr + use.overload.len, key->shapes_len };
	use.shapes_hash = hash_str(hash_seed(), use.shapes);
	use.dtypes = (struct str){ use.shapes.ptr + use.shapes.len, key->dtypes_len };
	return use;
}

static const struct row_key *key_find(const struct profile *profile, const struct wanted_key *wanted)
{
	struct map_cursor at = map_start(&profile->keys_by_hash, wanted->hash);

	while (map_next(&profile->keys_by_hash, &at)) {
		if (key_is(&profile->keys.items[at.index], wanted))
			return &profile->keys.items[at.index];
	}
	return NULL;
}

static void note_place(struct profile_name *name, const struct op_row *row)
{
	if (name->line || name->offset)
		return;
	name->line = row->line;
	name->offset = row->offset;
}

/* Adds the key of a row whose name is at name_at. */
static const struct row_key *key_add(struct profile *profile, const struct wanted_key *wanted, uint32_t name_at)
{
	const struct op_row *row = wanted->row;
	const struct name *name = &profile->names.items[name_at].name;
	struct row_key key = { .hash = wanted->hash,
		.stream = wanted->stream,
		.has_overload = row->has_overload,
		.spelling = wanted->spelling,
		.cut = row->name_cut,
		.known = row->known,
		.name_len = (uint32_t)row->name.len,
		.overload_len = (uint32_t)row->overload.len,
		.shapes_len = (uint32_t)row->shapes.len,
		.dtypes_len = (uint32_t)row->dtypes.len };
	struct profile_use use;

	key.text = key_text(profile, row);
	key.is_operator = name->name_class == NAME_OPERATOR;
	key.is_step = name->name_class == NAME_STEP;
	key.compiling = name->compiling;
	note_place(&profile->names.items[name_at], row);
	if (key.is_operator || !plain_use(profile, wanted->stream, name_at, &key.use)) {
		use = use_of_key(&key, name_at, row->shapes_cut);
		use.previous_of_name = profile->names.items[name_at].last_use;
		key.use = use_add(profile, &use);
		profile->names.items[name_at].last_use = key.use;
	}
	profile->operator_keys += key.is_operator;
	map_add(&profile->keys_by_hash, wanted->hash, (uint32_t)profile->keys.count);
	MEM_PUSH(&profile->keys, key);
	return &profile->keys.items[profile->keys.count - 1];
}

/* Fetches the key that probably has the hash, and its slot. */
static void prefetch_key(const struct profile *profile, uint64_t hash)
{
	struct map_cursor at = map_start(&profile->keys_by_hash, hash);

	if (map_next(&profile->keys_by_hash, &at)) {
		const struct row_key *key = &profile->keys.items[at.index];
		__builtin_prefetch(key);
	}
}

/* Key of a row of another kind than operators, without its shapes, which are not kept when there are many. */
static const struct row_key *plain_key(struct profile *profile, const struct wanted_key *of, uint32_t name_at)
{
	struct op_row row = { .name = of->row->name,
		.overload = STR(""),
		.shapes = STR(""),
		.dtypes = STR(""),
		.name_cut = of->row->name_cut,
		.known = of->row->known };
	struct wanted_key wanted = wanted_key(profile, of->stream, &row, of->spelling);
	const struct row_key *key = key_find(profile, &wanted);

	return key ? key : key_add(profile, &wanted, name_at);
}

/* Count a name over the limit under one that collects all further ones of its class. */
static const struct row_key *further_key(struct profile *profile, unsigned stream, enum name_class name_class)
{
	struct profile_name name = { .last_use = NO_USE };
	uint32_t *at = &profile->further[name_class];
	struct op_row row = { 0 };

	if (!*at) {
		name.text = arena_printf(&profile->text, "(further names: %s)", name_class_text(name_class));
		name.name.name_class = name_class;
		MEM_PUSH(&profile->names, name);
		*at = (uint32_t)profile->names.count; /* its position plus one; 0: none */
	}
	row.name = profile->names.items[*at - 1].text;
	return plain_key(profile, &(struct wanted_key){ .stream = stream, .row = &row }, *at - 1);
}

/* The key of a row, known or new. NULL when it is an operator, or a set of its shapes, over the limits. */
static const struct row_key *key_of(struct profile *profile, const struct wanted_key *wanted)
{
	const struct row_key *key = key_find(profile, wanted);
	struct name_style style = { .bare = wanted->spelling & TABLE_BARE_NAMES,
		.cut = wanted->row->name_cut,
		.known = wanted->row->known,
		.device_task = wanted->spelling & TABLE_DEVICE_TASKS,
		.host_call = wanted->spelling & TABLE_HOST_CALLS };
	enum name_class name_class;
	uint32_t name_at;

	if (key)
		return key;
	if (!name_index(profile, wanted->row->name, style, &name_at, &name_class))
		return name_class == NAME_OPERATOR ? NULL : further_key(profile, wanted->stream, name_class);
	if (profile->names.items[name_at].name.name_class == NAME_OPERATOR)
		return profile->operator_keys < profile->limits.shapes ? key_add(profile, wanted, name_at) : NULL;
	if (profile->keys.count - profile->operator_keys >= profile->limits.names)
		return plain_key(profile, wanted, name_at);
	return key_add(profile, wanted, name_at);
}

uint32_t profile_use_of(struct profile *profile, unsigned stream, const struct op_row *row, unsigned spelling)
{
	struct wanted_key wanted = wanted_key(profile, stream, row, spelling);
	const struct row_key *key = key_of(profile, &wanted);

	return key ? key->use : NO_USE;
}

uint32_t profile_further_use(struct profile *profile, unsigned stream, enum name_class name_class)
{
	return further_key(profile, stream, name_class)->use;
}

/* --- rows */

static struct slot slot_of_row(uint32_t use, const struct op_row *row)
{
	uint64_t cpu = (uint64_t)row->self_cpu_ns, total = (uint64_t)row->cpu_total_ns;

	return (struct slot){ .use = use,
		.calls = row->calls,
		.self_cpu_ns = row->self_cpu_ns,
		.cpu_total_ns = row->cpu_total_ns,
		.self_device_ns = row->self_device_ns,
		.on_device_ns = row->self_cpu_ns || row->cpu_total_ns ? 0 : row->self_device_ns,
		.digest = hash_mix(cpu ^ 0x9e3779b97f4a7c15u, row->calls + 0x632be59bd9b4e019u) ^
			  hash_mix(total ^ 0xd6e8feb86659fd93u, (uint64_t)row->self_device_ns | 1) };
}

/* Rows of tables have none: the use is left where it is, out of the cache. */
static bool has_details(const struct op_row *row)
{
	return row->strides.len || row->concrete.len || row->strides_vary || row->concrete_varies;
}

static void count_row(struct profile *profile, uint64_t hash, unsigned stream, const struct op_row *row)
{
	struct stream_state *state = &profile->states.items[stream];
	struct table *table = &state->tables[state->current];
	struct wanted_key wanted = { hash, stream, table->has & SPELLINGS, row };
	const struct row_key *key = key_of(profile, &wanted);
	struct slot *slot, shown;

	if (!key) {
		profile->calls_over_cap = figure_count(profile->calls_over_cap, row->calls);
		return;
	}
	if (key->is_operator && has_details(row))
		profile_add_details(profile, &profile->uses.items[key->use], row);
	if (table->has & TABLE_STEPPED) {
		profile_add_call(profile, key->use, key->compiling, row);
		return;
	}
	if (key->is_step)
		table->covers = figure_count(table->covers, row->calls);
	shown = slot_of_row(key->use, row);
	slot = profile_slot(profile, table, state->current, key->use);
	if (slot) {
		profile_add_to_slot(slot, &shown);
		return;
	}
	table->operators += key->is_operator;
	table->compiling |= key->compiling;
	profile_add_slot(profile, table, state->current, shown);
}

/* Hashes some rows ahead, so that what the look-ups need is on its way to the cache. */
void profile_add_rows(struct profile *profile, unsigned stream, const struct op_row *rows, size_t count)
{
	enum { AHEAD = 16 };
	struct stream_state *state = &profile->states.items[stream];
	unsigned spelling = state->tables[state->current].has & SPELLINGS;
	uint64_t hashes[AHEAD];

	while (count) {
		size_t some = count < AHEAD ? count : AHEAD;

		for (size_t i = 0; i < some; i++) {
			hashes[i] = key_hash(profile, stream, &rows[i], spelling);
			map_prefetch(&profile->keys_by_hash, hashes[i]);
		}
		for (size_t i = 0; i < some; i++)
			prefetch_key(profile, hashes[i]);
		for (size_t i = 0; i < some; i++)
			count_row(profile, hashes[i], stream, &rows[i]);
		rows += some;
		count -= some;
	}
}

uint32_t profile_use_of_turn(
	const struct profile *profile, unsigned stream, const struct op_turn *turn, unsigned spelling)
{
	struct op_row row = { .name = turn->name,
		.overload = turn->overload,
		.shapes = turn->shapes,
		.dtypes = turn->dtypes,
		.known = turn->known,
		.has_overload = turn->has_overload };
	struct wanted_key wanted = wanted_key(profile, stream, &row, spelling);
	const struct row_key *key = key_find(profile, &wanted);

	if (!key && row.has_overload) {
		row.has_overload = false;
		wanted = wanted_key(profile, stream, &row, spelling);
		key = key_find(profile, &wanted);
	}
	return key && key->is_operator ? key->use : NO_USE;
}
