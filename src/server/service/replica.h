#pragma once
/*
 * One of several services on a database. A thread shows that this one lives, claims jobs while it has free slots,
 * renews its leases, ends jobs that were cancelled elsewhere, and wakes clients whose jobs were done elsewhere. It does
 * so on signals of the others, and once a second where one is missed.
 */
#include "server/service/service.h"

/* Starts the thread; the service's queue runs. ERR_INTERNAL, and errors of the store. */
int replica_start(struct service *service, struct err *err);

/* Claims no further jobs. NULL is allowed, here and below. */
void replica_rest(struct replica *replica);

/* Gives its jobs to the others, and frees. */
void replica_stop(struct replica *replica);

/* Services that live; at least 1. */
unsigned replica_count(const struct replica *replica);

/* Returns whether this service does what one at a time does. */
bool replica_leads(const struct replica *replica);

/* Returns whether all services that live have the same facts. */
bool replica_agrees(const struct replica *replica);

/* Jobs that wait for a service with other facts than this one's. */
unsigned replica_left(const struct replica *replica);
