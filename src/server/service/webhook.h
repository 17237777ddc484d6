#pragma once
/*
 * Tells an address of the operator's about each run, or each regression, with POST and a signature; in a thread of its
 * own, from deliveries of the store, which survive a restart. An attempt that is not answered with 2xx is made again,
 * later and later, up to a limit.
 */
#include "server/service/service.h"

struct webhook_settings {
	struct str url;         /* "": none */
	struct str secret_file; /* its first line is the key of signatures */
	struct str events;      /* "finished": each run; "regressed": those, and what does not compare */
	bool private_addresses; /* also an address of this machine or of a network that is not public */
};

struct webhook;

/* NULL in *ret where there is none. ERR_VALUE, ERR_FILE, or ERR_CONNECT without libcurl. Before the first request. */
int webhook_start(
	const struct service *service, const struct webhook_settings *settings, struct webhook **ret, struct err *err);

/* Check the settings, for --check. */
int webhook_check(const struct webhook_settings *settings, struct err *err);

/* An attempt that is under way is cut off. NULL is allowed. */
void webhook_stop(struct webhook *webhook);
