#include "check/score/score_keys.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "opdb/db/names.h"
#include "opdb/model/dtype.h"

/* --- keys */

struct key {
	struct str ns, base, overload;
	enum target_kind target;
	unsigned chips, types;
	enum observed observed;
	bool agrees, green, apart, third_party;
};

struct keys {
	struct key *items;
	size_t count, capacity;
	struct map map;
};

static void add_key(struct keys *keys, const struct key *key)
{
	uint64_t hash = hash_str(hash_str(hash_str(hash_seed(), key->ns), key->base), key->overload);
	struct map_cursor at = map_start(&keys->map, hash);

	while (map_next(&keys->map, &at)) {
		struct key *other = &keys->items[at.index];

		if (other->target != key->target || other->chips != key->chips || other->types != key->types ||
			!str_eq(other->ns, key->ns) || !str_eq(other->base, key->base) ||
			!str_eq(other->overload, key->overload))
			continue;
		other->agrees = other->agrees && key->agrees;
		other->green = other->green || key->green;
		other->apart = other->apart || other->observed != key->observed;
		return;
	}
	map_add(&keys->map, hash, (uint32_t)keys->count);
	MEM_PUSH(keys, *key);
}

static const enum key_part part_of[OBSERVED_COUNT] = {
	[OBSERVED_NATIVE] = KEYS_PLAIN,
	[OBSERVED_CPU_FALLBACK] = KEYS_PLAIN,
	[OBSERVED_NOT_IMPLEMENTED] = KEYS_PLAIN,
	[OBSERVED_DTYPE_LIMITED] = KEYS_DTYPES,
	[OBSERVED_DYNAMIC_SHAPE] = KEYS_OTHER,
	[OBSERVED_AICPU] = KEYS_AICPU,
	[OBSERVED_CRASH] = KEYS_OTHER,
	[OBSERVED_WRONG_RESULT] = KEYS_OTHER,
};

struct key_tally score_keys(const struct score *score)
{
	struct key_tally tally = { 0 };
	struct keys keys = { 0 };

	for (size_t i = 0; i < score->count; i++) {
		const struct scored *scored = &score->items[i];
		const struct observation *row = scored->observation;
		struct key key = { row->ns, row->base, row->overload, row->versions.target, row->chips, row->types,
			row->observed, scored->key_agrees, scored->grade == GRADE_FALSE_GREEN, false,
			scored->third_party };

		if (row->loose)
			continue;
		tally.native += row->observed == OBSERVED_NATIVE;
		tally.alarms += row->observed == OBSERVED_NATIVE && !scored->quiet;
		add_key(&keys, &key);
	}
	for (size_t i = 0; i < keys.count; i++) {
		const struct key *key = &keys.items[i];
		enum key_part part = key->third_party ? KEYS_THIRD_PARTY : part_of[key->observed];

		tally.apart += key->apart;
		tally.keys[part] += !key->apart;
		tally.agreeing[part] += !key->apart && key->agrees;
		tally.false_green[part] += !key->apart && !key->agrees && key->green;
	}
	free(keys.items);
	map_clear(&keys.map);
	return tally;
}

/* Agreement by distinct operator, type and chip of strict rows. */
const char *const key_part_titles[KEY_PARTS] = { [KEYS_PLAIN] = "native, fallback, missing",
	[KEYS_AICPU] = "aicpu",
	[KEYS_DTYPES] = "dtype_limited",
	[KEYS_OTHER] = "shapes, crash, wrong",
	[KEYS_THIRD_PARTY] = "third-party namespaces" };

void score_put_keys(const struct score *score, struct buf *out)
{
	struct key_tally tally = score_keys(score);

	buf_printf(out, "%-26s %5s %7s %9s %12s\n", "operator, type and chip", "keys", "agree", "share", "false green");
	for (unsigned i = 0; i < KEY_PARTS; i++) {
		size_t keys = tally.keys[i], share = keys ? (tally.agreeing[i] * 1000 + keys / 2) / keys : 0;

		if (keys)
			buf_printf(out, "%-26s %5zu %7zu %5zu.%zu %% %12zu\n", key_part_titles[i], keys,
				tally.agreeing[i], share / 10, share % 10, tally.false_green[i]);
	}
	buf_printf(out, "%zu keys with two outcomes stand apart; %zu of %zu native rows raise an alarm\n", tally.apart,
		tally.alarms, tally.native);
}

/* --- what is called so in all */

int score_called(const struct opdb *db, const struct target *target, struct called *ret, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct resolver *resolver = resolver_new(db);
	struct name_list names = { 0 };
	int code = opdb_names_with_prefix(db, STR("aten::"), &arena, &names, err);

	*ret = (struct called){ 0 };
	resolver_set_texts(resolver, false);
	for (size_t i = 0; i < names.count && !code; i++) {
		struct answer answer;

		code = resolve_base(resolver, target,
			&(struct op_query){ .ns = STR("aten"), .base = str_skip(names.items[i], 6) }, &answer, err);
		if (code || op_status_class(answer.status) != CLASS_DEVICE)
			continue;
		ret->operators++;
		ret->aicpu += (size_t)__builtin_popcount(answer.slow & DTYPE_DOCUMENTED);
		ret->strided += (size_t)__builtin_popcount(
			answer.strided & ~answer.slow & ~answer.maybe_slow & DTYPE_DOCUMENTED);
		ret->maybe_aicpu += (size_t)__builtin_popcount(answer.maybe_slow & ~answer.slow & DTYPE_DOCUMENTED);
		ret->refused += (size_t)__builtin_popcount(answer.refused & DTYPE_DOCUMENTED);
	}
	resolver_free(resolver);
	return code;
}
