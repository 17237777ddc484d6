#pragma once
/*
 * The Python in a Jupyter notebook: its code cells one after the other, as the text of a script; and what it has for a
 * shell, such as `!pip install x`, `%pip install x` and cells of `%%bash`, as that of another. A cell of
 * `%%writefile train.py` is a script of its own.
 *
 * Lines for IPython (`%matplotlib inline`, `!pip install x`, `x?`) are statements of Python that do nothing, and cells
 * that begin with a magic for another language are left out.
 */
#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "scan/source/files.h"

struct notebook_text {
	struct str text;
	const uint32_t *origin; /* by byte of the text, and of its end: the byte of the file that it comes from */
};

/* Texts apart from the Python: for a shell, with a NUL after the part of each shell, and files that cells write. */
struct notebook_part {
	enum script_kind kind;
	struct notebook_text text;
};

struct notebook {
	struct notebook_text python;
	struct notebook_part *parts;
	size_t part_count;
	uint64_t magics; /* lines that were not read */
};

/* The bytes of the file that a character of a cell takes there: "\\n" is two. */
size_t notebook_width(struct str file, uint32_t at);

/* Read a file of less than 4 GiB. ERR_UNREAD unless it is a notebook of format 4 in Python. */
int notebook_read(struct str file, struct arena *arena, struct notebook *ret, struct err *err);
