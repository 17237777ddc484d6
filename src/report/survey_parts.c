#include "report/survey_parts.h"

#include "base/mem.h"

static const struct release *release_at(const struct survey *survey, size_t index)
{
	return survey->releases[index].target.release;
}

/* --- groups */

static bool is_end(const struct survey *survey, size_t index, bool *ret_from, bool *ret_to)
{
	*ret_from = *ret_to = false;
	for (size_t i = 0; i < survey->move_count; i++) {
		*ret_from |= survey->moves[i].from == index;
		*ret_to |= survey->moves[i].to == index && survey->moves[i].from != index;
	}
	return *ret_from || *ret_to;
}

static bool is_shown(const struct survey *survey, bool all, size_t index)
{
	bool from, to;

	return all || release_at(survey, index)->kind != RELEASE_DEVELOPMENT || is_end(survey, index, &from, &to);
}

static bool same_set(const struct survey_set *a, const struct survey_set *b)
{
	return a->count == b->count && (!a->count || memcmp(a->items, b->items, a->count * sizeof(a->items[0])) == 0);
}

static bool same_interval(struct result_interval a, struct result_interval b)
{
	return a.lo_ppm == b.lo_ppm && a.hi_ppm == b.hi_ppm;
}

static bool releases_agree(const struct survey_release *a, const struct survey_release *b)
{
	return a->target.release->target == b->target.release->target && same_set(&a->blockers, &b->blockers) &&
	       same_set(&a->unknown, &b->unknown) &&
	       same_interval(a->figures.readiness.time, b->figures.readiness.time) &&
	       same_interval(a->figures.coverage.time, b->figures.coverage.time) &&
	       a->figures.verdict == b->figures.verdict;
}

bool survey_next_group(const struct survey *survey, bool all, size_t *at, struct survey_group *ret)
{
	while (*at < survey->count && !is_shown(survey, all, *at))
		++*at;
	if (*at == survey->count)
		return false;
	*ret = (struct survey_group){ .first = *at, .last = *at, .count = 1 };
	if (is_end(survey, (*at)++, &ret->is_from, &ret->is_to) || all)
		return true;
	for (; *at < survey->count; ++*at) {
		bool from, to;

		if (!is_shown(survey, all, *at))
			continue;
		if (is_end(survey, *at, &from, &to) ||
			!releases_agree(&survey->releases[ret->first], &survey->releases[*at]))
			break;
		ret->last = *at;
		ret->count++;
	}
	return true;
}

/* What two names have in common up to a dash: "v2.7.1-". */
static size_t common_head(struct str a, struct str b)
{
	size_t head = 0;

	for (size_t i = 0; i < a.len && i < b.len && a.ptr[i] == b.ptr[i]; i++) {
		if (a.ptr[i] == '-')
			head = i + 1;
	}
	return head;
}

struct str survey_span_of(struct doc *doc, const struct survey *survey, const struct survey_group *group)
{
	struct str first = release_at(survey, group->first)->ref, last = release_at(survey, group->last)->ref,
		   id = str_from(survey->releases[group->first].target.id);

	if (group->count == 1)
		return id;
	return doc_format_of(doc, "%.*s..%.*s", STR_ARG(id), STR_ARG(str_skip(last, common_head(first, last))));
}

/* --- sentences */

struct str survey_names_of(struct doc *doc, const struct survey *survey, const struct survey_set *set, size_t most)
{
	size_t shown = set->count < most ? set->count : most;
	struct str *names = arena_alloc(&doc->arena, (shown + 1) * sizeof(names[0]));

	for (size_t i = 0; i < shown; i++)
		names[i] = survey->operators[set->items[i]].name;
	return doc_names_of(doc, names, shown, set->count);
}

/* --- operators */

static bool set_has(const struct survey_set *set, uint32_t op)
{
	size_t lo = 0, hi = set->count;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (set->items[middle] == op)
			return true;
		if (set->items[middle] < op)
			lo = middle + 1;
		else
			hi = middle;
	}
	return false;
}

/* Counts one release in, in the order of the survey. */
static void count_release(const struct survey_release *release, struct survey_blocked *blocked)
{
	enum target_kind target = release->target.release->target;
	bool blocks = set_has(&release->blockers, blocked->op);

	blocked->of[target]++;
	blocked->on[target] += blocks;
	if (!blocks && !blocked->since[target] && !set_has(&release->unknown, blocked->op))
		blocked->since[target] = release->target.id;
}

static bool *mark_blocked(const struct survey *survey, bool all, size_t *ret_count)
{
	bool *marks = mem_zalloc(survey->operator_count + 1);

	*ret_count = 0;
	for (size_t i = 0; i < survey->count; i++) {
		const struct survey_set *blockers = &survey->releases[i].blockers;

		for (size_t at = 0; at < blockers->count && is_shown(survey, all, i); at++) {
			*ret_count += !marks[blockers->items[at]];
			marks[blockers->items[at]] = true;
		}
	}
	return marks;
}

struct survey_blocked *survey_list_blocked(const struct survey *survey, bool all, size_t *ret_count)
{
	CLEANUP(mem_release) bool *marks = mark_blocked(survey, all, ret_count);
	struct survey_blocked *list = mem_zalloc((*ret_count + 1) * sizeof(list[0]));
	size_t at = 0;

	for (uint32_t i = 0; i < survey->operator_count; i++) {
		if (!marks[i])
			continue;
		list[at].op = i;
		for (size_t release = 0; release < survey->count; release++) {
			if (is_shown(survey, all, release))
				count_release(&survey->releases[release], &list[at]);
		}
		at++;
	}
	return list;
}
