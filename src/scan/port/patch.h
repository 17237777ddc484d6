#pragma once
/* The edits of a port as a unified diff. They are known by place, so no lines have to be compared. */
#include "scan/port/port.h"

/* A unified diff that `git apply` and `patch -p1` take; each hunk names its rules. */
void port_put_patch(const struct port *port, struct buf *out);

/* The path of a script below a folder that it is written to: no "..", no leading "/"; as it is shown. */
struct str port_path(struct str path);
struct str shown_path(struct str path);
