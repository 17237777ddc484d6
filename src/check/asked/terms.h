#pragma once
/*
 * Options of a check apart from dumps and targets: one table for the command line and its help, the configuration,
 * the service and its client, so that all have the same names, meanings and errors. Waivers and a baseline are files
 * and not in it (check/asked/policy_files.h).
 */
#include "assess/assess.h"
#include "assess/gate/policy.h"
#include "assess/judge/assume.h"

/* Statements of a user about the program, and demands on its dump. */
struct stated {
	unsigned types;            /* enum dtype that the program computes in; 0: not stated */
	bool uncovered_given;      /* else the usual limit holds */
	int64_t max_uncovered_ppm; /* of the time that is of no operator */
	bool slow_given;
	int64_t slow_ppm; /* of the time on the host or the AI CPU: from there on it warns */
	bool require_dtypes;
};

/* The values of all terms; the policy is initialised. */
struct terms {
	struct policy *policy;
	struct stated *stated;
	struct cost_options *cost;
	struct assumption_list *assumptions;
};

enum term_kind { TERM_WORD, TERM_LIST, TERM_SWITCH };

struct term_use {
	const struct terms *terms;
	const struct term *term;
};

struct term {
	const char *name; /* the option: "max-blocked-time"; NULL: that of the budget */
	enum term_kind kind;
	int (*set)(const struct term_use *use, struct str value, struct err *err);
	/* Appends it in the form that the same meaning always has, several divided by line feeds; nothing where it is
	   not given. */
	void (*put)(const struct term_use *use, struct buf *out);
	const char *value, *help, *topic;         /* of the option (base/setup/opt.h); help NULL: that of the budget */
	const char *section, *variable, *initial; /* of the setting (config_key.h); section NULL: it is none */
	size_t place;                             /* of a budget in budget_kinds */
};

extern const struct term term_table[];
extern const size_t term_count;
const struct term *term_named(struct str name); /* by its option; or NULL */
const char *term_name(const struct term *term);
const char *term_help(const struct term *term);

/* The name of a parameter of the service: "max_blocked_time". */
enum { TERM_NAME_BYTES = 32 };
const char *term_parameter(const struct term *term, char space[TERM_NAME_BYTES]);

/* Calls take with each value that is given, "true" for a switch, in the order of the table. */
void terms_each(
	const struct terms *terms, void (*take)(void *ctx, const struct term *term, struct str value), void *ctx);

/* Reads "YYYY-MM-DD", the day on which waivers must be valid; "": today. ERR_VALUE. */
int terms_set_date(struct policy *policy, struct str date, struct err *err);

/* ERR_NOT_OBSERVABLE where data types are required and the result asks for them. */
int stated_allows(const struct stated *stated, const struct result *result, struct err *err);
