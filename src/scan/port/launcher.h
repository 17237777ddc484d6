#pragma once
/* The script that starts a ported program. */
#include "scan/port/port.h"

/* Write a shell script that starts the ported program with torchrun on one node and on several, from the arguments
   that its main script declares and the environment that it reads. */
void launcher_put(const struct port *port, enum lang lang, struct buf *out);
