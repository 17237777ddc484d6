#pragma once
/* The signatures of overloads that PyTorch's generator adds for `autogen`, worked out from that of the operator they
   call. */
#include "base/buf.h"
#include "import/schema.h"

/* Appends the signature of op, which is generated from base. False when base has more
   arguments or results than any operator. */
bool generated_signature(const struct schema *base, struct str op, struct buf *ret);
