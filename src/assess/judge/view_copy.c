#include "assess/judge/view_copy.h"

#include "opdb/model/dtype.h"

enum { LOCAL_BYTES = 192 * 1024, BLOCK_BYTES = 32, ROW_LEAST = 32, LEAST_RANK = 3, MOST_RANK = 4 };

struct layout {
	struct dims sizes, strides;
	int64_t width; /* bytes of an element, as the kernel counts them */
};

static int64_t product(int64_t a, int64_t b)
{
	int64_t value;

	return __builtin_mul_overflow(a, b, &value) ? INT64_MAX : value;
}

/* A type that the kernel does not list has eight bytes, and so has bool. */
static int64_t width_of(unsigned types)
{
	if (types & (DTYPE_INT8 | DTYPE_UINT8 | DTYPE_FP8))
		return 1;
	if (types & (DTYPE_FP16 | DTYPE_BF16 | DTYPE_INT16 | DTYPE_UINT16))
		return 2;
	return types & (DTYPE_FP32 | DTYPE_INT32 | DTYPE_UINT32) ? 4 : 8;
}

static struct layout without_ones(const struct layout *from)
{
	struct layout kept = { .width = from->width };

	for (size_t i = 0; i < from->sizes.count; i++) {
		if (from->sizes.items[i] == 1)
			continue;
		kept.sizes.items[kept.sizes.count++] = from->sizes.items[i];
		kept.strides.items[kept.strides.count++] = from->strides.items[i];
	}
	return kept;
}

/* Dimensions without a gap between them count as one. ret_row: elements of the last; -1 for dimensions that overlap. */
static int coalesced_rank(const struct layout *layout, int64_t *ret_row)
{
	int64_t size = 1, stride = 1;
	int rank = 0;

	*ret_row = 0;
	for (size_t i = layout->sizes.count; i-- > 0;) {
		if (product(stride, size) == layout->strides.items[i]) {
			size = product(size, layout->sizes.items[i]);
			continue;
		}
		if (!rank++)
			*ret_row = size;
		if (layout->strides.items[i] < *ret_row)
			return -1;
		size = layout->sizes.items[i];
		stride = layout->strides.items[i];
	}
	return rank + 1;
}

/* Contiguous but for one gap that comes again and again. */
static bool has_one_gap(const struct layout *layout)
{
	int64_t dense = 1, gap = 0;

	for (size_t i = layout->sizes.count; i-- > 0;) {
		int64_t behind = layout->strides.items[i] - dense;

		if (gap && behind != product(gap, layout->sizes.items[i + 1]))
			return false;
		gap = behind;
		dense = product(dense, layout->sizes.items[i]);
	}
	return gap;
}

static bool fills_blocks(const struct layout *layout, int64_t row, int64_t stride)
{
	int64_t block = BLOCK_BYTES / layout->width;

	return row % block == 0 || stride - row >= block;
}

static bool layout_fits(const struct layout *layout, int64_t elements)
{
	return product(elements, layout->width) < LOCAL_BYTES;
}

/* The two transpositions of three dimensions that the kernel knows. */
static bool is_transposed(const struct layout *layout)
{
	const int64_t *size = layout->sizes.items, *stride = layout->strides.items;
	int64_t plane;

	if (layout->sizes.count != 3 || stride[1] != 1)
		return false;
	plane = product(size[1], size[2]);
	if (size[2] == 2 && size[1] == stride[2] && layout_fits(layout, product(plane, 2)) &&
		fills_blocks(layout, plane, stride[0]))
		return true;
	return size[0] == 1 && stride[0] == 1 && fills_blocks(layout, size[1], stride[2]) &&
	       layout_fits(layout, plane > INT64_MAX - size[1] ? INT64_MAX : plane + size[1]);
}

static bool runs_on_core(const struct layout *layout)
{
	int64_t row;
	int rank = coalesced_rank(layout, &row);

	if (is_transposed(layout) || (rank >= LEAST_RANK && rank <= MOST_RANK && row >= ROW_LEAST))
		return true;
	return rank > 0 && has_one_gap(layout);
}

enum view_copy view_copy_unit(const struct dims *sizes, const struct dims *strides, unsigned types)
{
	static const unsigned slow = DTYPE_FP64 | DTYPE_COMPLEX32 | DTYPE_COMPLEX64 | DTYPE_COMPLEX128;
	const struct layout whole = { *sizes, *strides, width_of(types) };
	const struct layout layout = without_ones(&whole);
	bool permuted = ANY(i, layout.strides.count, i && layout.strides.items[i - 1] < layout.strides.items[i]);
	bool core;
	int64_t row;

	if (strides->count != sizes->count ||
		ANY(i, sizes->count, sizes->items[i] < 0 || strides->items[i] < 0)) /* no tensor has such */
		return VIEW_COPY_OPEN;
	if (coalesced_rank(&layout, &row) == 1)
		return VIEW_COPY_AICORE; /* contiguous */
	if (!types || permuted)
		return types && !(types & slow) && runs_on_core(&whole) ? VIEW_COPY_AICORE : VIEW_COPY_OPEN;
	if (types & slow)
		return VIEW_COPY_AICPU;
	core = runs_on_core(&whole);
	if (core != runs_on_core(&layout))
		return VIEW_COPY_OPEN;
	return core ? VIEW_COPY_AICORE : VIEW_COPY_AICPU;
}
