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

void survey_put_span(const struct survey *survey, const struct survey_group *group, struct buf *out)
{
	struct str first = release_at(survey, group->first)->ref, last = release_at(survey, group->last)->ref;

	buf_add(out, str_from(survey->releases[group->first].target.id));
	if (group->count > 1)
		buf_printf(out, "..%.*s", STR_ARG(str_skip(last, common_head(first, last))));
}

/* --- sentences */

void survey_put_names(const struct survey *survey, const struct survey_set *set, size_t most, struct buf *out)
{
	for (size_t i = 0; i < set->count && i < most; i++)
		buf_printf(out, "%s%.*s", i ? ", " : "", STR_ARG(survey->operators[set->items[i]].name));
	if (set->count > most)
		buf_printf(out, ", ... +%zu", set->count - most);
}

static struct str names(const struct survey *survey, const struct survey_set *set, struct arena *arena)
{
	enum { MOST = 6 };
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	survey_put_names(survey, set, MOST, &text);
	return arena_keep(arena, buf_str(&text));
}

static struct message about(
	const char *id, const struct survey *survey, const struct survey_move *move, struct arena *arena)
{
	struct message message = message_of(id);

	message_add_copy(&message, arena, "from", str_from(survey->releases[move->from].target.id));
	message_add_copy(&message, arena, "to", str_from(survey->releases[move->to].target.id));
	return message;
}

static struct message about_names(
	const char *id, const struct survey *survey, const struct survey_set *set, struct arena *arena)
{
	struct message message = message_of(id);

	message_add_number(&message, arena, "count", (int64_t)set->count);
	message_add(&message, "names", names(survey, set, arena));
	return message;
}

static const char *head_id(const struct survey_move *move)
{
	if (move->from == move->to)
		return move->clears ? "survey.move-none" : "survey.move-nowhere";
	if (!move->clears)
		return "survey.move-best";
	return move->back ? "survey.move-back" : "survey.move-clears";
}

size_t survey_say_move(const struct survey *survey, const struct survey_move *move, struct arena *arena,
	struct message ret[SURVEY_LINES])
{
	const struct release *from = release_at(survey, move->from), *to = release_at(survey, move->to);
	size_t count = 0;

	ret[count] = about(head_id(move), survey, move, arena);
	message_add_number(&ret[count++], arena, "releases", move->releases);
	if (move->other_torch) {
		ret[count] = message_of("survey.move-torch");
		message_add(&ret[count], "from", from->torch);
		message_add(&ret[count++], "to", to->torch);
	}
	if (move->cleared.count)
		ret[count++] = about_names("survey.move-cleared", survey, &move->cleared, arena);
	if (move->left.count)
		ret[count++] = about_names("survey.move-left", survey, &move->left, arena);
	if (move->fresh.count)
		ret[count++] = about_names("survey.move-new", survey, &move->fresh, arena);
	if (move->off_aicpu.count) {
		const struct release *kernels = release_at(survey, move->kernels);

		ret[count] = about_names("survey.move-aicpu", survey, &move->off_aicpu, arena);
		message_add_copy(&ret[count], arena, "to", str_from(survey->releases[move->kernels].target.id));
		message_add(&ret[count++], "cann", kernels->cann);
	}
	return count;
}

/* --- operators */

static bool has(const struct survey_set *set, uint32_t op)
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
	bool blocks = has(&release->blockers, blocked->op);

	blocked->of[target]++;
	blocked->on[target] += blocks;
	if (!blocks && !blocked->since[target] && !has(&release->unknown, blocked->op))
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
