#pragma once
/* What a reader of dumps tells, as text. */
#include "dump/dump.h"
#include "base/memory/buf.h"

/*
 * Feeds a text to a reader in chunks of a size (0: in one) and appends its events to ret, one a line:
 *
 *	stream 0 "rank0"
 *	begin 0 shapes times ...
 *	row 0 name|overload|shapes calls self_cpu_us cpu_total_us self_device_us [name-cut] [shapes-cut]
 *	end 0 footer_cpu_us footer_device_us share_ppm [cut]
 *
 * of a stepped table
 *
 *	row 0 name|overload|shapes|dtypes step calls self_cpu_us cpu_total_us self_device_us [class that is known]
 *		[strides=... [and others]] [concrete=... [and others]]        on the same line
 *	parent 0 name|other calls self_cpu_us self_device_us          also forward, module, source
 *	order 0 aten::a[[2]] >aten::b[[2]]                            one > for each operator around it
 *	end 0 steps shapes times ... [cut]
 *
 * Returns what the reader returned at the end.
 */
int record_dump(const struct dump_format *format, struct str text, size_t chunk, const struct limits *limits,
	struct buf *ret, struct dump_facts *ret_facts, struct err *err);

/* The same by the reader of tables. */
int record_tables(struct str text, size_t chunk, const struct limits *limits, struct buf *ret,
	struct dump_facts *ret_facts, struct err *err);

/* The same of a file, which is read by a thread of its own when it is large. */
int record_file(
	const char *path, const struct limits *limits, struct buf *ret, struct dump_facts *ret_facts, struct err *err);
