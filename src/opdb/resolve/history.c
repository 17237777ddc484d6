#include "opdb/resolve/history.h"

#include <string.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "opdb/db/lists.h"
#include "opdb/resolve/held.h"
#include "opdb/resolve/name.h"

/* The question, and the answers by position of the release. */
struct walk {
	const struct name_facts *name;
	struct str overload;
	const struct chip *chip;
	enum target_kind target;
	enum reading reading;
	unsigned char *statuses; /* enum op_status */
};

/* The releases of a target with the statuses of an operator. */
struct course {
	const struct release *releases;
	size_t count;
	const struct release *asked;
	const unsigned char *statuses;
};

static bool same_walk(const struct walk *a, const struct walk *b)
{
	return a->name == b->name && str_eq(a->overload, b->overload) && a->chip == b->chip && a->target == b->target &&
	       a->reading == b->reading;
}

/* Resolves the name on all releases of the target. */
static int fill_statuses(struct resolver *resolver, struct walk *walk, const struct course *course, struct err *err)
{
	walk->statuses = arena_alloc(&resolver->arena, course->count);
	if (!walk->statuses || !arena_copy(&resolver->arena, walk->overload, &walk->overload))
		return err_set(err, ERR_LIMIT, "the answers take too much memory");
	for (size_t i = 0, held = 0; i < course->count; i = held) {
		struct question question = { .resolver = resolver,
			.release = &course->releases[i],
			.chip = walk->chip,
			.reading = walk->reading,
			.status_only = true };
		struct answer answer;
		int code;

		resolver_watch(resolver, walk->name);
		code = answer_name(&question, walk->name, walk->overload, &answer, err);
		if (code)
			return code;
		held = (size_t)(resolver_held_until(resolver, question.release) - course->releases) + 1;
		memset(&walk->statuses[i], (int)answer.status, held - i);
	}
	return 0;
}

/* Statuses are kept: those that were worked out before, or else now. */
static int find_statuses(struct resolver *resolver, struct walk wanted, struct course *course, struct err *err)
{
	uint64_t hash = hash_str(hash_str(hash_seed(), wanted.name->ns), wanted.name->base);
	struct map_cursor at = map_start(&resolver->walks.map, hash);
	int code;

	while (map_next(&resolver->walks.map, &at)) {
		course->statuses = resolver->walks.items[at.index].statuses;
		if (same_walk(&resolver->walks.items[at.index], &wanted))
			return 0;
	}
	code = fill_statuses(resolver, &wanted, course, err);
	if (code)
		return code;
	course->statuses = wanted.statuses;
	map_add(&resolver->walks.map, hash, (uint32_t)resolver->walks.count);
	MEM_PUSH(&resolver->walks, wanted);
	return 0;
}

/* A development head counts only where it is the release that was asked about. */
static bool is_counted(const struct course *course, const struct release *release)
{
	return release->kind != RELEASE_DEVELOPMENT || release == course->asked;
}

static enum status_class class_at(const struct course *course, const struct release *release)
{
	return op_status_class(course->statuses[release->place]);
}

/* The run of releases of one class around the one asked about. */
static void find_run(const struct course *course, struct history *ret)
{
	const struct release *asked = course->asked, *last = asked;
	enum status_class wanted = class_at(course, asked);

	ret->since = asked;
	ret->until = NULL;
	for (const struct release *at = asked; at > course->releases;) {
		at--;
		if (!is_counted(course, at))
			continue;
		if (class_at(course, at) != wanted)
			break;
		ret->since = at;
	}
	for (const struct release *at = asked + 1; at < course->releases + course->count && !ret->until; at++) {
		if (!is_counted(course, at))
			continue;
		if (class_at(course, at) != wanted)
			ret->until = last;
		last = at;
	}
}

/* Store every change of status and return their number. transitions may be NULL to count alone. */
static size_t find_transitions(const struct course *course, struct transition *transitions)
{
	const struct release *before = NULL;
	size_t count = 0;

	for (const struct release *at = course->releases; at < course->releases + course->count; at++) {
		enum op_status status = course->statuses[at->place];

		if (!is_counted(course, at))
			continue;
		if (!before || course->statuses[before->place] != status) {
			if (transitions)
				transitions[count] = (struct transition){ .release = at, .status = status };
			count++;
		}
		if (transitions)
			transitions[count - 1].last = at;
		before = at;
	}
	return count;
}

static bool on_device(const struct course *course, const struct release *release)
{
	return class_at(course, release) == CLASS_DEVICE;
}

/* The first release by date that runs the operator on the device. */
static const struct release *find_earliest(const struct course *course)
{
	const struct release *earliest = NULL;

	for (const struct release *at = course->releases; at < course->releases + course->count; at++) {
		if (is_counted(course, at) && on_device(course, at) &&
			(!earliest || str_cmp(at->date, earliest->date) < 0))
			earliest = at;
	}
	return earliest;
}

/* The first release of each line of PyTorch older than the earliest one's that got the operator after it and lacked it
   before. ret NULL: counts them. */
static size_t find_backports(const struct course *course, const struct release *earliest, const struct release **ret)
{
	const struct release *before = NULL;
	size_t count = 0;

	for (const struct release *at = course->releases; earliest && at < course->releases + course->count; at++) {
		if (!is_counted(course, at) || at->torch_place >= earliest->torch_place)
			continue;
		if (on_device(course, at) && before && before->torch_place == at->torch_place &&
			!on_device(course, before)) {
			if (ret)
				ret[count] = at;
			count++;
		}
		before = at;
	}
	return count;
}

int resolve_history(struct resolver *resolver, const struct target *target, const struct op_query *query,
	struct history *ret, struct err *err)
{
	struct course course = { .asked = target->release };
	struct walk wanted = { .overload = query->overload,
		.chip = target->chip,
		.target = course.asked->target,
		.reading = query->reading };
	struct transition *transitions;
	struct history history;
	int code = facts_get(&resolver->facts, query->ns, query->base, &wanted.name, err);

	course.releases = opdb_target_releases(resolver->db, course.asked->target, &course.count);
	if (!code)
		code = find_statuses(resolver, wanted, &course, err);
	if (code)
		return code;
	history.count = find_transitions(&course, NULL);
	history.earliest = find_earliest(&course);
	history.backport_count = find_backports(&course, history.earliest, NULL);
	transitions = arena_alloc(&resolver->arena, history.count * sizeof(transitions[0]));
	history.backports = arena_alloc(&resolver->arena, history.backport_count * sizeof(history.backports[0]));
	if (!transitions || !history.backports)
		return err_set(err, ERR_LIMIT, "the answers take too much memory");
	find_transitions(&course, transitions);
	find_run(&course, &history);
	history.transitions = transitions;
	find_backports(&course, history.earliest, history.backports);
	*ret = history;
	return 0;
}
