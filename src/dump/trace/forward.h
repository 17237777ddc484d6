#pragma once
/*
 * Which forward operator an autograd node belongs to, by the sequence number that both bear.
 *
 * Operators that call each other bear the same number: the last of them to begin is the one that made the node. Each
 * thread counts for itself; a number that two threads bear at one time joins nothing. The newest numbers are kept.
 */
#include "base/str.h"

struct trace_forward;

struct trace_forward *trace_forward_new(void);
void trace_forward_free(struct trace_forward *forward);

/* A forward operator; sequence is from 1, name a number of trace_ops. */
void trace_forward_add(struct trace_forward *forward, uint32_t sequence, uint16_t thread, uint32_t name);

/* The name under a sequence number, or 0. */
uint32_t trace_forward_of(const struct trace_forward *forward, uint32_t sequence);
