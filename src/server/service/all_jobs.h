#pragma once
/* The jobs that wait and run: in this service, and checks of dumps in all that share its store. */
#include "server/jobs/queue_look.h"
#include "server/service/service.h"

/* In the arena. Returns how many; where the store fails, those of this service. */
size_t all_jobs(const struct service *service, struct arena *arena, struct queue_item **ret);
