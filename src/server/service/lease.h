#pragma once
/* Leases of this process on the tickets and keys of the store. */
#include "server/service/service.h"

/* Returns a lease of this service from now on. */
struct lease service_lease(const struct service *service);
