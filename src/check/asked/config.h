#pragma once
/*
 * Configuration: values of options missing on the command line. A key is the name of an option; each program has one
 * table.
 *
 * Values come, the strongest first, from the command line, from the environment, from files in their order, and from
 * the program. Files have the form of base/setup/ini.h; a key that may have several values is given several times,
 * and all of one file hold together.
 */
#include "base/memory/arena.h"
#include "base/setup/limits.h"
#include "check/asked/config_key.h"

struct config_value {
	const struct config_key *key;
	struct str value;  /* of a limit: "name=value"; a path as it can be opened */
	struct str origin; /* the file; */
	unsigned line;
	size_t file; /* in the order of reading */
};

struct config {
	const struct config_key *keys; /* ended by one without a name */
	struct config_value *items;    /* on the heap */
	size_t count, capacity;
	struct str_list files; /* read, the strongest first */
	struct arena arena;
};

struct config config_of(const struct config_key *keys);
void config_clear(struct config *config);

/* Reads text as if it were a file of that path; repository: it came with one. ERR_CONFIG with file and line. */
int config_read_text(struct config *config, struct str text, const char *path, bool repository, struct err *err);

/* Reads a file, weaker than those before. ERR_CONFIG, also when it cannot be read. */
int config_read(struct config *config, const char *path, bool repository, struct err *err);

/* The file for a name (".opcheck.conf"): in the current directory, else in the nearest one above it up to the root
   of its repository; "" without one. Outside a repository only the current directory counts: folders above it may
   belong to other users. */
struct str config_find(struct config *config, const char *name);

/* Returns whether some option of the command has a setting: only then its run needs the files. */
bool config_concerns(const struct config *config, const struct option *options, const char *command);

/* A run of a command whose options are to be set. */
struct config_use {
	const char *command;
	const struct option *options;
	const bool *given; /* by place in the table: the command line has the option */
	void *ctx;         /* of the options */
};

/* Sets the options that are not given, from the environment and the files. Errors have the variable or file and line as
   position; ERR_CONFIG for a value that its option refuses. */
int config_apply(struct config *config, const struct config_use *use, struct err *err);

/* The values of a key, all of the strongest file that has it: the one after that (NULL: the first), or NULL. */
const struct config_value *config_next(
	const struct config *config, const struct config_key *key, const struct config_value *after);

/* The variable's value, or NULL when it is not set. */
const char *config_variable(const struct config_key *key);

/* --- the settings of opcheck: the command line, `opcheck config` and the manual are made of them or checked against
   them */
