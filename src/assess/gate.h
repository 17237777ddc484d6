#pragma once
/* What makes a run fail: words such as "unsupported,cpu-fallback,dynamic-unbounded". */
#include "assess/judge.h"
#include "base/err.h"

struct gate {
	unsigned statuses, flags; /* bits by number */
	struct str dynamic[8];    /* kinds */
	size_t dynamic_count;
	bool conditional;         /* whatever may fail on a condition */
};

/* Reads a list of words: a status, a flag, "dynamic-" and a kind, or "conditional". ERR_VALUE names the wrong one. */
int gate_parse(struct gate *gate, struct str words, struct err *err);

bool gate_is_empty(const struct gate *gate);

/* Appends the words again, each once and in a fixed order: gates that mean the same give the same text. */
void gate_put(struct buf *buf, const struct gate *gate);

/* Whether an operator fails the gate on a target. */
bool gate_stops(const struct gate *gate, const struct judgement *judgement, struct str dynamic_kind);
