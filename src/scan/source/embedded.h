#pragma once
/*
 * Python inside of a shell script: `python -c "..."`, also in $(...), and the here-documents of python. Each is a part
 * as a notebook has them; variables of the shell in it read as names of Python.
 */
#include "scan/source/notebook.h"

/* Fills in the parts; the text is of less than 4 GiB. */
void embedded_read(struct str text, struct arena *arena, struct notebook *ret);
