#include "assess/estimate/kernel_cost.h"

#include <math.h>

#include "assess/estimate/tensors.h"
#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "dump/npu/cann.h"
#include "opdb/model/dtype.h"

struct kernel {
	char lower[WORK_NAME_BYTES + 1]; /* the type */
	struct str type;
	struct tensors inputs, outputs;
	double bytes_in, bytes_out;
	double flops, bytes;
};

static bool is_called(const struct kernel *kernel, const char *part)
{
	return str_has(kernel->type, str_from(part));
}

static bool starts(const struct kernel *kernel, const char *part)
{
	return str_starts(kernel->type, str_from(part));
}

/* --- tensors */

static struct str without_quotes(struct str text)
{
	while (text.len && text.ptr[0] == '"')
		text = str_skip(text, 1);
	while (text.len && text.ptr[text.len - 1] == '"')
		text = str_chop(text, 1);
	return text;
}

/* "DT_BF16" as PyTorch's profilers have it; what is unknown counts as float, as "UNDEFINED" does. */
static struct str type_word(struct str word)
{
	unsigned types;

	word = str_trim(word);
	if (str_starts(word, STR("DT_")))
		word = str_skip(word, 3);
	types = dtype_from(word);
	return types && !(types & (types - 1)) ? dtype_name((unsigned)__builtin_ctz(types)) : STR("float");
}

static bool read_tensors(struct arena *arena, struct str shapes, struct str types, struct tensors *ret)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED, words = BUF_UNLIMITED;
	struct str word;

	*ret = (struct tensors){ 0 };
	shapes = without_quotes(shapes);
	if (!shapes.len || str_eq(shapes, STR("N/A")))
		return true;
	if (!npu_shape_put(&text, shapes))
		return false;
	buf_byte(&words, '[');
	types = without_quotes(types);
	for (bool first = true; str_cut(&types, ';', &word); first = false)
		buf_printf(&words, "%s\"%.*s\"", first ? "" : ", ", STR_ARG(type_word(word)));
	buf_byte(&words, ']');
	return tensors_read(arena, buf_str(&text), buf_str(&words), 0, ret);
}

/* --- formulas: false where shapes do not say */

/* Of three matrices each size occurs twice. */
static bool cost_matmul(struct kernel *kernel)
{
	const struct tensor *a = kernel->inputs.items, *b = a + 1, *c = kernel->outputs.items;
	double batch = 1;

	if (kernel->inputs.count < 2 || !kernel->outputs.count)
		return false;
	if (a->rank == 2 && b->rank == 2 && c->rank == 2 && tensor_size(a, 0) != tensor_size(b, 0) &&
		tensor_size(a, 0) != tensor_size(b, 1) && tensor_size(a, 1) != tensor_size(b, 0) &&
		tensor_size(a, 1) != tensor_size(b, 1))
		return false; /* no common size: the file was altered */
	if (is_called(kernel, "batch") && c->rank > 2 && b->rank > 2)
		batch = tensor_product(c, 0, c->rank - 2);
	kernel->flops = batch > 0 ? 2 * sqrt(a->count * b->count * c->count / batch) : 0;
	kernel->bytes = tensors_bytes(a, 2) + tensors_bytes(c, 1);
	return true;
}

/* Multiplications of an element of the output: of FRACTAL_Z its blocks, else elements of the filter by channels. */
static double filter_size(const struct tensor *filter, const struct tensor *output)
{
	double channels = tensor_size(output, 1) * (output->rank == 5 ? tensor_size(output, 4) : 1);

	if (filter->rank == 4 && tensor_size(filter, 2) == 16 &&
		(tensor_size(filter, 3) == 8 || tensor_size(filter, 3) == 16))
		return tensor_size(filter, 0) * tensor_size(filter, 3);
	return filter->count / fmax(1, tensor_size(filter, 0) > 0 ? tensor_size(filter, 0) : channels);
}

static bool cost_conv(struct kernel *kernel)
{
	const struct tensor *first = NULL, *second = NULL, *last = NULL, *output = kernel->outputs.items;

	for (size_t i = 0; i < kernel->inputs.count; i++) {
		const struct tensor *tensor = &kernel->inputs.items[i];

		if (tensor->rank < 4)
			continue;
		second = first && !second ? tensor : second;
		first = first ? first : tensor;
		last = tensor;
	}
	if (!second || !kernel->outputs.count || output->rank < 2)
		return false;
	if (is_called(kernel, "backpropfilter"))
		kernel->flops = 2 * last->count * filter_size(output, last);
	else if (is_called(kernel, "backpropinput"))
		kernel->flops = 2 * last->count * filter_size(first, last);
	else
		kernel->flops = 2 * output->count * filter_size(second, output);
	return true;
}

static bool is_softmax_result(const struct tensor *tensor)
{
	return tensor->rank == 4 && tensor_size(tensor, 3) == 8;
}

/* The compressed mask of causal attention. */
static bool is_causal_mask(const struct tensor *tensor)
{
	return tensor->rank == 2 && tensor_size(tensor, 0) == 2048 && tensor_size(tensor, 1) == 2048;
}

static bool cost_attention(struct kernel *kernel)
{
	const struct tensor *softmax = NULL;
	bool causal = false;

	for (size_t i = kernel->inputs.count; i-- > 0;) {
		softmax = is_softmax_result(&kernel->inputs.items[i]) ? &kernel->inputs.items[i] : softmax;
		causal |= is_causal_mask(&kernel->inputs.items[i]);
	}
	for (size_t i = kernel->outputs.count; i-- > 0;)
		softmax = is_softmax_result(&kernel->outputs.items[i]) ? &kernel->outputs.items[i] : softmax;
	if (!softmax || !kernel->inputs.count || kernel->inputs.items[0].rank > 4)
		return false;
	kernel->flops = 4 * kernel->inputs.items[0].count * tensor_size(softmax, 2) * (causal ? 0.5 : 1) *
			(is_called(kernel, "grad") ? 2.5 : 1);
	return true;
}

static bool cost_gather(struct kernel *kernel)
{
	if (!kernel->outputs.count)
		return true;
	if (starts(kernel, "gather") || (starts(kernel, "index") && !is_called(kernel, "put")))
		kernel->bytes = 2 * kernel->bytes_out +
				(kernel->inputs.count > 1 ? tensors_bytes(&kernel->inputs.items[1], 1) : 0);
	else if (is_called(kernel, "grad") || is_called(kernel, "backward"))
		kernel->bytes = (kernel->inputs.count ? tensors_bytes(kernel->inputs.items, 1) : 0) + kernel->bytes_out;
	else if (kernel->bytes_out < kernel->bytes_in)
		kernel->bytes = 2 * kernel->bytes_out;
	return true;
}

static bool cost_of(struct kernel *kernel, enum work_class class)
{
	switch (class) {
	case WORK_MATMUL:
		return cost_matmul(kernel);
	case WORK_CONV:
		return cost_conv(kernel);
	case WORK_ATTENTION:
		return cost_attention(kernel);
	case WORK_GATHER:
		return cost_gather(kernel);
	case WORK_FILL:
		kernel->bytes = kernel->bytes_out > 0 ? kernel->bytes_out : kernel->bytes_in;
		return true;
	case WORK_COPY:
		if (starts(kernel, "slice") || starts(kernel, "stridedslice"))
			kernel->bytes = 2 * kernel->bytes_out;
		return true;
	default:
		return !starts(kernel, "dsa"); /* a mask of bits, from a unit of its own */
	}
}

struct call_cost kernel_cost_of(struct arena *scratch, const struct cann_kernel *given)
{
	struct call_cost cost = {
		.class = work_class_of_kernel(given->type), .lack = COST_NO_FORMULA, .peak = PEAK_FP32, .typed = true
	};
	struct kernel kernel = { .flops = 0 };
	bool read = read_tensors(scratch, given->inputs, given->input_types, &kernel.inputs) &&
		    read_tensors(scratch, given->outputs, given->output_types, &kernel.outputs);

	for (size_t i = 0; i < given->type.len && i < WORK_NAME_BYTES; i++)
		kernel.lower[i] = (char)(given->type.ptr[i] | (is_alpha(given->type.ptr[i]) ? 0x20 : 0));
	kernel.type = str_from(kernel.lower);
	if (!read || (!kernel.inputs.count && !kernel.outputs.count)) {
		cost.lack = COST_NO_SHAPES;
	} else if (kernel.inputs.negative || kernel.outputs.negative) {
		cost.lack = COST_UNFIT;
	} else {
		cost.peak = kernel.inputs.count ? kernel.inputs.items[0].peak : kernel.outputs.items[0].peak;
		kernel.bytes_in = tensors_bytes(kernel.inputs.items, kernel.inputs.count);
		kernel.bytes_out = tensors_bytes(kernel.outputs.items, kernel.outputs.count);
		kernel.bytes = kernel.bytes_in + kernel.bytes_out;
		if (cost_of(&kernel, cost.class))
			cost.lack = kernel.flops <= COST_MOST && kernel.bytes <= COST_MOST ? COST_KNOWN
											   : COST_TOO_LARGE;
	}
	arena_reset(scratch);
	if (!cost.lack) {
		cost.flops = kernel.flops;
		cost.bytes = kernel.bytes;
	}
	return cost;
}
