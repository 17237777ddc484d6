#pragma once
/* Resumes submits that were acknowledged, as after a crash. */
#include "server/service/service.h"
#include "store/ticket.h"

/* Starts the submit of a ticket that this service has a lease on: 0; else the ticket is over, or returned, and the
   result is that of submit_start. */
int submit_again(const struct service *service, const struct ticket *ticket, struct err *err);

/* Takes over each ticket on which no process has a lease. */
int submits_resume(const struct service *service, struct err *err);
