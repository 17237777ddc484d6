#include "assess/estimate/call_cost.h"

#include <math.h>

#include "assess/shape/tensors.h"
#include "base/memory/mem.h"
#include "dump/npu/cann.h"
#include "opdb/model/dtype.h"

/* A call under way. A formula returns the bytes and sets the FLOPs, or says what is lacking. */
struct pricing {
	const struct cost_call *call;
	struct arena *scratch;
	struct tensors in, out; /* of a call of PyTorch out is empty, and in is not */
	struct tensor first;    /* of all */
	double width;           /* bytes of an element of the first */
	double bytes_in, bytes_out;
	const double *numbers; /* of the row of opdb/cost/classes.tsv */
	enum cost_lack lack;
	double flops, bytes;
};

static double pricing_lacks(struct pricing *pricing, enum cost_lack lack)
{
	pricing->lack = lack;
	return 0;
}

/* --- products of matrices */

/* numbers: the position of the first matrix; whether the second is transposed */
static double price_matmul(struct pricing *pricing)
{
	size_t first = pricing->in.count >= 3 ? (size_t)pricing->numbers[0] : 0;
	const struct tensor *a = &pricing->in.items[first], *b = a + 1;
	bool transposed = pricing->numbers[1] > 0;
	double inner, rows, columns;

	inner = tensor_size_from_end(a, 1);
	columns = b->rank == 1 ? 1 : transposed ? tensor_size(b, 0) : tensor_size_from_end(b, 1);
	if (inner != tensor_size_from_end(b, b->rank == 1 || transposed ? 1 : 2))
		return pricing_lacks(pricing, COST_UNFIT);
	rows = tensor_product(a, 0, a->rank - 1);
	if (b->rank > 2 && a->rank < b->rank)
		rows *= tensor_product(b, 0, b->rank - 2);
	pricing->flops = 2 * rows * columns * inner;
	return (a->count + b->count + rows * columns) * pricing->width;
}

/* --- convolutions */

enum { MOST_SPATIAL = 8 };

/* The value of an argument, by its position; one number counts for every dimension. */
static bool read_spatial(const struct pricing *pricing, double position, size_t count, double *ret)
{
	struct str text = tensors_list_item(pricing->call->concrete, (size_t)position);
	size_t found;

	if (!tensors_integers(text, ret, count, &found) || (found != 1 && found != count))
		return false;
	for (size_t i = 1; found == 1 && i < count; i++)
		ret[i] = ret[0];
	return true;
}

/* Elements of one channel of the output, from stride, padding and dilation. */
static bool output_of(const struct pricing *pricing, double *ret, bool *ret_transposed)
{
	const struct tensor *input = &pricing->in.items[0], *weight = input + 1;
	const double *at = pricing->numbers;
	size_t count = input->rank - 2;
	double stride[MOST_SPATIAL], padding[MOST_SPATIAL], dilation[MOST_SPATIAL];

	if (!(at[0] > 0) || count > MOST_SPATIAL || !read_spatial(pricing, at[0], count, stride) ||
		!read_spatial(pricing, at[1], count, padding) || !read_spatial(pricing, at[2], count, dilation))
		return false;
	*ret_transposed = at[3] > 0 && str_eq(tensors_list_item(pricing->call->concrete, (size_t)at[3]), STR("True"));
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
	const struct tensor *input = &pricing->in.items[0], *output;
	struct tensors next;

	if (!tensors_read(pricing->scratch, pricing->call->next, STR(""), 0, &next) || !next.count)
		return false;
	output = &next.items[0];
	if (next.negative || output->rank != input->rank || tensor_size(output, 0) != tensor_size(input, 0) ||
		tensor_size(output, 1) != tensor_size(input + 1, 0))
		return false;
	*ret = tensor_product(output, 2, output->rank);
	return true;
}

/* gradient of the output, input, weight; numbers: in those of vendors the first two are the other way round */
static double price_conv_backward(struct pricing *pricing)
{
	bool turned = pricing->numbers[0] > 0;
	const struct tensor *gradient = &pricing->in.items[turned], *input = &pricing->in.items[!turned];
	const struct tensor *weight = &pricing->in.items[2];
	bool transposed;

	if (input->rank != gradient->rank)
		return pricing_lacks(pricing, COST_UNFIT);
	transposed = tensor_size(gradient, 1) != tensor_size(weight, 0);
	pricing->flops = 4 * (transposed ? input->count : gradient->count) * tensor_product(weight, 1, weight->rank);
	return 2 * (gradient->count + input->count + weight->count) * pricing->width;
}

/* numbers: positions of stride, padding, dilation, transposed; "conv-transpose" needs none */
static double price_conv(struct pricing *pricing)
{
	const struct tensor *input = &pricing->in.items[0], *weight = input + 1;
	bool transposed = str_ends(pricing->call->work.formula, STR("transpose"));
	double output = 0, per_output;

	if (input->rank != weight->rank)
		return pricing_lacks(pricing, COST_UNFIT);
	per_output = tensor_product(weight, 1, weight->rank);
	if (transposed) {
		output = input->count * per_output / tensor_size(input, 1);
	} else {
		if (!output_of(pricing, &output, &transposed) && !output_shown(pricing, &output))
			return pricing_lacks(pricing, COST_NO_OUTPUT);
		output *= tensor_size(input, 0) * tensor_size(weight, transposed ? 1 : 0);
	}
	pricing->flops = 2 * (transposed ? input->count : output) * per_output;
	return (input->count + weight->count + output) * pricing->width;
}

/* --- attention */

/* Query and key stand first. numbers: FLOPs and tensors read of each; the dimension of the heads; gradients before the
   query */
static double price_attention(struct pricing *pricing)
{
	size_t before = (size_t)pricing->numbers[3], heads = (size_t)pricing->numbers[2], rows = 3 - heads;
	const struct tensor *query = &pricing->in.items[before], *key = query + 1;
	double work;

	if (pricing->in.count < before + 2)
		return pricing_lacks(pricing, COST_NO_FORMULA);
	if (query->rank != key->rank || query->rank > 4 ||
		tensor_size_from_end(query, 1) != tensor_size_from_end(key, 1))
		return pricing_lacks(pricing, COST_UNFIT);
	work = query->count *
	       tensor_size(key, query->rank == 3 ? 0 : rows); /* 3: sequences end to end, an upper bound */
	pricing->flops = pricing->numbers[0] * work;
	if (str_has(pricing->call->concrete, STR("\"True\""))) /* causal */
		pricing->flops /= 2;
	return pricing->numbers[1] * (query->count + key->count) * pricing->width;
}

/* --- work that memory decides */

/* numbers: how often the bytes count of the first input, the second, all, the outputs, and as many elements as the last
   has, such as its gradient. Inputs count once where the outputs of a kernel are not recorded. */
static double price_bytes(struct pricing *pricing)
{
	enum { SECOND = 1, OUTPUTS = 3 };
	const struct tensors *in = &pricing->in;
	const double parts[WORK_NUMBERS] = { in->count ? tensors_bytes(in->items, 1) : 0,
		in->count > SECOND ? tensors_bytes(in->items + SECOND, 1) : 0, pricing->bytes_in, pricing->bytes_out,
		in->count ? in->items[in->count - 1].count * pricing->width : 0 };
	double bytes = 0;

	if (pricing->numbers[OUTPUTS] > 0 && !pricing->out.count)
		return pricing->bytes_in;
	for (size_t i = 0; i < WORK_NUMBERS; i++)
		bytes += pricing->numbers[i] > 0 ? pricing->numbers[i] * parts[i] : 0;
	return bytes;
}

static double price_resized(struct pricing *pricing)
{
	const struct tensor *first = &pricing->in.items[0];
	double sizes[MOST_SPATIAL], output = tensor_product(first, 0, first->rank < 2 ? first->rank : 2);
	size_t count;

	if (!tensors_integers(tensors_list_item(pricing->call->concrete, 1), sizes, MOST_SPATIAL, &count) || !count)
		return pricing_lacks(pricing, COST_NO_OUTPUT);
	for (size_t i = 0; i < count; i++)
		output *= sizes[i];
	return (first->count + output) * pricing->width;
}

/* All but the largest tensor, and as much of that again. */
static double price_beside(struct pricing *pricing)
{
	double most = 0, rest;

	for (size_t i = 0; i < pricing->in.count; i++)
		most = fmax(most, tensors_bytes(&pricing->in.items[i], 1));
	rest = pricing->bytes_in - most;
	return rest + fmin(most, 2 * rest);
}

/* Parts of a table taken twice and their indices, never the whole table. numbers: dimensions that indices take
   together; 0: each one */
static double price_taken(struct pricing *pricing)
{
	const struct tensor *table = &pricing->in.items[0];
	size_t indices = pricing->in.count - 1, fixed = pricing->numbers[0] > 0 ? (size_t)pricing->numbers[0] : indices;
	double taken = tensors_broadcast(table + 1, indices);
	double part = tensor_product(table, fixed, table->rank), most = 4 * table->count + taken;

	return 2 * fmin(taken * part, most) * pricing->width + taken * 8;
}

static double price_table(struct pricing *pricing)
{
	const struct tensor *first = &pricing->in.items[0];
	double rows;
	size_t count;

	if (!tensors_integers(tensors_list_item(pricing->call->concrete, 2), &rows, 1, &count) || !count)
		return price_beside(pricing);
	return (rows * tensor_size_from_end(first, 1) + 2 * first->count) * pricing->width;
}

/* table, indices, offsets */
static double price_bags(struct pricing *pricing)
{
	const struct tensor *table = &pricing->in.items[0];

	return (table[1].count + table[2].count) * tensor_product(table, 1, table->rank) * pricing->width +
	       table[1].count * 8;
}

static double price_copied(struct pricing *pricing)
{
	const struct tensor *to = &pricing->in.items[0];

	return to->count * (to->width + to[pricing->in.count > 1].width);
}

/* numbers: bytes of an element of the result; 0: those of the inputs of its shape */
static double price_broadcast(struct pricing *pricing)
{
	double output = tensors_broadcast(pricing->in.items, pricing->in.count), width = pricing->numbers[0];

	for (size_t i = 0; i < pricing->in.count && !(pricing->numbers[0] > 0); i++) {
		if (pricing->in.items[i].count == output)
			width = fmax(width, pricing->in.items[i].width);
	}
	return pricing->bytes_in + output * (width > 0 ? width : pricing->width);
}

/* --- kernels of CANN, whose outputs are recorded */

/* Of three matrices each size occurs twice. numbers: whether there are batches of them */
static double price_product(struct pricing *pricing)
{
	const struct tensor *a = pricing->in.items, *b = a + 1, *c = pricing->out.items;
	double batch = 1;

	if (a->rank == 2 && b->rank == 2 && c->rank == 2 && tensor_size(a, 0) != tensor_size(b, 0) &&
		tensor_size(a, 0) != tensor_size(b, 1) && tensor_size(a, 1) != tensor_size(b, 0) &&
		tensor_size(a, 1) != tensor_size(b, 1))
		return pricing_lacks(pricing, COST_NO_FORMULA); /* no common size: the file was altered */
	if (pricing->numbers[0] > 0 && c->rank > 2 && b->rank > 2)
		batch = tensor_product(c, 0, c->rank - 2);
	pricing->flops = batch > 0 ? 2 * sqrt(a->count * b->count * c->count / batch) : 0;
	return tensors_bytes(a, 2) + tensors_bytes(c, 1);
}

/* Multiplications of an element of the output: of FRACTAL_Z its blocks, else elements of the filter of a channel. */
static double filter_size(const struct tensor *filter)
{
	if (filter->rank == 4 && tensor_size(filter, 2) == 16 &&
		(tensor_size(filter, 3) == 8 || tensor_size(filter, 3) == 16))
		return tensor_size(filter, 0) * tensor_size(filter, 3);
	return filter->count / fmax(1, tensor_size(filter, 0));
}

/* numbers: 1 for the gradient of the input, 2 for that of the filter */
static double price_filtered(struct pricing *pricing)
{
	const struct tensor *first = pricing->in.items, *last = &first[pricing->in.count - 1];
	const struct tensor *output = pricing->out.items;

	if (output->rank < 2)
		return pricing_lacks(pricing, COST_NO_FORMULA);
	if (pricing->numbers[0] > 0)
		pricing->flops = 2 * last->count * filter_size(pricing->numbers[0] > 1 ? output : first);
	else
		pricing->flops = 2 * output->count * filter_size(first + 1);
	return pricing->bytes_in + pricing->bytes_out;
}

/* The maxima of a softmax. */
static const struct tensor *find_softmax(const struct tensors *tensors)
{
	return FIND(i, tensors->items, tensors->count,
		tensors->items[i].rank == 4 && tensor_size(&tensors->items[i], 3) == 8);
}

/* numbers: FLOPs of an element of the scores */
static double price_flash(struct pricing *pricing)
{
	const struct tensor *softmax = find_softmax(&pricing->out), *masks = pricing->in.items;
	bool causal = ANY(i, pricing->in.count,
		masks[i].rank == 2 && tensor_size(&masks[i], 0) == 2048 && tensor_size(&masks[i], 1) == 2048);

	softmax = softmax ? softmax : find_softmax(&pricing->in);
	if (!softmax || pricing->first.rank > 4)
		return pricing_lacks(pricing, COST_NO_FORMULA);
	pricing->flops = pricing->numbers[0] * pricing->first.count * tensor_size(softmax, 2) * (causal ? 0.5 : 1);
	return pricing->bytes_in + pricing->bytes_out;
}

static double price_gathered(struct pricing *pricing)
{
	return pricing->out.count ? pricing->bytes_out + fmin(pricing->bytes_out, pricing->bytes_in)
				  : pricing->bytes_in;
}

/* --- the call */

typedef double price(struct pricing *pricing);

static const struct {
	struct str name;
	price *price;
	size_t inputs, outputs, rank; /* tensors that it needs; inputs of fewer dimensions are left out */
	price *otherwise;             /* with fewer; NULL: none */
} formulas[] = {
	{ STR("matmul"), price_matmul, .inputs = 2 },
	{ STR("conv"), price_conv, .inputs = 2, .rank = 3 },
	{ STR("conv-transpose"), price_conv, .inputs = 2, .rank = 3 },
	{ STR("conv-backward"), price_conv_backward, .inputs = 3, .rank = 3 },
	{ STR("attention"), price_attention, .inputs = 2, .rank = 3 },
	{ STR("bytes"), price_bytes },
	{ STR("resized"), price_resized },
	{ STR("beside"), price_beside },
	{ STR("taken"), price_taken, .inputs = 2, .otherwise = price_beside },
	{ STR("table"), price_table },
	{ STR("bags"), price_bags, .inputs = 3, .otherwise = price_beside },
	{ STR("copied"), price_copied },
	{ STR("broadcast"), price_broadcast },
	{ STR("product"), price_product, .inputs = 2, .outputs = 1 },
	{ STR("filtered"), price_filtered, .inputs = 2, .outputs = 1, .rank = 4 },
	{ STR("flash"), price_flash, .inputs = 1 },
	{ STR("gathered"), price_gathered },
};

static enum cost_lack price_call(struct pricing *pricing)
{
	const struct cost_call *call = pricing->call;
	size_t at = STR_POSITION(formulas, ARRAY_SIZE(formulas), call->work.formula);
	struct tensors *in = &pricing->in, *out = &pricing->out;
	size_t kept = 0;
	bool fits;

	if (at == STR_NONE)
		return COST_NO_FORMULA;
	if (!tensors_read(pricing->scratch, call->shapes, call->dtypes, call->assumed, &pricing->in) ||
		!tensors_read(pricing->scratch, call->outputs, call->output_types, 0, &pricing->out) ||
		(!in->count && !out->count))
		return COST_NO_SHAPES;
	if (in->negative || out->negative)
		return COST_UNFIT;
	if (in->unknown_type)
		return COST_NO_TYPE;
	pricing->first = in->count ? in->items[0] : out->items[0];
	pricing->width = pricing->first.width;
	pricing->numbers = call->work.numbers;
	pricing->bytes_in = tensors_bytes(in->items, in->count);
	pricing->bytes_out = tensors_bytes(out->items, out->count);
	for (size_t i = 0; i < in->count; i++) {
		in->items[kept] = in->items[i];
		kept += in->items[i].rank >= formulas[at].rank;
	}
	in->count = kept;
	fits = in->count >= formulas[at].inputs && out->count >= formulas[at].outputs;
	if (!fits && !formulas[at].otherwise)
		return COST_NO_FORMULA;
	pricing->bytes = (fits ? formulas[at].price : formulas[at].otherwise)(pricing);
	if (!pricing->lack && (!(pricing->flops <= COST_MOST) || !(pricing->bytes <= COST_MOST) || pricing->bytes < 0))
		return COST_TOO_LARGE;
	return pricing->lack;
}

static enum peak peak_of(unsigned types)
{
	return types & (types - 1)                ? PEAK_FP32
	       : types & DTYPE_FP16               ? PEAK_FP16
	       : types & DTYPE_BF16               ? PEAK_BF16
	       : types & (DTYPE_INT8 | DTYPE_FP8) ? PEAK_INT8
						  : PEAK_FP32;
}

struct call_cost call_cost_of(struct arena *scratch, const struct cost_call *call)
{
	struct pricing pricing = { .call = call, .scratch = scratch };
	struct call_cost cost = { .class = call->work.class, .typed = call->dtypes.len || call->assumed };

	cost.lack = price_call(&pricing);
	cost.peak = peak_of(pricing.first.types);
	arena_reset(scratch);
	if (!cost.lack) {
		cost.flops = pricing.flops;
		cost.bytes = pricing.bytes;
	}
	return cost;
}

/* --- kernels of CANN */

static struct str without_quotes(struct str text)
{
	while (text.len > 1 && str_starts(text, STR("\"")) && str_ends(text, STR("\"")))
		text = str_sub(text, 1, text.len - 1);
	return text;
}

/* Appends shapes and types as struct profile_use has them. A shape that cannot be read becomes "?"; an unknown type
   such as "UNDEFINED" is left open. */
static void put_lists(struct str shapes, struct str types, struct buf *out, struct buf *out_types)
{
	struct str word;

	shapes = without_quotes(shapes);
	if (shapes.len && !str_eq(shapes, STR("N/A")) && !npu_shape_put(out, shapes))
		buf_byte(out, '?');
	buf_byte(out_types, '[');
	for (types = without_quotes(types); str_cut(&types, ';', &word);) {
		word = str_trim(word);
		word = str_starts(word, STR("DT_")) ? str_skip(word, 3) : word;
		buf_printf(out_types, "\"%.*s\",", STR_ARG(dtype_from(word) ? word : STR("")));
	}
	buf_byte(out_types, ']');
}

struct call_cost kernel_cost_of(struct arena *scratch, const struct cann_kernel *kernel)
{
	CLEANUP(buf_clear) struct buf in = BUF_UNLIMITED, in_types = BUF_UNLIMITED;
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED, out_types = BUF_UNLIMITED;

	put_lists(kernel->inputs, kernel->input_types, &in, &in_types);
	put_lists(kernel->outputs, kernel->output_types, &out, &out_types);
	return call_cost_of(scratch, &(struct cost_call){ .work = work_of_kernel(kernel->type),
					     .shapes = buf_str(&in),
					     .dtypes = buf_str(&in_types),
					     .outputs = buf_str(&out),
					     .output_types = buf_str(&out_types) });
}
