#pragma once
/* The structs of a profile (op/profile.h) that its readers see. */
#include "op/event.h"
#include "op/step_runs.h"

/* One distinct name as recorded. */
struct profile_name {
	struct str text;
	struct name_style style;
	struct name name;         /* views into text or static */
	uint64_t calls;           /* of all its uses, after profile_finish */
	uint64_t compiling_calls; /* in steps of tables that were compiling; of a part alone */
	uint32_t last_use;        /* the newest of its uses: further ones follow by previous_of_name */
	uint32_t dump;            /* that first shows it, by the order of the sinks */
	uint64_t line, offset;    /* there, as of struct op_row */
};

/* Strides and values of a use, one after the other: the smallest of either in byte order. */
struct use_details {
	uint32_t strides_len, concrete_len;
	char text[];
};

#define NO_USE UINT32_MAX
/* One name with one set of shapes in one stream. Names other than operators have one use, without shapes. A dump has
   as many as shapes: each fits two lines of the cache. */
struct profile_use {
	uint32_t name, stream;     /* positions in the profile's lists */
	uint32_t previous_of_name; /* another use of the name, or NO_USE */
	uint32_t kernels : 28;     /* launched by its calls, as of struct op_row; it stops at the maximum */
	bool has_overload : 1, shapes_cut : 1, strides_vary : 1, concrete_varies : 1;
	struct str overload, shapes, dtypes;
	uint64_t shapes_hash;        /* hash_str of the shapes, by the seed of the process */
	struct use_details *details; /* NULL: none */
	uint64_t calls;
	int64_t self_cpu_ns, cpu_total_ns, self_device_ns;
	struct step_runs steps;
};

/* "" when there was none. */
static inline struct str use_strides(const struct profile_use *use)
{
	return use->details ? (struct str){ use->details->text, use->details->strides_len } : STR("");
}

static inline struct str use_concrete(const struct profile_use *use)
{
	return use->details ? (struct str){ use->details->text + use->details->strides_len, use->details->concrete_len }
			    : STR("");
}

struct profile_stream {
	struct str label;           /* "" for an unmarked one */
	uint32_t steps, views;      /* views: tables that showed a step once more */
	uint32_t averaged;          /* tables that cover several steps */
	uint32_t stepless;          /* tables whose steps are unknown */
	unsigned has;               /* enum table_has of its tables, or-ed */
	unsigned lacks;             /* enum table_has that some table of it lacked */
	struct step_runs compiling; /* steps in which torch.compile was compiling */
	struct step_runs torn;      /* steps whose table has no end */
};

/* Shares of the time that the tables of a dump state. Host time of other rows is not counted. */
struct profile_time {
	int64_t operators_ns, missing_ns;  /* missing: time in footers beyond the rows */
	int64_t collectives_ns, others_ns; /* of the device; others: these two, and kernels that no row launched */
	int64_t compiled_ns, functions_ns;
};

/* Contents of one dump, in the order in which sinks were made. */
struct profile_dump {
	uint32_t steps; /* that it was the first to show */
	uint32_t ranks; /* streams that it wrote to */
	struct profile_time host, device;
};

struct profile_turn {
	uint32_t use;   /* position in profile_uses; NO_USE when the caps of the profile left it out */
	uint32_t depth; /* number of operators around it */
};
