#include "assess/shape/use_bytes.h"

#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "base/view/ascii.h"
#include "op/call.h"
#include "opdb/model/dtype.h"

enum { MOST_ARGUMENTS = 64 };

static const struct {
	enum dtype type;
	unsigned bytes;
} widths[] = {
	{ DTYPE_FP32, 4 },
	{ DTYPE_FP16, 2 },
	{ DTYPE_BF16, 2 },
	{ DTYPE_FP64, 8 },
	{ DTYPE_INT8, 1 },
	{ DTYPE_UINT8, 1 },
	{ DTYPE_INT16, 2 },
	{ DTYPE_INT32, 4 },
	{ DTYPE_INT64, 8 },
	{ DTYPE_BOOL, 1 },
	{ DTYPE_COMPLEX64, 8 },
	{ DTYPE_COMPLEX128, 16 },
	{ DTYPE_COMPLEX32, 4 },
	{ DTYPE_FP8, 1 },
	{ DTYPE_UINT16, 2 },
	{ DTYPE_UINT32, 4 },
	{ DTYPE_UINT64, 8 },
};

unsigned use_type_bytes(unsigned types)
{
	unsigned width = 0;

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		if (types & widths[i].type && widths[i].bytes > width)
			width = widths[i].bytes;
	}
	return width;
}

/* Bytes an element of each argument, from a list such as "['float', ['float', 'float'], '']"; 0 where not recorded.
   An argument that is a list has the type of its first tensor. */
static void read_widths(struct str list, unsigned ret[MOST_ARGUMENTS])
{
	size_t argument = 0;
	unsigned depth = 0;

	for (size_t i = 0; i < list.len && argument < MOST_ARGUMENTS; i++) {
		char byte = list.ptr[i];

		if (byte == '[') {
			depth++;
		} else if (byte == ']') {
			depth -= depth > 0;
		} else if (byte == ',' && depth <= 1) {
			argument++;
		} else if (byte == '"' || byte == '\'') {
			size_t from = i + 1;

			for (i++; i < list.len && list.ptr[i] != byte; i++)
				;
			if (!ret[argument])
				ret[argument] = use_type_bytes(dtype_from(str_sub(list, from, i)));
		}
	}
}

static uint64_t times(uint64_t count, int64_t factor)
{
	unsigned __int128 product = (unsigned __int128)count * (uint64_t)(factor > 0 ? factor : 0);

	return product > (unsigned __int128)FIGURE_MAX ? (uint64_t)FIGURE_MAX : (uint64_t)product;
}

static void add_tensor(struct use_bytes *bytes, uint64_t elements, unsigned width)
{
	uint64_t size = times(elements, width ? width : ASSUMED_BYTES);

	bytes->all = figure_count(bytes->all, size);
	if (!width)
		bytes->assumed = figure_count(bytes->assumed, size);
	if (size > bytes->largest)
		bytes->largest = size;
}

/* Tensors without dimensions have no sizes and count nothing. */
struct use_bytes use_bytes_of(struct arena *scratch, const struct profile_use *use)
{
	unsigned argument_widths[MOST_ARGUMENTS] = { 0 };
	struct use_bytes bytes = { .known = use->shapes.len && !use->shapes_cut };
	struct shape shape;

	if (!bytes.known || !shape_parse(scratch, use->shapes, &shape)) {
		bytes.known = false;
		return bytes;
	}
	read_widths(use->dtypes, argument_widths);
	for (size_t i = 0; i < shape.count;) {
		const struct shape_size *first = &shape.sizes[i];
		uint64_t elements = 1;

		for (; i < shape.count && shape.sizes[i].argument == first->argument &&
			shape.sizes[i].tensor == first->tensor;
			i++)
			elements = times(elements, shape.sizes[i].size);
		add_tensor(&bytes, elements, first->argument < MOST_ARGUMENTS ? argument_widths[first->argument] : 0);
	}
	arena_clear(scratch);
	return bytes;
}

/* A name of C++ types, which needs no quotes anywhere. */
static bool is_type_word(struct str word)
{
	for (size_t i = 0; i < word.len; i++) {
		if (!is_word(word.ptr[i]) && !memchr(":<> ", word.ptr[i], 4))
			return false;
	}
	return word.len;
}

static struct str type_text(struct str recorded)
{
	unsigned type = recorded.len ? dtype_from(recorded) : 0;

	if (type && !(type & (type - 1)))
		return dtype_name((unsigned)__builtin_ctz(type));
	return is_type_word(recorded) ? recorded : STR("-");
}

void use_put_types(struct buf *text, const struct profile_use *use)
{
	struct call call;

	if (!use->dtypes.len || !call_read(use->shapes, use->dtypes, STR(""), &call) || !call.typed)
		return;
	for (size_t i = 0; i < call.count; i++)
		buf_printf(text, "%s%.*s", i ? ", " : "", STR_ARG(type_text(call.arguments[i].type)));
}
