#include "assess/shapes.h"

#include "assess/assess.h"
#include "assess/listing.h"
#include "assess/shape/dynamic.h"
#include "assess/shape/followers.h"
#include "base/memory/mem.h"

/* Both need no database, and so may go on in threads beside the judging. */
static void *analyse_shapes(void *arg)
{
	struct assessment *work = arg;
	struct dynamic_options options = { capture_hides_rows_of_steps(
		work->request->inputs, work->request->input_count) };

	dynamic_analyse(&work->shapes_arena, work->request->profile, &work->operators, options, work->dynamic);
	buckets_gather(work->request->profile, &work->operators, work->dynamic, &work->sizes);
	assessment_choose_shapes(work);
	return NULL;
}

static void *gather_calls(void *arg)
{
	struct assessment *work = arg;
	unsigned types = work->request->stated_types;

	calls_gather(&work->calls_arena, work->request->profile, types & (types - 1) ? 0 : types, &work->calls);
	return NULL;
}

void assessment_start_shapes(struct assessment *work)
{
	static void *(*const steps[BESIDE])(void *) = { analyse_shapes, gather_calls };
	size_t uses;

	profile_uses(work->request->profile, &uses);
	work->dynamic = arena_alloc(&work->scratch, (work->operators.count + 1) * sizeof(work->dynamic[0]));
	work->by_data = arena_alloc(&work->scratch, work->operators.count + 1);
	for (size_t i = 0; i < BESIDE; i++)
		beside_start(&work->beside[i], uses, steps[i], work);
}

void assessment_finish_shapes(struct assessment *work)
{
	for (size_t i = 0; i < BESIDE; i++)
		beside_wait(&work->beside[i]);
	arena_join(work->arena, &work->shapes_arena);
	followers_find(work->request->profile, &work->operators, work->by_data, work->dynamic);
	for (size_t i = 0; i < work->operators.count; i++) {
		if (work->by_data[i])
			dynamic_set_data_dependent(&work->dynamic[i]);
	}
}
