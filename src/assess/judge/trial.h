#pragma once
/*
 * Inside judge.c: one operator on one target, under way.
 *
 * judge.c asks the database and writes the verdict. The trial_*.c narrow the answer by what the dump shows: which
 * overloads the calls are, whether the program names another backend's operator itself, and limits of types, chips and
 * the site.
 */
#include "assess/judge/call_facts.h"

enum { MAX_OVERLOADS = 16, MAX_CONDITIONS = 10 };

struct trial {
	const struct judge *judge;
	const struct op *op;
	size_t index; /* of the operator */
	const struct target *target;
	struct str overload; /* "": the name as a whole */
	enum reading reading;
	struct judgement *judgement;
	struct err *err;
};

/* Start with a status and flags; nothing else is possible. */
void trial_start(struct trial *trial, enum op_status status, unsigned flags);

/* Notes that the answer may be another one: statuses of one class differ in nothing that counts. */
void trial_widen(struct trial *trial, enum op_status status);

/* The answer is this status or a worse one. */
void trial_become(struct trial *trial, enum op_status status);

/* A condition with operator and target filled in. */
struct message *trial_condition(struct trial *trial, const char *id);

/* Appends to the text that says how the answer follows. */
void trial_via(struct trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));
