/* The dump on every release: what blocks where, and the smallest move from there. */
#include "assess/judge/assume.h"
#include "assess/judge/call_facts.h"
#include "assess/plan/survey.h"
#include "assess/plan/survey_moves.h"
#include "tests/unit/opdb_fixture.h"
#include "tests/unit/sheets.h"

/* --- moves over releases made by hand */

struct made {
	struct arena arena;
	struct release releases[16];
	struct survey survey;
};

/* A release a word: "A" to "Z" the line of PyTorch, then "f" final, "c" candidate or "d" development, then one letter for
   each operator that blocks, and "?" with one for each of which nothing is known: "Bfxy?z". */
static void add_release(struct made *made, struct str word)
{
	struct survey_release *ret = &made->survey.releases[made->survey.count];
	struct release *release = &made->releases[made->survey.count++];

	release->torch_place = (unsigned)word.ptr[0];
	release->place = (unsigned)made->survey.count;
	release->kind = word.ptr[1] == 'f'   ? RELEASE_FINAL
			: word.ptr[1] == 'c' ? RELEASE_CANDIDATE
					     : RELEASE_DEVELOPMENT;
	ret->target = (struct target){ .release = release };
	ret->blockers.items = arena_alloc(&made->arena, 64);
	ret->unknown.items = arena_alloc(&made->arena, 64);
	ret->figures.readiness.time.lo_ppm = 1000;
	for (size_t i = 2; i < word.len; i++) {
		struct survey_set *set = word.ptr[i - 1] == '?' ? &ret->unknown : &ret->blockers;

		if (word.ptr[i] != '?')
			set->items[set->count++] = (uint32_t)(word.ptr[i] - 'a');
	}
}

static struct survey_move move_from(struct made *made, const char *releases, size_t from)
{
	struct str rest = str_from(releases), word;
	struct survey_start starts[TARGET_COUNT] = { { from, true }, { SURVEY_NONE, false } };

	*made = (struct made){ .arena = ARENA_INIT(ARENA_UNLIMITED) };
	made->survey.releases = arena_alloc(&made->arena, 16 * sizeof(made->survey.releases[0]));
	while (rest.len && str_cut(&rest, ' ', &word))
		add_release(made, word);
	survey_moves(starts, &made->arena, &made->survey);
	assert_int_equal(made->survey.move_count, 1);
	return made->survey.moves[0];
}

static void the_smallest_move_that_clears_all_is_taken(void **state)
{
	static const struct {
		const char *releases;
		size_t from, to;
		bool clears;
		unsigned distance;
	} cases[] = {
		{ "Af Af Af", 1, 1, true, 0 },                                   /* nothing blocks: stay */
		{ "Afx Afx Af", 0, 2, true, 2 }, { "Af Afx Af", 1, 2, true, 1 }, /* as near either way: forward */
		{ "Af Afx Bf", 1, 0, true, 1 },                                  /* the PyTorch stays */
		{ "Afx Bf Afx Af", 0, 3, true, 3 },                              /* even if that is farther */
		{ "Afx Ad Af", 0, 2, true, 1 },         /* development heads are neither chosen nor counted */
		{ "Afx Ac Af", 0, 2, true, 1 },         /* nor candidates where there is a final one */
		{ "Afx Bc Bc", 0, 2, true, 1 },         /* the last candidate where there is none */
		{ "Afx Af?y Bf", 0, 2, true, 2 },       /* what is unknown is not clear */
		{ "Afxy Afx Bfx", 0, 1, false, 1 },     /* the best that there is, the nearest of them */
		{ "Afx Afx Bfx", 1, 1, false, 0 },      /* nothing is better: stay */
		{ "Afx?y Afx Bfx?yz", 0, 1, false, 1 }, /* fewer unknown ones among equal blockers */
		{ "Adx Af", 0, 1, true, 1 },            /* from a development head */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct made made;
		struct survey_move move = move_from(&made, cases[i].releases, cases[i].from);

		if (move.to != cases[i].to || move.clears != cases[i].clears || move.releases != cases[i].distance)
			fail_msg("case %zu: to %zu, clears %d, %u releases", i, move.to, move.clears, move.releases);
		arena_clear(&made.arena);
	}
}

static void packages_that_clear_a_release_make_moves_needless(void **state)
{
	struct made made;
	struct survey_start starts[TARGET_COUNT] = { { 1, true }, { SURVEY_NONE, false } };

	move_from(&made, "Af Afx Af", 1);
	assert_int_equal(made.survey.moves[0].to, 2);
	made.survey.releases[1].needs_packages = true;
	made.survey.move_count = 0;
	survey_moves(starts, &made.arena, &made.survey);
	assert_int_equal(made.survey.moves[0].to, 1);
	assert_true(made.survey.moves[0].packages);
	assert_int_equal(made.survey.moves[0].left.count, 1);
	arena_clear(&made.arena);
}

static void a_downgrade_has_to_clear_a_blocker(void **state)
{
	static const struct {
		const char *releases;
		size_t to;
	} cases[] = {
		{ "Af Af?x", 1 },
		{ "Af Bf?x", 1 },
		{ "Afy Bfy?x", 1 },
		{ "Af Bfy?x", 0 },
		{ "Af Bf?x Bf", 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct made made;

		assert_int_equal(move_from(&made, cases[i].releases, 1).to, cases[i].to);
		arena_clear(&made.arena);
	}
}

static void among_equals_the_readier_is_best(void **state)
{
	struct made made;
	struct survey_start starts[TARGET_COUNT] = { { 0, true }, { SURVEY_NONE, false } };

	move_from(&made, "Afxy Afx Afx", 0);
	made.survey.releases[2].figures.readiness.time.lo_ppm = 2000;
	made.survey.move_count = 0;
	survey_moves(starts, &made.arena, &made.survey);
	assert_int_equal(made.survey.moves[0].to, 2);
	arena_clear(&made.arena);
}

static void a_move_says_what_it_clears_leaves_and_brings(void **state)
{
	struct made made;
	struct survey_move move = move_from(&made, "Afac?bd Bfb?e", 0);

	assert_int_equal(move.to, 1);
	assert_false(move.clears);
	assert_true(move.other_torch);
	assert_false(move.back);
	assert_int_equal(move.cleared.count, 3);
	assert_int_equal(move.left.count, 1);
	assert_int_equal(move.left.items[0], 'b' - 'a');
	assert_int_equal(move.fresh.count, 1);
	assert_int_equal(move.fresh.items[0], 'e' - 'a');
	arena_clear(&made.arena);
}

/* --- the real database */

static bool known(void *ctx, struct str base)
{
	return true;
}

static size_t completions(void *ctx, struct str ns, struct str prefix, struct str *ret, size_t max)
{
	return 0;
}

struct surveyed {
	struct arena arena, scratch;
	struct profile *profile;
	struct operators operators;
	struct weights weights;
	size_t order[16];
	struct resolver *resolver;
	struct survey survey;
};

static struct surveyed survey_of_profile(
	struct fixture *fixture, struct profile *profile, const struct assumption_list *assumptions, const char *from)
{
	struct surveyed all = { .arena = ARENA_INIT(ARENA_UNLIMITED),
		.scratch = ARENA_INIT(ARENA_UNLIMITED),
		.profile = profile,
		.resolver = resolver_new(fixture->db) };
	struct name_lookup lookup = { NULL, known, completions };
	struct target target = target_named(fixture, from ? from : "npu");
	struct judge judge = { .arena = &all.scratch,
		.resolver = all.resolver,
		.profile = all.profile,
		.operators = &all.operators,
		.assumptions = assumptions,
		.brief = true };
	struct survey_request request = { .judge = &judge,
		.weights = &all.weights,
		.order = all.order,
		.from = &target,
		.from_count = from != NULL,
		.options.against_given = from != NULL };
	struct held_judgement held[16] = { 0 }; /* as a survey of releases in their order has them */
	struct composites *composites;
	struct call_facts call_facts;
	struct err err = { 0 };

	resolver_set_texts(all.resolver, false);
	judge.held = held;
	operators_gather(&all.arena, all.profile, &lookup, &all.operators);
	judge.composites = composites = composites_new(&all.arena, all.profile, &all.operators);
	judge.arena = &all.arena; /* the facts outlive a release */
	if (call_facts_gather(&judge, &call_facts, &err))
		fail_msg("%s", err.text);
	judge.call_facts = &call_facts;
	judge.arena = &all.scratch;
	weights_choose(all.profile, &all.operators, &all.weights);
	for (size_t i = 0; i < all.operators.count; i++)
		all.order[i] = i;
	if (survey_releases(&request, &all.arena, &all.survey, &err))
		fail_msg("%s", err.text);
	composites_clear(composites);
	return all;
}

static struct surveyed survey_of(
	struct fixture *fixture, const char *rows, const struct assumption_list *assumptions, const char *from)
{
	return survey_of_profile(fixture, profile_of_steps(rows), assumptions, from);
}

static void surveyed_clear(struct surveyed *all)
{
	resolver_free(all->resolver);
	profile_free(all->profile);
	arena_clear(&all->arena);
	arena_clear(&all->scratch);
}

static bool has(const struct survey_set *set, size_t item)
{
	for (size_t i = 0; i < set->count; i++) {
		if (set->items[i] == item)
			return true;
	}
	return false;
}

#define SEVERAL                                                                                                        \
	"aten::isin [[2]] x1 =5; torchvision::nms [[4,4],[4],[]] x2 =7; aten::cudnn_batch_norm [[1]] x3 =1;"           \
	"aten::multinomial [[1]] x1 =2; aten::clamp_min [[3]] x4 =8; xformers::nothing [[1]] x1 =1; aten::conv3d "     \
	"[[1]] x1 =3;"                                                                                                 \
	"aten::lift_fresh [[1]] x1 =1; aten::roll [[6]] x1 =2; aten::linalg_cross [[3],[3]] x1 =4; aten::nonzero "     \
	"[[7]] x1 =3"

/* What the survey finds in brief is what judging each release in full finds. */
static void a_survey_says_what_full_verdicts_say(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(surveyed_clear) struct surveyed all = survey_of(fixture, SEVERAL, NULL, NULL);
	struct judge full = { .arena = &all.scratch,
		.resolver = fixture->resolver,
		.profile = all.profile,
		.operators = &all.operators };
	size_t blocked = 0, unknown = 0, open = 0;
	struct call_facts call_facts;
	struct err err = { 0 };

	full.arena = &all.arena; /* the facts outlive a release */
	assert_int_equal(call_facts_gather(&full, &call_facts, &err), 0);
	full.call_facts = &call_facts;
	full.arena = &all.scratch;
	all.weights.operators = &all.operators; /* it moved */
	assert_true(all.survey.count >= 87);
	for (size_t i = 0; i < all.survey.count; i++) {
		const struct survey_release *release = &all.survey.releases[i];
		struct judgement judgements[16];
		struct result_target target = { .count_count = 0 };
		struct judgement judged;

		for (size_t op = 0; op < all.operators.count; op++) {
			bool blocks;

			assert_int_equal(judge_operator(&full, &release->target, op, &judged, &err), 0);
			judgements[op] = judged;
			blocks = op_status_class(judgements[op].best) == CLASS_BLOCKED;
			assert_int_equal(has(&release->blockers, op), blocks);
			assert_int_equal(has(&release->unknown, op),
				!blocks && op_status_class(judgements[op].verdict.status) >= CLASS_BLOCKED);
			blocked += blocks;
			open += judgements[op].open_types != 0;
		}
		unknown += release->unknown.count;
		readiness_sum(&all.arena, &all.weights, judgements, false, &target);
		assert_memory_equal(&target.readiness, &release->figures.readiness, sizeof(target.readiness));
		assert_memory_equal(&target.coverage, &release->figures.coverage, sizeof(target.coverage));
		assert_true(target.verdict == release->figures.verdict);
	}
	assert_true(blocked > 0 && unknown > 0 && open > 0);
}

/* Of a composite that stays the same over releases on which its call gains types. */
static void a_composite_is_as_open_as_its_call_on_each_release(void **state)
{
	struct fixture *fixture = *state;
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct op_link link = { STR("aten::nonzero"), STR("aten::batch_norm"), 1, 1, 0 };
	struct judge full = { .resolver = fixture->resolver, .profile = profile };
	struct composites *composites;
	struct call_facts call_facts;
	struct err err = { 0 };
	unsigned open = 0, closed = 0;

	feed_steps(&sink, "", "aten::batch_norm [[1]] =3; aten::nonzero [[4]] =5");
	sink.links(sink.ctx, 0, RELATION_PARENT, &link, 1);
	profile_finish(profile);
	CLEANUP(surveyed_clear) struct surveyed all = survey_of_profile(fixture, profile, NULL, NULL);
	full.operators = all.weights.operators = &all.operators; /* they moved */
	full.arena = &all.arena;
	assert_int_equal(call_facts_gather(&full, &call_facts, &err), 0);
	full.call_facts = &call_facts;
	full.composites = composites = composites_new(&all.arena, profile, &all.operators);
	for (size_t i = 0; i < all.survey.count; i++) {
		const struct survey_release *release = &all.survey.releases[i];
		struct judgement judgements[2];
		struct result_target target = { .count_count = 0 };

		assert_int_equal(judge_all(&full, &release->target, judgements, &err), 0);
		readiness_sum(&all.arena, &all.weights, judgements, false, &target);
		assert_memory_equal(&target.readiness, &release->figures.readiness, sizeof(target.readiness));
		open += judgements[0].open_types != 0;
		closed += judgements[0].open_types == 0;
	}
	composites_clear(composites);
	assert_true(open && closed);
}

static size_t position(const struct survey *survey, const char *id)
{
	for (size_t i = 0; i < survey->count; i++) {
		if (strcmp(survey->releases[i].target.id, id) == 0)
			return i;
	}
	fail_msg("no release %s", id);
	return SURVEY_NONE;
}

static void blockers_are_compared_with_the_release_before_or_the_one_given(void **state)
{
	CLEANUP(surveyed_clear)
	struct surveyed before = survey_of(*state, "aten::isin [[2]] x1 =5; aten::add [[2]] x1 =5", NULL, NULL);
	CLEANUP(surveyed_clear)
	struct surveyed given = survey_of(
		*state, "aten::isin [[2]] x1 =5; aten::add [[2]] x1 =5", NULL, "npu@2.1.0-6.0.0");
	size_t fixed_at = position(&before.survey, "npu@v1.11.0-5.0.rc3"); /* the first that has isin */
	const struct survey_release *first = &before.survey.releases[position(&before.survey, "npu@v1.8.1-3.0.rc1")];
	const struct survey_release *old = &given.survey.releases[position(&given.survey, "npu@v1.11.0-5.0.rc2")];

	assert_int_equal(before.survey.releases[fixed_at].against, fixed_at - 1);
	assert_int_equal(before.survey.releases[fixed_at].fixed.count, 1);
	assert_int_equal(before.survey.releases[fixed_at].fixed.items[0], 0);
	assert_true(first->against == SURVEY_NONE);
	assert_int_equal(old->against, position(&given.survey, "npu@v2.1.0-6.0.0"));
	assert_int_equal(old->fresh.count, 1);
	assert_int_equal(old->fixed.count, 0);
	assert_int_equal(before.survey.releases[position(&before.survey, "musa@v1.0.0")].against, SURVEY_NONE);
}

static void an_assumption_stands_in_the_place_of_what_is_known(void **state)
{
	CLEANUP(assumption_list_clear) struct assumption_list list = { 0 };
	struct err err = { 0 };

	assert_int_equal(assumption_list_add(&list, STR("isin=native"), &err), 0);
	assert_int_equal(assumption_list_add(&list, STR("aten::add=native"), &err), 0);
	assert_int_equal(assumption_list_add(&list, STR("aten::add=needs-package"), &err), 0); /* the later holds */
	assert_int_equal(list.count, 2);
	CLEANUP(surveyed_clear)
	struct surveyed all = survey_of(*state, "aten::isin [[2]] x1 =5; aten::add [[2]] x1 =15", &list, NULL);

	for (size_t i = 0; i < all.survey.count; i++) {
		assert_int_equal(all.survey.releases[i].blockers.count, 1);
		assert_int_equal(all.survey.releases[i].blockers.items[0], 1);
		assert_int_equal(all.survey.releases[i].figures.readiness.time.hi_ppm, 250000);
	}
}

static void what_is_no_assumption_is_refused(void **state)
{
	static const char *const wrong[] = { "", "aten::add", "=native", "aten::add=", "aten::add=fine",
		"aten::add=Native" };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CLEANUP(assumption_list_clear) struct assumption_list list = { 0 };
		struct err err = { 0 };

		assert_int_equal(assumption_list_add(&list, str_from(wrong[i]), &err), -ERR_VALUE);
		assert_true(err.hint[0]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_smallest_move_that_clears_all_is_taken),
		cmocka_unit_test(a_downgrade_has_to_clear_a_blocker),
		cmocka_unit_test(among_equals_the_readier_is_best),
		cmocka_unit_test(packages_that_clear_a_release_make_moves_needless),
		cmocka_unit_test(a_move_says_what_it_clears_leaves_and_brings),
		cmocka_unit_test(a_survey_says_what_full_verdicts_say),
		cmocka_unit_test(a_composite_is_as_open_as_its_call_on_each_release),
		cmocka_unit_test(blockers_are_compared_with_the_release_before_or_the_one_given),
		cmocka_unit_test(an_assumption_stands_in_the_place_of_what_is_known),
		cmocka_unit_test(what_is_no_assumption_is_refused),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
