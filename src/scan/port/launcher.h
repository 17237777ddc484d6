#pragma once
/* How to start a ported program. */
#include "scan/port/port.h"

/* How to start the ported program: a shell script with torchrun on one node and on several, made of the arguments that
   its main script declares and the environment that it reads. */
void launcher_put(const struct port *port, enum lang lang, struct buf *out);
