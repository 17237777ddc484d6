#pragma once
/* Names of aten that a release lacks: those of another version of PyTorch. */
#include "opdb/resolve/evidence.h"

/* A name or overload that the release's PyTorch lacks: equivalent where the release has something in its place, as for
   cudnn_convolution_backward_input of a 1.x profile, _cat, or a plugin's operator that is in a namespace of its own
   now; else unknown. */
int absent_answer(const struct question *question, const struct name_facts *name, struct str overload,
	struct answer *ret, struct err *err);

/* Returns whether the release has one of these operators, joined by ';': then *ret is an answer that it runs
   instead. */
int absent_instead(
	const struct question *question, struct str names, struct str via, struct answer *ret, struct err *err);

/* The same of what other releases run in place of a name (rules/renamed.tsv). special: of the name, or NULL. */
int absent_renamed(const struct question *question, const struct special *special, struct cites *cites,
	struct answer *ret, struct err *err);
