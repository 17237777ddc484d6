#pragma once
/* One dump of a result: what it is, what it could not show, and where it was made. See result.h. */
#include "assess/model/result_observed.h"
#include "dump/common/traffic.h"

struct result_collective {
	struct str name, dtype, group; /* "" where not recorded */
	struct str reduction;          /* "AVG", of an operator that says how it reduces; else "" */
	uint64_t ranks, calls, in_elements, out_elements;
};

struct result_copies {
	enum copy_kind kind;
	uint64_t calls, bytes;
	int64_t ns;
};

struct result_traffic {
	struct result_collective *collectives; /* in the order in which they were first called */
	size_t collective_count;
	uint64_t other_collectives; /* calls of further ones */
	struct result_copies *copies;
	size_t copies_count;
};

struct result_capture {
	bool shapes, dtypes, times, device_times, overloads;
	bool strides, concrete_inputs, stacks, modules, links;
	bool row_limit_hit;
	struct result_device_time {
		int64_t operators_ns, collectives_ns;
		int64_t graphs_ns, unlinked_ns;
		int64_t compiled_ns, functions_ns, before_ns; /* of unlinked_ns, as of struct dump_device_time */
		int64_t missing_ns;                           /* of tables: what their footers state beyond the rows */
	} device_time;                                        /* by what launched the work */
	struct result_host_time {
		int64_t operators_ns, missing_ns;
	} host_time; /* of tables */
	struct result_traffic traffic;
	uint64_t truncated_names, truncated_shapes;
	struct message *warnings;
	size_t warning_count;
};

struct result_input {
	struct str name, sha256, format, encoding, compression, torch_era;
	struct str counted_in; /* the dump of the same run whose calls and times count instead; "": its own do */
	uint64_t bytes, steps, tables, ranks, rows, skipped_lines;
	struct result_capture capture;
	struct result_device device;
};

struct result_overlay {
	struct str name, sha256;
	uint64_t facts;
};

struct result_pack {
	struct str sha256; /* of the database in it */
	bool is_signed;
};

struct result_db {
	struct str build, built_at, sha256;
	struct result_pack *pack;        /* that the database comes from; NULL: from none */
	struct result_overlay *overlays; /* facts of the site that were laid over it */
	size_t overlay_count;
};
