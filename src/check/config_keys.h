#pragma once
/* The settings of opcheck, in one table. The command line, `opcheck config` and the manual are made of it or checked against it. */
#include "check/config.h"

extern const struct config_key config_keys[];

/* Reads what a run goes by: $OPCHECK_CONFIG alone ("none": nothing), else the repository's .opcheck.conf, the user's
   opcheck/opcheck.conf and /etc/opcheck/opcheck.conf, as far as they are there. ERR_CONFIG. */
int config_read_usual(struct config *config, struct err *err);
