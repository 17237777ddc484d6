#pragma once
/* What a port did and what it leaves to a person. */
#include "scan/port/port.h"

/* What was done and what is left, for a person; as JSON; as a row for each edit and each place that is left. */
void port_put_text(const struct port *port, enum lang lang, struct buf *out);
void port_put_json(const struct port *port, struct buf *out);
void port_put_csv(const struct port *port, struct buf *out);
