#include "dump/trace/python_frame.h"

#include "base/memory/mem.h"
#include "base/view/ascii.h"

/* The folders where packages lie; their parents depend on the machine. */
static const char *const package_folders[] = { "site-packages/", "dist-packages/" };

/* PyTorch and what speaks for it. */
static const char *const frameworks[] = { "torch/", "torch_npu/", "torch_musa/", "torchada/", "functorch/" };

/* Python's own modules that call back into a program; profiles show them without their folder. */
static const char *const library[] = { "_collections_abc", "abc", "ast", "asyncio", "bdb", "cProfile", "codeop",
	"collections", "concurrent", "contextlib", "copy", "copyreg", "ctypes", "dataclasses", "enum", "functools",
	"gc", "genericpath", "glob", "heapq", "importlib", "inspect", "io", "json", "logging", "multiprocessing",
	"numbers", "operator", "os", "pathlib", "pdb", "pickle", "pkgutil", "posixpath", "profile", "queue", "random",
	"re", "runpy", "selectors", "shutil", "signal", "socket", "string", "subprocess", "tempfile", "textwrap",
	"threading", "timeit", "traceback", "types", "typing", "unittest", "uuid", "warnings", "weakref" };

/* Behind the folder of packages, or the path itself. */
static struct str inside_packages(struct str path)
{
	for (size_t i = 0; i < ARRAY_SIZE(package_folders); i++) {
		size_t at = str_find(path, str_from(package_folders[i]));

		if (at != STR_NONE)
			return str_skip(path, at + strlen(package_folders[i]));
	}
	return path;
}

static bool is_of_framework(struct str path)
{
	struct str inside = inside_packages(path);

	return ANY(i, ARRAY_SIZE(frameworks), str_starts(inside, str_from(frameworks[i]))) ||
	       str_has(path, STR("/pytorch/torch/"));
}

/* "threading.py(917): run", "importlib/__init__.py(90): ...", "/usr/lib/python3.11/threading.py(917): run" */
static bool is_of_library(struct str path)
{
	struct str inside = inside_packages(path);

	if (inside.ptr != path.ptr)
		return false;
	if (path.ptr[0] == '/')
		return str_has(path, STR("/lib/python3"));
	for (size_t i = 0; i < ARRAY_SIZE(library); i++) {
		struct str name = str_from(library[i]), rest;

		if (!str_starts(path, name))
			continue;
		rest = str_skip(path, name.len);
		if (str_starts(rest, STR("/")) || str_starts(rest, STR(".py(")))
			return true;
	}
	return false;
}

/* "train.py(12): step": a file, a line, a function. */
static bool is_source(struct str name)
{
	size_t at = str_find(name, STR("("));

	if (at == STR_NONE || at < 2 || at + 1 >= name.len || !is_digit(name.ptr[at + 1]) ||
		!str_has(str_skip(name, at), STR("): ")))
		return false;
	return str_ends(str_sub(name, 0, at), STR(".py")) || str_starts(name, STR("<ipython-input-"));
}

enum python_frame python_frame_of(struct str name, struct str *ret_text)
{
	const struct str module = STR("nn.Module: ");

	if (str_starts(name, module)) {
		*ret_text = str_skip(name, module.len);
		return ret_text->len ? FRAME_MODULE : FRAME_OTHER;
	}
	*ret_text = name;
	if (!is_source(name) || is_of_framework(name) || is_of_library(name))
		return FRAME_OTHER;
	return FRAME_SOURCE;
}

bool python_label_is_part(struct str label)
{
	static const char *const others[] = { "enumerate(DataLoader)", "FSDP::", "## ", "[param|", "[pytorch|",
		"<class ", "TORCHDYNAMO", "PyTorch Profiler" };

	return ALL(i, ARRAY_SIZE(others), !str_starts(label, str_from(others[i]))) && label.len &&
	       !str_has(label, STR("dynamo_timed")) && !str_has(label, STR("compile_id="));
}
