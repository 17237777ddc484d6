#pragma once
/* Conditions that fail a run: words such as "unsupported,cpu-fallback,dynamic-unbounded". */
#include "assess/model/result.h"
#include "base/memory/buf.h"
#include "base/setup/err.h"

struct gate {
	uint64_t words; /* bits by place in the list of all words */
};

/* Reads a list of words: a status, a flag, "dynamic-" and a kind, or "conditional". ERR_VALUE names the wrong one. */
int gate_parse(struct gate *gate, struct str words, struct err *err);

static inline bool gate_is_empty(const struct gate *gate)
{
	return !gate->words;
}

/* Appends the words again, each once and in a fixed order: gates that mean the same give the same text. */
void gate_put(struct buf *buf, const struct gate *gate, char between);

/* All words there are, in that order. */
size_t gate_word_count(void);
struct str gate_word(size_t index);

static inline bool gate_has(const struct gate *gate, size_t index)
{
	return gate->words >> index & 1;
}

/* Returns whether an operator with this verdict and this kind of shapes fails a gate with the word. */
bool gate_word_stops(size_t index, const struct result_verdict *verdict, enum dynamic_kind kind);

/* Returns whether a finding of this rule about the operator means the same as the word. Some words have no such
   rule. */
bool gate_word_is_of(size_t index, const struct result_verdict *verdict, struct str rule);

/* Returns whether a finding in a script fails a gate with the word. */
bool gate_word_stops_source(size_t index, const struct result_finding *finding);
