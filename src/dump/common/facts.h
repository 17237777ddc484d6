#pragma once
/* Properties of a dump as its reader found it; support of its operators is not among them. */
#include "base/value/utf8.h"
#include "base/value/words.h"
#include "dump/common/device.h"
#include "dump/common/traffic.h"

enum { MAX_SAMPLES = 5 };

/* A line or an event that a reader did not understand. */
struct dump_sample {
	uint64_t line;   /* from 1; 0 for an event */
	uint64_t offset; /* of an event: byte of the text */
	struct shown beginning;
};

/* Details of a dump beyond names, shapes and times. */
enum dump_detail {
	DUMP_STRIDES = 1 << 0,
	DUMP_CONCRETE = 1 << 1, /* values of non-tensor arguments */
	DUMP_STACKS = 1 << 2,   /* call stacks, or the frames of Python */
	DUMP_MODULES = 1 << 3,
	DUMP_LINKS = 1 << 4, /* parents of operators, forward operators of autograd nodes */
};

/* Format and gaps of a dump. Counters start at 0; texts are static. */
struct dump_facts {
	const char *format;   /* "table", "kineto-trace", "npu-operator-details" ... */
	const char *encoding; /* "ascii", "utf-8", "gb18030", "latin-1", "utf-16le", "utf-16be", or two joined by "+" */
	char torch_era[24];   /* versions of PyTorch whose tables look like this: "1.10-2.2", "2.8+"; "" when unknown */
	bool byte_order_mark;
	bool in_strings; /* its lines are in strings of a file: their numbers differ from an editor's */
	uint64_t tables, rows;
	uint64_t row_limit_tables;      /* tables that probably lost rows to row_limit */
	uint64_t top_level_tables;      /* printed with top_level_events_only */
	uint64_t cut_tables;            /* tables without an end */
	uint64_t headless_tables;       /* rows without a header: their columns were inferred */
	uint64_t empty_tables;          /* tables without a row */
	uint64_t cut_names, cut_shapes; /* rows */
	uint64_t long_lines;            /* lines longer than limits.line_bytes */
	uint64_t skipped_lines;         /* lines inside tables other than rows */
	uint64_t broken_rows;           /* those of them that seem to be pieces of rows */
	uint64_t torn_tables;           /* of cut_tables: the text ended in them */
	uint64_t torn_rows;             /* of broken_rows: in those */
	uint64_t skipped_events;        /* of a trace: invalid elements in the list of events */
	uint64_t cut_at; /* the byte behind the last one of a JSON file that has no end, and one; 0: it has */
	struct shown unknown_schema; /* version of an execution trace that is newer than this reader; "" */
	uint64_t unplaced_calls;     /* of a trace: counted, but their step is not known */
	unsigned details;            /* enum dump_detail: details beyond rows */
	uint64_t dropped_details;    /* strides and values of a trace that are too long, or too many, to be kept */
	uint64_t dropped_frames;     /* of Python, modules and lines of source of a trace that are over a limit */
	uint64_t unlinked_calls;  /* of a trace: their surroundings are not in the links, which reached their limit */
	uint64_t unmatched_work;  /* of a trace: events on the device whose operator is not known */
	uint64_t unsorted_events; /* of a trace: came too late to be put in order of time */
	struct dump_device_time device_time;
	struct dump_traffic traffic;
	uint64_t skipped_rows; /* of skipped_lines: rows of a CSV table or of a database */
	uint64_t device_tasks; /* calls that ran on a device, as its profiler lists them: the dump was made there */
	uint64_t aicpu_calls;  /* of those: on the AI CPU of an NPU */
	struct shown aicpu_types[MAX_SAMPLES]; /* some of them */
	unsigned aicpu_type_count;
	struct device_facts device;              /* on which it was made */
	bool has_rank;                           /* the dump says which rank of a distributed run wrote it */
	uint64_t rank, world_size;               /* world_size 0: it does not say */
	struct shown backend;                    /* of communication: "nccl", "hccl" ... */
	uint64_t dropped_streams;                /* ranks over limits.streams: their tables were read as one stream */
	struct dump_sample samples[MAX_SAMPLES]; /* of the skipped lines or events */
	unsigned sample_count;
};

/* The words of enum copy_kind. */
extern const struct words copy_words;

/* Note a line, an event, or a row (which may have named an operator) that was not understood. */
void dump_skip(struct dump_facts *facts, uint64_t line, struct str text);
void dump_skip_event(struct dump_facts *facts, uint64_t offset, struct str beginning);
void dump_skip_row(struct dump_facts *facts, uint64_t line, struct str text);
