#pragma once
/* Edits of a port, and findings left to a person. */
#include "scan/port/port.h"

/* Edits and remaining findings as text; as JSON; as CSV with a row for each. */
void port_put_text(const struct port *port, enum lang lang, struct buf *out);
void port_put_json(const struct port *port, struct buf *out);
void port_put_csv(const struct port *port, struct buf *out);
