#pragma once
/*
 * The frames of Python as PyTorch's profiler names them, and which of them say something of the user's program.
 *
 * "train.py(12): step", "nn.Module: Conv2d_3", "<built-in method add of ...>". Frames of torch, of its plugins and of
 * Python's own library say nothing: the line of source is that of the innermost frame of anything else.
 */
#include "base/view/str.h"

enum python_frame { FRAME_OTHER, FRAME_MODULE, FRAME_SOURCE };

/* The kind of a frame. *ret_text: the name of the module without "nn.Module: ", or the frame unchanged. */
enum python_frame python_frame_of(struct str name, struct str *ret_text);

/* Returns whether a span of the user names a part of the program, not an action of a framework. */
bool python_label_is_part(struct str label);

/* A quick no for most frames: those of torch and of what is built in. */
static inline bool python_frame_may_matter(struct str name)
{
	if (name.len < 8 || (name.ptr[0] == '<' && name.ptr[1] != 'i'))
		return false;
	return memcmp(name.ptr, "torch/", 6) != 0;
}
