#pragma once
/* Shapes as torch_npu writes them into its CSV tables and its database. */
#include "base/buf.h"

/*
 * Appends "4,12,32;\r\n32,32;\r\n" (sizes by commas, arguments by semicolons with any blanks behind, an empty one for what is
 * no tensor) as tables of PyTorch print it: "[[4, 12, 32], [32, 32], []]". False, and nothing appended, for anything else.
 */
bool npu_shape_put(struct buf *buf, struct str text);
