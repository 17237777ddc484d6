#pragma once
/*
 * Options of a program or a command, from one table that the parser, the help text and the tests of the manual page
 * read.
 *
 * GNU style: --name=value or --name value, -x value or -xvalue, -- ends options, names are never abbreviated.
 */
#include <stddef.h>

#include "base/memory/buf.h"
#include "base/setup/err.h"

struct option {
	char short_name;   /* 0: none */
	const char *name;  /* without the dashes */
	const char *value; /* name of its value in the help text; NULL for a switch */
	const char *help;  /* one line; NULL: works, but is not shown */
	size_t field;      /* offset of a bool (a switch) or of a struct str (a value) in the context, without set */
	int (*set)(void *ctx, struct str value, struct err *err);
	bool repeated;     /* the field is a struct str_list, and each value is appended */
	const char *topic; /* listed by options_put_topic and not with the others; NULL: none */
	/* as set, with the option's name: one function for many */
	int (*set_named)(void *ctx, const char *name, struct str value, struct err *err);
};

/* The values of an option that may be given several times: views of the arguments, which end with a NUL. */
struct str_list {
	struct str *items; /* on the heap */
	size_t count, capacity;
};

#define FIELD(type, member) offsetof(struct type, member), NULL
#define LIST(type, member) offsetof(struct type, member), NULL, true
#define CALL(function) 0, (function)

/* An argument vector without its options. */
struct arguments {
	const char **items; /* operands, on the heap: arguments_clear */
	size_t count;
	bool help; /* --help was among the options */
};

/* Arguments of a program or a command, without its own name. */
struct argument_vector {
	int count;
	char **items;
};

/* Takes arguments apart by the options, which end at a NULL name: sets their fields of ctx or calls their functions, in
   order. ERR_OPTION with the nearest name, ERR_ARGUMENT for a missing value, or what a function returns. */
int options_parse(
	const struct option *options, struct argument_vector given, void *ctx, struct arguments *ret, struct err *err);

void arguments_clear(struct arguments *arguments);

/* Frees the lists that the options have filled. */
void options_clear(const struct option *options, void *ctx);

/* Returns the number of options in a table. */
size_t options_count(const struct option *options);

/* Looks through arguments and sets nothing but *ret_help and, by place in the table, which options are given. The
   errors of options_parse as far as they need no function of an option. */
int options_given(
	const struct option *options, struct argument_vector given, bool *ret_given, bool *ret_help, struct err *err);

/* Sets one option as if the value had been given; "" for a switch. The value of a list ends with a NUL. */
int option_set(const struct option *option, void *ctx, struct str value, struct err *err);

/* Appends the help text of the options, --help included, fitting 80 columns. */
void options_put_help(struct buf *buf, const struct option *options);

/* Append a usage or the name of a value, with its words in capitals translated. */
void options_put_usage(struct buf *buf, struct str usage);

/* The options of a topic alone. */
void options_put_topic(struct buf *buf, const struct option *options, const char *topic);
