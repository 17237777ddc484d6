#include "server/service/lease.h"

#include <time.h>

enum { LEASE_SECONDS = 600 };

struct lease service_lease(const struct service *service)
{
	uint64_t now = (uint64_t)time(NULL);

	return (struct lease){ str_from(service->holder), now, now + LEASE_SECONDS };
}
