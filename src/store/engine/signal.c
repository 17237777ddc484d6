#include "store/engine/signal.h"

#include "store/engine/calls.h"

int engine_listen(struct engine *engine, const struct engine_ear *ear, struct err *err)
{
	return engine->calls->listen(engine, ear, err);
}
