#pragma once
/* Lists of operators as Python writes them. */
#include "dump/guide/guide.h"

/* Text functions of the script's Python. str.strip(): without white space of any script at both ends; text is valid
   UTF-8. */
struct str python_strip(struct str text);

/* Appends repr() of a list of str: "['aten::add', \"it's\"]" with Python's choice of quotes and escapes. */
void python_put_list(struct buf *buf, const struct str *names, size_t count);
