#pragma once
/* The words of a result's enums, as reports and catalogues have them. */
#include "base/value/words.h"

extern const struct words verdict_words, headline_words, gate_state_words, basis_words, severity_words, age_words,
	waiver_words;
extern const struct words dynamic_words, guide_words, where_words, outcome_words, agreement_words;
extern const struct words fix_words, effort_words, compile_words, source_action_words, call_origin_words;
extern const struct words span_words, place_words, predicted_words, flag_words;
