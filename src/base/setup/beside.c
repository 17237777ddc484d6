#include "base/setup/beside.h"

enum { WORTH_A_THREAD = 1000 };

void beside_start(struct beside *beside, size_t items, void *(*run)(void *arg), void *arg)
{
	beside->runs = items >= WORTH_A_THREAD && pthread_create(&beside->thread, NULL, run, arg) == 0;
	if (!beside->runs)
		run(arg);
}

void beside_wait(struct beside *beside)
{
	if (beside->runs)
		pthread_join(beside->thread, NULL);
	beside->runs = false;
}

struct half {
	beside_run *run;
	void *ctx;
	size_t to;
};

static void *run_half(void *arg)
{
	const struct half *half = arg;

	half->run(half->ctx, 0, half->to);
	return NULL;
}

void beside_halves(size_t items, beside_run *run, void *ctx)
{
	struct half half = { run, ctx, items / 2 };
	struct beside beside;

	beside_start(&beside, items, run_half, &half);
	run(ctx, half.to, items);
	beside_wait(&beside);
}
