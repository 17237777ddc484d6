#pragma once
/*
 * Contents of a dump: a stream (one rank of one file) holds tables, a table holds rows.
 *
 * A table is one step, or several steps averaged. A trace is one table whose rows say which of its steps they belong
 * to (TABLE_STEPPED). Text that a reader passes lives only during the call; where it is "", its
 * ptr may be NULL.
 */
#include "op/link.h"

/* Columns that a table has; a fact about the dump, not about a row. */
enum table_has {
	TABLE_HAS_SHAPES = 1 << 0,
	TABLE_HAS_TIMES = 1 << 1,
	TABLE_HAS_DEVICE_TIMES = 1 << 2,
	TABLE_HAS_OVERLOADS = 1 << 3,
	TABLE_HAS_DTYPES = 1 << 4,
	TABLE_BARE_NAMES = 1 << 5, /* PyTorch up to 1.6: operators stand without "aten::" */
	TABLE_TOP_LEVEL = 1 << 6,  /* printed with top_level_events_only */
	TABLE_STEPPED = 1 << 7,  /* a trace: rows carry their step; its other figures come with the end of the table */
	TABLE_NO_STEPS = 1 << 8, /* rows of an unknown number of steps */
	TABLE_DEVICE_TASKS = 1 << 9, /* rows are what ran on the device: never operators */
	TABLE_HOST_CALLS = 1 << 10,  /* rows are calls of the device's runtime: never operators */
};

struct op_row {
	struct str name;     /* as recorded, valid UTF-8 */
	struct str overload; /* "" when unknown or default: see has_overload */
	struct str shapes;   /* Python's str() of the list of sizes, or "" */
	struct str dtypes;   /* a JSON list of what the arguments were, as recorded: ["float", "Scalar", ""], or "" */
	struct str strides;  /* as the shapes, or "" */
	struct str concrete; /* a JSON list of the values of non-tensor arguments, or "" */
	uint64_t calls;
	uint32_t kernels; /* that they launched, in a trace; copies between host and device are none */
	int64_t self_cpu_ns;
	int64_t cpu_total_ns;
	int64_t self_device_ns;
	uint32_t step;         /* of a stepped table: from 1; 0: none, or none that is known */
	enum name_class known; /* the class that the dump itself states, whatever the spelling; else NAME_OPERATOR */
	bool has_overload;
	bool name_cut;                      /* the name ends in "..." because its column was too narrow */
	bool shapes_cut;                    /* the brackets of the shapes do not balance */
	bool strides_vary, concrete_varies; /* of the calls, or of earlier ones of such a row */
	/* Position of the first such row: a line from 1, else (0) an offset in bytes; both 0: unknown. */
	uint64_t line, offset;
};

/* End of a table. */
struct table_end {
	int64_t footer_cpu_ns;    /* "Self CPU time total", or -1 */
	int64_t footer_device_ns; /* "Self CUDA time total" and the like, or -1 */
	int64_t share_ppm;        /* sum of the shown Self CPU %, or -1 */
	unsigned has;             /* of a stepped table: enum table_has */
	uint32_t steps;           /* of a stepped table: its number of steps */
	bool cut;                 /* has neither closing line nor footer */
	unsigned lacks;           /* enum table_has of columns that no row fills */
};

/* Receives the events of a reader. Streams are numbered by stream(); calls of different streams may interleave. */
struct event_sink {
	void *ctx;
	/* A new stream with a label such as "[rank1]" ("" for the whole file). Returns its number. */
	unsigned (*stream)(void *ctx, struct str label);
	void (*table_begin)(void *ctx, unsigned stream, unsigned has);
	/* Rows of the table that was begun last in the stream. */
	void (*rows)(void *ctx, unsigned stream, const struct op_row *rows, size_t count);
	void (*table_end)(void *ctx, unsigned stream, const struct table_end *end);
	/* Of the table that was begun last, behind its rows; links of one kind. NULL when the sink wants none. */
	void (*links)(void *ctx, unsigned stream, enum relation relation, const struct op_link *links, size_t count);
	/* Operators of one whole step in the order of their begin, perhaps in several pieces. NULL when the sink wants
	   none. */
	void (*order)(void *ctx, unsigned stream, const struct op_turn *turns, size_t count);
	/* Device of an operator or kernel; at any time between the calls above. NULL if not needed. */
	void (*observe)(void *ctx, const struct op_observation *observation);
};
