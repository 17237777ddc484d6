#pragma once
/* What the service and the process of a job write to each other: fields, each preceded by its length. */
#include "base/memory/buf.h"

void field_put(struct buf *out, struct str text);
void field_put_number(struct buf *out, uint64_t number);

/* Takes the next one off rest. False when it is not whole, or no number. */
bool field_take(struct str *rest, struct str *ret);
bool field_take_number(struct str *rest, uint64_t *ret);

/* Appends a whole file, whatever its position. False when it cannot be read. */
bool field_read_file(int fd, struct buf *ret);
