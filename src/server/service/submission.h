#pragma once
/*
 * A submission: what a client asks of a dump. One record describes it: a form, the message of a job, the options of an
 * assessment and the input of re-judging are read and written by it. The options are those of a resolved submission
 * (resolution.h), in which everything that is empty here is left out.
 */
#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "base/setup/parameters.h"
#include "check/asked/terms.h"
#include "record/record.h"

/* A part of the dump, in which all files are one behind the other. */
struct submission_file {
	struct str name;
	uint64_t bytes;
	bool is_source; /* a script of the program */
};

struct submission_waivers {
	struct str name, text; /* of a file; text "": the digest alone is known */
	struct str sha256;     /* "" until resolved */
	bool of_project;       /* accepted by the project, not sent with the dump */
};

struct term_value {
	const struct term *term;
	struct str value;
};

struct submission {
	struct str *targets; /* as a user writes them; none: the newest stable releases */
	size_t target_count;
	struct str *asked; /* resolved: the targets as they were written; none: by their ids or bare names */
	size_t asked_count;
	struct term_value *terms; /* in the order of term_table */
	size_t term_count;
	struct str baseline; /* id of an assessment */
	struct submission_waivers *waivers;
	size_t waiver_count;
	bool no_stacks; /* leaves out where the program calls operators */
	struct submission_file *files;
	size_t file_count;                                 /* 0: the dump is one */
	struct str name;                                   /* what the report calls the dump */
	struct str torch;                                  /* only releases for this version of PyTorch */
	struct str project, model, branch, revision, tags; /* of the run; tags as struct run has them */
};
extern const struct record submission_record;

/* Reads a form with the name of the dump's file. ERR_VALUE, ERR_ARGUMENT for scripts without a dump. Text lives as long
   as the form or in the arena. */
int submission_of_form(const struct parameters *form, struct str file_name, struct arena *arena, struct submission *ret,
	struct err *err);

/* Replace the data types that are stated; their value is checked when the submission is resolved. */
void submission_state_types(struct submission *submission, struct str types, struct arena *arena);

/* A submission as JSON on one line, in the arena; and back: ERR_STORE_DAMAGED. */
struct str submission_json(const struct submission *submission, struct arena *arena);
int submission_of_json(struct str json, struct arena *arena, struct submission *ret, struct err *err);
