#include "opdb/history.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "opdb/prove.h"

void walks_clear(struct walks *walks)
{
	for (size_t i = 0; i < walks->count; i++)
		free(walks->items[i].statuses);
	free(walks->items);
	map_clear(&walks->map);
}

static bool same_walk(const struct walk *a, const struct walk *b)
{
	return a->name == b->name && str_eq(a->overload, b->overload) && a->chip == b->chip && a->target == b->target &&
	       a->reading == b->reading;
}

/* Fills in the statuses of all releases of the target. */
static int take(
	struct resolver *resolver, struct walk *walk, const struct release *releases, size_t count, struct err *err)
{
	walk->statuses = mem_zalloc(count);
	for (size_t i = 0; i < count; i++) {
		struct question question = { resolver, &releases[i], walk->chip, walk->reading, true };
		struct answer answer;
		int code = answer_name(&question, walk->name, walk->overload, &answer, err);

		if (code) {
			free(walk->statuses);
			return code;
		}
		walk->statuses[i] = (unsigned char)answer.status;
	}
	return 0;
}

/* The statuses that were taken before, or those taken now. The pointer holds until the next walk. */
static int walk_for(struct resolver *resolver, struct walk wanted, const struct release *releases, size_t count,
	const unsigned char **ret, struct err *err)
{
	struct walks *walks = &resolver->walks;
	uint64_t hash = hash_str(hash_str(hash_seed(), wanted.name->ns), wanted.name->base);
	struct map_cursor at = map_start(&walks->map, hash);
	int code;

	while (map_next(&walks->map, &at)) {
		*ret = walks->items[at.index].statuses;
		if (same_walk(&walks->items[at.index], &wanted))
			return 0;
	}
	if (!arena_copy(&resolver->arena, wanted.overload, &wanted.overload))
		return err_set(err, ERR_LIMIT, "the answers take too much memory");
	code = take(resolver, &wanted, releases, count, err);
	if (code)
		return code;
	*ret = wanted.statuses;
	map_add(&walks->map, hash, (uint32_t)walks->count);
	MEM_PUSH(walks, wanted);
	return 0;
}

/* A development head counts only where it is the release that was asked about. */
static bool counts(const struct release *release, const struct release *asked)
{
	return release->kind != RELEASE_DEVELOPMENT || release == asked;
}

static enum status_class class_at(const unsigned char *statuses, const struct release *release)
{
	return op_status_class(statuses[release->place]);
}

/* The run of releases of one class around the one asked about. */
static void find_run(const struct release *releases, size_t count, const struct release *asked,
	const unsigned char *statuses, struct history *ret)
{
	enum status_class wanted = class_at(statuses, asked);
	const struct release *last = asked;

	ret->since = asked;
	ret->until = NULL;
	for (size_t i = asked->place; i-- > 0;) {
		if (!counts(&releases[i], asked))
			continue;
		if (class_at(statuses, &releases[i]) != wanted)
			break;
		ret->since = &releases[i];
	}
	for (size_t i = asked->place + 1; i < count && !ret->until; i++) {
		if (!counts(&releases[i], asked))
			continue;
		if (class_at(statuses, &releases[i]) != wanted)
			ret->until = last;
		last = &releases[i];
	}
}

/* Every change of status; *ret_count of them. transitions may be NULL to count alone. */
static void find_transitions(const struct release *releases, size_t count, const struct release *asked,
	const unsigned char *statuses, struct transition *transitions, size_t *ret_count)
{
	const struct release *before = NULL;

	*ret_count = 0;
	for (const struct release *at = releases; at < releases + count; at++) {
		if (!counts(at, asked))
			continue;
		if (!before || statuses[before->place] != statuses[at->place]) {
			if (transitions)
				transitions[*ret_count] = (struct transition){ .release = at,
					.status = statuses[at->place] };
			(*ret_count)++;
		}
		if (transitions)
			transitions[*ret_count - 1].last = at;
		before = at;
	}
}

static bool on_device(const unsigned char *statuses, const struct release *release)
{
	return class_at(statuses, release) == CLASS_DEVICE;
}

/* The first release by date that runs the operator on the device. */
static const struct release *find_earliest(
	const struct release *releases, size_t count, const struct release *asked, const unsigned char *statuses)
{
	const struct release *earliest = NULL;

	for (const struct release *at = releases; at < releases + count; at++) {
		if (counts(at, asked) && on_device(statuses, at) &&
			(!earliest || str_cmp(at->date, earliest->date) < 0))
			earliest = at;
	}
	return earliest;
}

/* The first release of each line of PyTorch older than the earliest one's that got the operator after it and lacked it
   before. ret has room for all. */
static size_t find_backports(const struct release *releases, size_t count, const struct release *asked,
	const unsigned char *statuses, const struct release *earliest, const struct release **ret)
{
	const struct release *before = NULL;
	size_t found = 0;

	for (const struct release *at = releases; earliest && at < releases + count; at++) {
		if (!counts(at, asked) || at->torch_place >= earliest->torch_place)
			continue;
		if (on_device(statuses, at) && before && before->torch_place == at->torch_place &&
			!on_device(statuses, before))
			ret[found++] = at;
		before = at;
	}
	return found;
}

int resolve_history(struct resolver *resolver, const struct target *target, struct str ns, struct str base,
	struct str overload, enum reading reading, struct history *ret, struct err *err)
{
	const struct release *asked = target->release, *releases;
	struct walk wanted = {
		.overload = overload, .chip = target->chip, .target = asked->target, .reading = reading
	};
	struct transition *transitions;
	struct history history;
	const unsigned char *statuses = NULL;
	size_t count;
	int code = facts_get(&resolver->facts, ns, base, &wanted.name, err);

	if (code)
		return code;
	releases = opdb_target_releases(resolver->db, asked->target, &count);
	code = walk_for(resolver, wanted, releases, count, &statuses, err);
	if (code)
		return code;
	find_transitions(releases, count, asked, statuses, NULL, &history.count);
	transitions = arena_alloc(&resolver->arena, history.count * sizeof(transitions[0]));
	history.backports = arena_alloc(&resolver->arena, count * sizeof(history.backports[0]));
	if (!transitions || !history.backports)
		return err_set(err, ERR_LIMIT, "the answers take too much memory");
	find_transitions(releases, count, asked, statuses, transitions, &history.count);
	find_run(releases, count, asked, statuses, &history);
	history.transitions = transitions;
	history.earliest = find_earliest(releases, count, asked, statuses);
	history.backport_count = find_backports(releases, count, asked, statuses, history.earliest, history.backports);
	*ret = history;
	return 0;
}
