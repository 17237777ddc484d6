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
	struct str section;    /* the one that is open */
	unsigned line;         /* of the item that was read last */
};

struct ini_item {
	struct str section; /* the text between the brackets */
	struct str key;     /* "": a section begins here */
	struct str value;
};

/* Takes text from its beginning; text and name outlive it. */
struct ini ini_of(struct str text, struct str name);

/* The next item, views of the text: 1; at the end 0. ERR_CONFIG with file and line for what is neither, or no text. */
int ini_next(struct ini *ini, struct ini_item *ret, struct err *err);

/* Says of an error in err where it is: in the item that was read last. Returns the negative code. */
int ini_where(const struct ini *ini, struct err *err);
