#pragma once
/* Keys of a configuration: a table for each program. */
#include "base/setup/opt.h"

enum config_kind {
	CONFIG_TEXT,
	CONFIG_SWITCH, /* true or false */
	CONFIG_LIST,   /* several values */
	CONFIG_PATH,   /* in a file it is relative to the file's directory */
	CONFIG_PATH_LIST,
	CONFIG_LIMITS, /* the section holds names of limits */
};

struct config_key {
	const char *section, *name; /* "": before the first section; the name is that of the option */
	enum config_kind kind;
	const char *initial;          /* the default, for people; NULL: none */
	const char *variable;         /* of the environment; NULL: none */
	bool variable_read_elsewhere; /* by who needs the value: here it only keeps files from deciding */
	bool private;                 /* not taken from a file that a repository brings */
	const char *commands;         /* that take it, with blanks between them; NULL: all that have the option */
	int (*check)(const struct config_key *key, struct str value, struct err *err); /* NULL: any text */
};
