#pragma once
/* How to start a ported program: a shell script with torchrun on one node and on several, made of the arguments that
   the program's main script declares and the environment that it reads. */
#include "scan/port.h"

void launcher_put(const struct port *port, enum lang lang, struct buf *out);
