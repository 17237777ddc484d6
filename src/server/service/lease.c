#include "server/service/lease.h"

enum { LEASE_SECONDS = 600 };

struct lease service_lease(const struct service *service)
{
	uint64_t now = store_now(service->store);

	return (struct lease){ str_from(service->holder), now, now + LEASE_SECONDS };
}
