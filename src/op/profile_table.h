#pragma once
/* The inside of a profile: tables whose rows are not in the totals yet. */
#include "base/memory/mem.h"
#include "op/profile.h"

struct sink_state;

/* Record of a use in one table. */
struct slot {
	uint32_t use;
	uint64_t calls;
	int64_t self_cpu_ns, cpu_total_ns, self_device_ns;
	int64_t on_device_ns; /* of self_device_ns, in rows that took no time of the host: kernels, spans of labels */
	uint64_t digest;      /* sum over rows of a hash of their figures */
};

/* A table whose rows are not in the totals yet. */
struct table {
	uint64_t serial;         /* 0: there is none */
	struct sink_state *sink; /* that began it */
	MEM_LIST(struct slot) slots;
	unsigned has;
	struct table_end end;
	bool compiling;        /* a mark of a running compilation was in it */
	uint32_t operators;    /* uses of operators */
	uint32_t steps_before; /* of a stepped table: steps that its stream had */
	uint64_t covers;       /* ProfilerStep rows: number of steps averaged */
};

struct turn_list {
	struct profile_turn *items;
	size_t count, capacity;
};

/*
 * Rows are collected in tables[current]; tables[!current] is the step before, kept until it is known whether the
 * current table shows it once more.
 */
struct stream_state {
	struct table tables[2];
	unsigned current;
	struct turn_list order, arriving; /* the longest so far, and that of the current table */
	struct table *first; /* of a part: its first step, which another dump may have shown, too; NULL: none yet */
};
