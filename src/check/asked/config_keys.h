#pragma once
/* The keys of the configuration of `opcheck`, and where it is read from. */
#include "check/asked/config.h"

/* Ended by one without a name. */
const struct config_key *config_keys(void);

/* Reads the files of a run: $OPCHECK_CONFIG alone ("none": nothing), else the repository's .opcheck.conf, the user's
   opcheck/opcheck.conf and /etc/opcheck/opcheck.conf, those that exist. ERR_CONFIG. */
int config_read_usual(struct config *config, struct err *err);
