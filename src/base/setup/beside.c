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
