#pragma once
/*
 * The content of one or more dumps: names with their shapes, calls, times and steps.
 *
 * A profile takes rows from readers (profile_sink) and keeps one record a distinct (stream, name, overload, shapes,
 * dtypes). Its memory grows with those, never with the length of a dump; their number has a cap, and rows beyond it
 * are counted.
 *
 * Steps. Each table of a stream is a step, numbered from 1, unless it shows the same step as the table before it:
 * users print one step sorted in two ways, or once with shapes and once without. Two tables are views of one step
 * when no record that both hold differs, and either their printed totals are equal (5 significant digits, or 4 and a
 * common record), or there are no totals and every record of the shorter one is in the other, three of them with a
 * time of 3 significant digits. The union of the views is counted, the finer view of an operator (with shapes, then
 * with overloads) before the coarser. A stepped table (a trace) numbers its steps itself, and its rows count at once.
 */
#include "base/setup/limits.h"
#include "op/profile_model.h"

struct profile;
struct profile *profile_new(const struct limits *limits);
void profile_free(struct profile *profile);

/* The sink for a reader, as long as the profile. label_prefix ("" or such as "rank0") separates the streams of this
   dump from those of others; dumps with the same prefix and label continue one stream and its step numbers. */
struct event_sink profile_sink(struct profile *profile, struct str label_prefix);

/* Counts the last tables in and sums up. Call once, before the functions below. */
void profile_finish(struct profile *profile);

struct profile_dump profile_dump(const struct profile *profile, size_t index);

const struct profile_name *profile_names(const struct profile *profile, size_t *ret_count);
const struct profile_use *profile_uses(const struct profile *profile, size_t *ret_count);
const struct profile_stream *profile_streams(const struct profile *profile, size_t *ret_count);

/* Calls in no record because a cap was reached. */
uint64_t profile_calls_over_cap(const struct profile *profile);

/* Compiled code ran: operators inside it were not recorded. */
bool profile_has_compiled(const struct profile *profile);

/* Some use has strides. */
bool profile_has_strides(const struct profile *profile);

/* Two dumps of one run were joined: calls and links may be of different dumps. */
bool profile_is_joined(const struct profile *profile);
