#include "server/service/service.h"

#include "store/work.h"

enum { LEASE_SECONDS = 600 }; /* of a service that has the store to itself */

struct lease service_lease(const struct service *service)
{
	uint64_t now = store_now(service->store);
	uint64_t seconds = store_is_shared(service->store) ? service->limits->lease_seconds : LEASE_SECONDS;

	return (struct lease){ str_from(service->holder), now, now + seconds + 1 }; /* now may be a second old */
}
