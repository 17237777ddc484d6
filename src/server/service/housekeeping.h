#pragma once
/*
 * Background work of the service, in a thread: writes the audit log, renews the leases on its tickets, takes over
 * those without a lease, and once an hour removes expired data.
 */
#include "server/service/service.h"
#include "store/audit.h"

/* Starts the thread; service must outlive it. ERR_INTERNAL. */
int housekeeper_start(const struct service *service, struct housekeeper **ret, struct err *err);

/* Writes what is left, ends the thread and frees. NULL is allowed. */
void housekeeper_stop(struct housekeeper *housekeeper);

/* Notes an entry, whose time is now; texts are copied. Entries that come faster than they can be written are counted
   and logged. */
void housekeeper_note(struct housekeeper *housekeeper, const struct audit *audit);

/* Writes the entries noted so far, which otherwise takes up to a second. NULL is allowed. */
void housekeeper_write_notes(struct housekeeper *housekeeper);
