#pragma once
/*
 * The reader of PyTorch's execution traces (ExecutionTraceObserver), schema 1.0.1 to 1.1.1: one stream with one stepped
 * table.
 *
 * They hold no times, but the overload of every operator. Nodes are written when they end, so a step comes after its
 * calls; ids are given when they begin: a call belongs to the step that began before it and was written behind it or
 * behind a later one. Memory is bounded by limits: event-bytes, held-calls, shapes, names.
 */
#include "dump/common/format.h"

extern const struct dump_format dump_et;
