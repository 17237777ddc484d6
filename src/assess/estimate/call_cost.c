#include "assess/estimate/call_cost.h"

#include <math.h>

#include "assess/estimate/tensors.h"
#include "base/memory/mem.h"
#include "base/view/ascii.h"

static const struct str lack_items[COST_LACKS] = {
	[COST_KNOWN] = STR("known"),
	[COST_NO_SHAPES] = STR("no-shapes"),
	[COST_NO_FORMULA] = STR("no-formula"),
	[COST_NO_TYPE] = STR("no-type"),
	[COST_UNFIT] = STR("unfit"),
	[COST_NO_OUTPUT] = STR("no-output"),
	[COST_TOO_LARGE] = STR("too-large"),
};
const struct words cost_lack_words = { lack_items, COST_LACKS, COST_NO_FORMULA };

/* A call under way. A formula sets flops and bytes, or returns what they lack. */
struct pricing {
	const struct cost_call *call;
	struct str base; /* without the underscore of in-place operators */
	struct arena *scratch;
	const struct tensor *items;
	size_t count;
	double width; /* bytes of an element of the first tensor */
	bool backward;
	double flops, bytes;
};

static bool is_one_of(const struct pricing *pricing, const char *names)
{
	struct str rest = str_from(names), name;

	while (str_cut(&rest, ' ', &name)) {
		if (str_eq(name, pricing->base))
			return true;
	}
	return false;
}

static bool has(const struct pricing *pricing, const char *part)
{
	return str_has(pricing->base, str_from(part));
}

/* --- products of matrices */

static enum cost_lack cost_matmul(struct pricing *pricing)
{
	size_t first = is_one_of(pricing, "addmm baddbmm addbmm _addmm_activation addmv") && pricing->count >= 3;
	const struct tensor *a = &pricing->items[first], *b = a + 1;
	bool linear = is_one_of(pricing, "linear");
	double inner, rows, columns;

	if (pricing->count < first + 2)
		return COST_NO_FORMULA;
	inner = tensor_size_from_end(a, 1);
	columns = b->rank == 1 ? 1 : linear ? tensor_size(b, 0) : tensor_size_from_end(b, 1);
	if (inner != (b->rank == 1 || linear ? tensor_size_from_end(b, 1) : tensor_size_from_end(b, 2)))
		return COST_UNFIT;
	rows = tensor_product(a, 0, a->rank - 1);
	if (b->rank > 2 && a->rank < b->rank)
		rows *= tensor_product(b, 0, b->rank - 2);
	pricing->flops = 2 * rows * columns * inner;
	pricing->bytes = (a->count + b->count + rows * columns) * pricing->width;
	return COST_KNOWN;
}

/* --- convolutions */

enum { MOST_SPATIAL = 8 };

/* Positions of arguments; 0: it has none. */
static const struct convolution {
	const char *names;
	unsigned char stride, padding, dilation, transposed;
} convolutions[] = {
	{ "convolution _convolution convolution_overrideable", 3, 4, 5, 6 },
	{ "cudnn_convolution", 3, 2, 4, 0 },
	{ "miopen_convolution mkldnn_convolution", 4, 3, 5, 0 },
	{ "conv1d conv2d conv3d cudnn_convolution_relu", 3, 4, 5, 0 },
	{ "_conv_depthwise2d", 4, 5, 6, 0 },
};

/* One number counts for every dimension. */
static bool read_spatial(const struct pricing *pricing, unsigned position, size_t count, double *ret)
{
	struct str text = cost_list_item(pricing->call->concrete, position);
	size_t found;

	if (!cost_integers(text, ret, count, &found) || (found != 1 && found != count))
		return false;
	for (size_t i = 1; found == 1 && i < count; i++)
		ret[i] = ret[0];
	return true;
}

/* Elements of one channel of the output, from stride, padding and dilation. */
static bool output_of(const struct pricing *pricing, double *ret, bool *ret_transposed)
{
	const struct tensor *input = &pricing->items[0], *weight = &pricing->items[1];
	size_t count = input->rank - 2;
	double stride[MOST_SPATIAL], padding[MOST_SPATIAL], dilation[MOST_SPATIAL];
	const struct convolution *at = convolutions;

	while (at < convolutions + ARRAY_SIZE(convolutions) && !is_one_of(pricing, at->names))
		at++;
	if (at == convolutions + ARRAY_SIZE(convolutions) || count > MOST_SPATIAL ||
		!read_spatial(pricing, at->stride, count, stride) ||
		!read_spatial(pricing, at->padding, count, padding) ||
		!read_spatial(pricing, at->dilation, count, dilation))
		return false;
	*ret_transposed = at->transposed &&
			  str_eq(cost_list_item(pricing->call->concrete, at->transposed), STR("True"));
	*ret = 1;
	for (size_t i = 0; i < count; i++) {
		double size = tensor_size(input, 2 + i), reach = dilation[i] * (tensor_size(weight, 2 + i) - 1) + 1;

		if (stride[i] < 1)
			return false;
		*ret *= *ret_transposed ? (size - 1) * stride[i] - 2 * padding[i] + reach
					: floor((size + 2 * padding[i] - reach) / stride[i]) + 1;
	}
	return *ret >= 0;
}

/* The same from the first tensor of the operator behind it, if that fits. */
static bool output_shown(const struct pricing *pricing, double *ret)
{
	const struct tensor *input = &pricing->items[0], *weight = &pricing->items[1], *output;
	struct tensors next;

	if (!pricing->call->next.len || !tensors_read(pricing->scratch, pricing->call->next, STR(""), 0, &next) ||
		!next.count)
		return false;
	output = &next.items[0];
	if (next.negative || output->rank != input->rank || tensor_size(output, 0) != tensor_size(input, 0) ||
		tensor_size(output, 1) != tensor_size(weight, 0))
		return false;
	*ret = tensor_product(output, 2, output->rank);
	return true;
}

static enum cost_lack cost_conv_backward(struct pricing *pricing)
{
	/* gradient of the output, input, weight; in those of vendors the first two are the other way round */
	bool vendor = str_starts(pricing->base, STR("cudnn")) || str_starts(pricing->base, STR("miopen"));
	const struct tensor *gradient = &pricing->items[vendor], *input = &pricing->items[!vendor];
	const struct tensor *weight = &pricing->items[2];
	bool transposed;

	if (pricing->count < 3 || gradient->rank < 3 || weight->rank < 3)
		return COST_NO_FORMULA;
	if (input->rank != gradient->rank)
		return COST_UNFIT;
	transposed = tensor_size(gradient, 1) != tensor_size(weight, 0);
	pricing->flops = 4 * (transposed ? input->count : gradient->count) * tensor_product(weight, 1, weight->rank);
	pricing->bytes = 2 * (gradient->count + input->count + weight->count) * pricing->width;
	return COST_KNOWN;
}

static enum cost_lack cost_conv(struct pricing *pricing)
{
	const struct tensor *input = &pricing->items[0], *weight = &pricing->items[1];
	bool transposed = false;
	double output, per_output;

	if (pricing->backward)
		return cost_conv_backward(pricing);
	if (pricing->count < 2 || input->rank < 3 || weight->rank < 3)
		return COST_NO_FORMULA;
	if (input->rank != weight->rank)
		return COST_UNFIT;
	per_output = tensor_product(weight, 1, weight->rank);
	if (has(pricing, "transpose")) {
		pricing->flops = 2 * input->count * per_output;
		pricing->bytes = (input->count + weight->count + pricing->flops / 2 / tensor_size(input, 1)) *
				 pricing->width;
		return COST_KNOWN;
	}
	if (!output_of(pricing, &output, &transposed) && !output_shown(pricing, &output))
		return COST_NO_OUTPUT;
	output *= tensor_size(input, 0) * tensor_size(weight, transposed ? 1 : 0);
	pricing->flops = 2 * (transposed ? input->count : output) * per_output;
	pricing->bytes = (input->count + weight->count + output) * pricing->width;
	return COST_KNOWN;
}

/* --- attention */

/* The first two tensors of three dimensions or more: query and key. */
static enum cost_lack cost_attention(struct pricing *pricing)
{
	const struct tensor *found[3], *query, *key;
	size_t count = 0;
	bool heads_first = has(pricing, "_scaled") || has(pricing, "cudnn") || str_starts(pricing->base, STR("scaled"));
	double queries, keys, heads, width;

	for (size_t i = 0; i < pricing->count && count < ARRAY_SIZE(found); i++) {
		if (pricing->items[i].rank >= 3)
			found[count++] = &pricing->items[i];
	}
	if (count < 2u + pricing->backward) /* behind the gradient */
		return COST_NO_FORMULA;
	query = found[pricing->backward];
	key = found[pricing->backward + 1];
	if (query->rank != key->rank || query->rank > 4 ||
		tensor_size_from_end(query, 1) != tensor_size_from_end(key, 1))
		return COST_UNFIT;
	if (query->rank == 4) {
		width = tensor_size(query, 0) * tensor_size(query, 3);
		heads = tensor_size(query, heads_first ? 1 : 2);
		queries = tensor_size(query, heads_first ? 2 : 1);
		keys = tensor_size(key, heads_first ? 2 : 1);
	} else { /* sequences one behind the other: an upper bound */
		width = tensor_size(query, 2);
		heads = tensor_size(query, 1);
		queries = tensor_size(query, 0);
		keys = tensor_size(key, 0);
	}
	pricing->flops = 4 * width * heads * queries * keys * (pricing->backward ? 2.5 : 1);
	if (str_has(pricing->call->concrete, STR("\"True\""))) /* causal */
		pricing->flops /= 2;
	pricing->bytes = 2 * (query->count + key->count) * pricing->width * (pricing->backward ? 2 : 1);
	return COST_KNOWN;
}

/* --- work that memory decides */

static double times_first(const struct pricing *pricing, double times)
{
	return pricing->items[0].count * pricing->width * times;
}

static const struct tensor *largest(const struct pricing *pricing)
{
	const struct tensor *ret = &pricing->items[0];

	for (size_t i = 1; i < pricing->count; i++) {
		if (pricing->items[i].count > ret->count)
			ret = &pricing->items[i];
	}
	return ret;
}

static enum cost_lack cost_pool(struct pricing *pricing)
{
	const struct tensor *first = &pricing->items[0], *last = &pricing->items[pricing->count - 1];
	double sizes[MOST_SPATIAL], output;
	size_t count;

	pricing->bytes = tensors_bytes(pricing->items, pricing->count);
	if (pricing->backward) {
		pricing->bytes += last->count * pricing->width;
	} else if (has(pricing, "upsample") || has(pricing, "interpolate")) {
		if (!cost_integers(cost_list_item(pricing->call->concrete, 1), sizes, MOST_SPATIAL, &count) || !count)
			return COST_NO_OUTPUT;
		output = tensor_product(first, 0, first->rank < 2 ? first->rank : 2);
		for (size_t i = 0; i < count; i++)
			output *= sizes[i];
		pricing->bytes = (first->count + output) * pricing->width;
	}
	return COST_KNOWN;
}

/* Rows taken twice and their indices, never the whole table. */
static double bytes_taken(const struct pricing *pricing)
{
	const struct tensor *table = &pricing->items[0];
	size_t indices = pricing->count - 1;
	double taken = pricing->items[indices].count, row = 1, most;

	if (is_one_of(pricing, "embedding index_select")) {
		row = table->rank > 1 ? tensor_product(table, 1, table->rank) : 1;
	} else if (is_one_of(pricing, "index")) {
		taken = tensors_broadcast(&pricing->items[1], indices);
		row = table->rank >= indices ? tensor_product(table, indices, table->rank) : 1;
	}
	most = 4 * table->count + taken;
	return 2 * fmin(taken * row, most) * pricing->width + taken * 8;
}

/* All but the largest tensor, and as much of that again. */
static double bytes_beside_largest(const struct pricing *pricing)
{
	double all = 0, most = 0, rest;

	for (size_t i = 0; i < pricing->count; i++) {
		double bytes = tensors_bytes(&pricing->items[i], 1);

		all += bytes;
		most = fmax(most, bytes);
	}
	rest = all - most;
	return rest + fmin(most, 2 * rest);
}

static enum cost_lack cost_gather(struct pricing *pricing)
{
	const struct tensor *first = &pricing->items[0];
	double rows;
	size_t count;

	if (is_one_of(pricing, "embedding index_select gather take index") && pricing->count >= 2) {
		pricing->bytes = bytes_taken(pricing);
	} else if (is_one_of(pricing, "embedding_dense_backward") &&
		   cost_integers(cost_list_item(pricing->call->concrete, 2), &rows, 1, &count) && count) {
		pricing->bytes = (rows * tensor_size_from_end(first, 1) + 2 * first->count) * pricing->width;
	} else if (has(pricing, "embedding_bag") && pricing->count >= 3) {
		double row = tensor_product(first, 1, first->rank), indices = pricing->items[1].count;

		pricing->bytes = (indices + pricing->items[2].count) * row * pricing->width + indices * 8;
	} else {
		pricing->bytes = bytes_beside_largest(pricing);
	}
	return COST_KNOWN;
}

static enum cost_lack cost_norm(struct pricing *pricing)
{
	pricing->bytes = times_first(pricing, pricing->backward                                 ? 4
					      : has(pricing, "batch") && !has(pricing, "infer") ? 3
												: 2);
	return COST_KNOWN;
}

static enum cost_lack cost_softmax(struct pricing *pricing)
{
	pricing->bytes = times_first(pricing, pricing->backward ? 3 : 2);
	return COST_KNOWN;
}

static enum cost_lack cost_reduction(struct pricing *pricing)
{
	pricing->bytes = tensors_bytes(pricing->items, pricing->count);
	return COST_KNOWN;
}

static enum cost_lack cost_sort(struct pricing *pricing)
{
	pricing->bytes = 2 * tensors_bytes(pricing->items, pricing->count);
	return COST_KNOWN;
}

static enum cost_lack cost_random(struct pricing *pricing)
{
	bool in_place = is_one_of(pricing, "bernoulli uniform normal random exponential");

	pricing->bytes = tensors_bytes(largest(pricing), 1) * (in_place ? 1 : 2);
	return COST_KNOWN;
}

static enum cost_lack cost_fill(struct pricing *pricing)
{
	pricing->bytes = times_first(pricing, 1);
	return COST_KNOWN;
}

static enum cost_lack cost_copy(struct pricing *pricing)
{
	if (is_one_of(pricing, "cat _cat stack"))
		pricing->bytes = 2 * tensors_bytes(pricing->items, pricing->count);
	else if (is_one_of(pricing, "copy") && pricing->count >= 2)
		pricing->bytes = pricing->items[0].count * (pricing->items[0].width + pricing->items[1].width);
	else
		pricing->bytes = times_first(pricing, 2);
	return COST_KNOWN;
}

static enum cost_lack cost_optimizer(struct pricing *pricing)
{
	double times = 1;

	if (is_one_of(pricing, "_foreach_add"))
		times = 1.5;
	else if (is_one_of(pricing, "_foreach_addcmul _foreach_addcdiv"))
		times = 4.0 / 3;
	else if (has(pricing, "_fused"))
		times = 7.0 / 4;
	else if (str_starts(pricing->base, STR("_foreach_")) && !has(pricing, "norm"))
		times = 2;
	pricing->bytes = tensors_bytes(pricing->items, pricing->count) * times;
	return COST_KNOWN;
}

static enum cost_lack cost_elementwise(struct pricing *pricing)
{
	double output = tensors_broadcast(pricing->items, pricing->count);
	double width = 0;

	for (size_t i = 0; i < pricing->count; i++) {
		if (pricing->items[i].count == output && pricing->items[i].width > width)
			width = pricing->items[i].width;
	}
	if (is_one_of(pricing, "eq ne lt gt le ge isnan isinf logical_not logical_and logical_or"))
		width = 1;
	pricing->bytes = tensors_bytes(pricing->items, pricing->count) + output * (width != 0 ? width : pricing->width);
	return COST_KNOWN;
}

/* --- the call */

static enum cost_lack (*const formulas[WORK_COUNT])(struct pricing *) = {
	[WORK_MATMUL] = cost_matmul,
	[WORK_CONV] = cost_conv,
	[WORK_ATTENTION] = cost_attention,
	[WORK_OPTIMIZER] = cost_optimizer,
	[WORK_NORM] = cost_norm,
	[WORK_SOFTMAX] = cost_softmax,
	[WORK_POOL] = cost_pool,
	[WORK_SORT] = cost_sort,
	[WORK_GATHER] = cost_gather,
	[WORK_RANDOM] = cost_random,
	[WORK_FILL] = cost_fill,
	[WORK_COPY] = cost_copy,
	[WORK_REDUCTION] = cost_reduction,
	[WORK_ELEMENTWISE] = cost_elementwise,
};

struct str cost_first_tensor(struct str shapes)
{
	for (size_t i = 1; i + 1 < shapes.len; i++) {
		size_t end = i;

		while (end < shapes.len && shapes.ptr[end] != ']')
			end++;
		if (shapes.ptr[i] == '[' && (is_digit(shapes.ptr[i + 1]) || shapes.ptr[i + 1] == '-') &&
			end < shapes.len)
			return str_sub(shapes, i, end + 1);
	}
	return STR("");
}

static enum cost_lack price_call(struct pricing *pricing, struct call_cost *cost)
{
	const struct cost_call *call = pricing->call;
	struct tensors tensors;
	enum cost_lack lack;

	if (!formulas[cost->class])
		return COST_NO_FORMULA;
	if (!call->shapes.len || !tensors_read(pricing->scratch, call->shapes, call->dtypes, call->assumed, &tensors))
		return COST_NO_SHAPES;
	if (!tensors.count)
		return COST_NO_SHAPES;
	if (tensors.negative)
		return COST_UNFIT;
	if (tensors.unknown_type)
		return COST_NO_TYPE;
	pricing->items = tensors.items;
	pricing->count = tensors.count;
	pricing->width = tensors.items[0].width;
	cost->peak = tensors.items[0].peak;
	lack = formulas[cost->class](pricing);
	if (!lack && (!(pricing->flops <= COST_MOST) || !(pricing->bytes <= COST_MOST) || pricing->bytes < 0))
		return COST_TOO_LARGE;
	return lack;
}

struct call_cost call_cost_of(struct arena *scratch, const struct cost_call *call)
{
	struct call_cost cost = { .class = call->class, .peak = PEAK_FP32, .typed = call->dtypes.len || call->assumed };
	struct pricing pricing = { .call = call, .base = call->base, .scratch = scratch };

	while (pricing.base.len > 1 && str_ends(pricing.base, STR("_")))
		pricing.base = str_chop(pricing.base, 1);
	pricing.backward = has(&pricing, "backward");
	cost.lack = price_call(&pricing, &cost);
	arena_reset(scratch);
	if (!cost.lack) {
		cost.flops = pricing.flops;
		cost.bytes = pricing.bytes;
	}
	return cost;
}
