#pragma once
/* Names that a release does not have: of aten in another version of PyTorch, or of a namespace beside it. */
#include "opdb/resolve/evidence.h"

/* A name or overload of aten that the release's PyTorch lacks: equivalent where the release has something in its place,
   as for cudnn_convolution_backward_input of a 1.x profile, _cat, or a plugin's operator that is in a namespace of its
   own now; else unknown. */
int absent_answer(const struct question *question, const struct name_facts *name, struct str overload,
	struct answer *ret, struct err *err);

/* SEMANTICS 5.4: a package that brings the kernel, a namespace with its own rule, or a package that is not known. */
int namespace_answer(
	const struct question *question, const struct name_facts *name, struct answer *ret, struct err *err);
