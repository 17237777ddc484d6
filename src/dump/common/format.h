#pragma once
/*
 * A reader of one dump format: it turns bytes into events and fills the facts of the dump; it knows no database and no
 * report.
 *
 * dump/README.md shows how to add one.
 */
#include "base/setup/err.h"
#include "base/setup/limits.h"
#include "dump/common/facts.h"
#include "op/event.h"

struct dump_context {
	const struct event_sink *sink;
	const struct limits *limits;
	struct dump_facts *facts;
};

struct text;

/* Scores from here on leave no doubt: no other format is asked. */
enum { DUMP_CERTAIN = 90 };

struct dump_format {
	const char *name;
	/* Match of the first bytes, up to 100: 0 not at all. */
	int (*sniff)(struct str head);
	/* The state of one reading, given to the others and freed by close. */
	void *(*open)(const struct dump_context *context);
	int (*feed)(void *state, struct str chunk, struct err *err);
	int (*finish)(void *state, struct err *err);
	void (*close)(void *state);
};

/* The formats; dump.c chooses one by its sniff. */
extern const struct dump_format dump_csv, dump_et, dump_json_list, dump_notebook, dump_oplist, dump_table, dump_trace;
