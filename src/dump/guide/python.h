#pragma once
/* What Python 3 does with a str, for lists that have to be those of the guide's script byte for byte. */
#include "base/buf.h"

/* str.strip(): text without white space of any script at both ends. text is valid UTF-8. */
struct str python_strip(struct str text);

/* Appends repr() of a list of str: "['aten::add', \"it's\"]" with Python's choice of quotes and escapes. */
void python_put_list(struct buf *buf, const struct str *names, size_t count);
