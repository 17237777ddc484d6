#pragma once
/*
 * Text of sections with settings in them, as configuration and waiver files are written:
 *
 *	# a comment
 *	[section]
 *	key = value
 *
 * A value runs to the end of its line; blanks around it do not count, and neither quotes nor backslashes mean anything.
 * Keys before the first section are in the section "".
 *
 *	struct ini ini = ini_of(text, STR(".opcheck.conf"));
 *	while ((status = ini_next(&ini, &item, err)) == 1)
 *		...
 */
#include "base/setup/err.h"
#include "base/view/str.h"

enum { INI_LINE_BYTES = 4096 };

struct ini {
	struct str rest, name; /* name: of the file, for errors */
	struct str section;    /* the current section */
	unsigned line;         /* of the item that was read last */
};

struct ini_item {
	struct str section; /* the text between the brackets */
	struct str key;     /* "": a section begins here */
	struct str value;
};

/* Start at the beginning of text; text and name outlive the reader. */
struct ini ini_of(struct str text, struct str name);

/* Read the next item, as views of the text: 1; at the end 0. ERR_CONFIG with file and line for any other line, or
   invalid text. */
int ini_next(struct ini *ini, struct ini_item *ret, struct err *err);

/* Set the position of an error to the item read last. Returns the negative code. */
int ini_where(const struct ini *ini, struct err *err);
